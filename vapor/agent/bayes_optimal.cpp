#include "vapor/agent/bayes_optimal.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "vapor/core/check.h"
#include "vapor/core/error.h"

namespace vapor {
namespace {

constexpr Index kMostBeliefs = 4096;
constexpr double kRewardTolerance = 1e-9;  // as FiniteBelief tells rewards apart
constexpr double kTie = 1e-12;             // of two actions as good as that the first is taken

[[noreturn]] void refuse(const std::string& problem) { throw InputError("bayes-optimal", problem); }

// The next states of a pair with their probabilities; -1 after the last layer.
std::map<Index, double> next_states(const Problem& model, Index layer, Index pair) {
  if (layer + 1 == model.shape.layers()) return {{-1, 1.0}};
  const Transitions& P = model.transitions;
  std::map<Index, double> next;
  for (Offset k = P.begin[pair]; k < P.begin[pair + 1]; ++k)
    if (P.probability[k] > 0.0) next[P.next_state[k]] += P.probability[k];
  if (P.base_weight[pair] > 0.0)
    for (Index s : model.shape.states_of(layer + 1))
      if (P.base[s] > 0.0) next[s] += P.base_weight[pair] * P.base[s];
  return next;
}

}  // namespace

BayesOptimalAgent::BayesOptimalAgent(std::unique_ptr<Belief> belief, std::int64_t episodes)
    : owned_(std::move(belief)),
      belief_(owned_->as_finite()),
      episodes_(episodes),
      weights_(belief_->weights().begin(), belief_->weights().end()) {
  if (belief_->noise_variance() > 0.0) refuse("needs rewards without noise");
  if (weights_.size() > 64) refuse(fmt::format("takes at most 64 models, got {}", weights_.size()));
  add_beliefs();
  const Shape& shape = belief_->shape();
  U_.resize(beliefs_.size() * shape.states());
  best_.resize(U_.size());
  policy_.resize(shape.pairs());
  W_.assign(1, std::vector<double>(beliefs_.size(), 0.0));
  const std::vector<double>& rho = belief_->problem().initial;
  for (std::int64_t n = 1; n <= episodes; ++n) {
    plan_episode(n);
    W_.emplace_back(beliefs_.size(), 0.0);
    for (std::size_t b = 0; b < beliefs_.size(); ++b)
      for (std::size_t s = 0; s < rho.size(); ++s) W_[n][b] += rho[s] * U_[b * shape.states() + s];
  }
}

// Every belief that an outcome of any pair can leave, from the prior on.
void BayesOptimalAgent::add_beliefs() {
  ModelSet all = 0;
  for (std::size_t m = 0; m < weights_.size(); ++m)
    if (weights_[m] > 0.0) all |= ModelSet{1} << m;
  beliefs_ = {all};
  const Shape& shape = belief_->shape();
  std::size_t done = 0;
  while (done < beliefs_.size()) {  // the list grows on the way
    const ModelSet models = beliefs_[done++];
    for (Index l = 0; l < shape.layers(); ++l)
      for (Index p : shape.pairs_of_layer(l)) {
        outcomes_.push_back(outcomes_of(models, l, p));
        for (Outcome& outcome : outcomes_.back()) outcome.belief = number_of(outcome.models);
      }
  }
}

Index BayesOptimalAgent::number_of(ModelSet models) {
  const auto found = std::ranges::find(beliefs_, models);
  const Index number = static_cast<Index>(found - beliefs_.begin());
  if (found != beliefs_.end()) return number;
  if (number == kMostBeliefs) refuse(fmt::format("more than {} beliefs can arise", kMostBeliefs));
  beliefs_.push_back(models);
  return number;
}

std::vector<BayesOptimalAgent::Outcome> BayesOptimalAgent::outcomes_of(ModelSet models, Index layer,
                                                                       Index pair) const {
  std::vector<Outcome> outcomes;
  std::vector<double> probability_given_model;  // by outcome
  double total = 0.0;
  for (std::size_t m = 0; m < weights_.size(); ++m) {
    if ((models >> m & 1) == 0) continue;
    total += weights_[m];
    const Problem& model = belief_->models()[m];
    const double reward = model.reward_mean[pair];
    for (const auto& [next_state, probability] : next_states(model, layer, pair)) {
      const auto same = std::ranges::find_if(outcomes, [&](const Outcome& other) {
        return other.next_state == next_state &&
               std::abs(other.reward - reward) <= kRewardTolerance;
      });
      const std::size_t k = same - outcomes.begin();
      if (same == outcomes.end()) {
        outcomes.push_back({.reward = reward, .next_state = next_state});
        probability_given_model.push_back(probability);
      } else if (std::abs(probability - probability_given_model[k]) > 1e-12) {
        refuse(
            fmt::format("models give pair {} different probabilities of the same outcome: "
                        "observations must rule models out or say nothing",
                        pair));
      }
      outcomes[k].models |= ModelSet{1} << m;
      outcomes[k].probability += weights_[m] * probability;
    }
  }
  for (Outcome& outcome : outcomes) outcome.probability /= total;
  return outcomes;
}

double BayesOptimalAgent::action_value(Index belief, Index pair,
                                       const std::vector<double>& W_next) const {
  const std::size_t states = belief_->shape().states();
  double value = 0.0;
  for (const Outcome& outcome : outcomes_[belief * policy_.size() + pair]) {
    const double next = outcome.next_state < 0 ? W_next[outcome.belief]
                                               : U_[outcome.belief * states + outcome.next_state];
    value += outcome.probability * (outcome.reward + next);
  }
  return value;
}

// U_n and its maximisers, for all beliefs.
void BayesOptimalAgent::plan_episode(std::int64_t to_go) {
  const Shape& shape = belief_->shape();
  for (Index l = shape.layers() - 1; l >= 0; --l)
    for (Index b = 0; b < std::ssize(beliefs_); ++b)
      for (Index s : shape.states_of(l)) {
        const std::size_t here = static_cast<std::size_t>(b) * shape.states() + s;
        best_[here] = -1;
        for (Index p : shape.pairs_of(s)) {
          const double value = action_value(b, p, W_[to_go - 1]);
          if (best_[here] >= 0 && value <= U_[here] + kTie * std::max(1.0, std::abs(value)))
            continue;
          best_[here] = p;
          U_[here] = value;
        }
      }
}

std::span<const double> BayesOptimalAgent::policy(RandomStream) {
  plan_episode(episodes_to_go());
  const Shape& shape = belief_->shape();
  const Index states = shape.states();
  const Index start = current_belief();
  std::vector<Index> chosen(states, -1);        // by state: the pair to take
  std::vector<std::vector<Index>> met(states);  // by state: the beliefs it is met with
  const auto meet = [&](Index s, Index b) {
    if (std::ranges::find(met[s], b) != met[s].end()) return;
    met[s].push_back(b);
    const Index pair = best_[static_cast<std::size_t>(b) * states + s];
    if (chosen[s] >= 0 && chosen[s] != pair)
      refuse(
          fmt::format("the optimal action in state {} depends on what the episode has shown, "
                      "and a policy by state cannot",
                      s));
    chosen[s] = pair;
  };
  const std::vector<double>& rho = belief_->problem().initial;
  for (std::size_t s = 0; s < rho.size(); ++s)
    if (rho[s] > 0.0) meet(static_cast<Index>(s), start);
  for (Index s = 0; s < states; ++s)
    for (Index b : met[s])
      for (const Outcome& outcome : outcomes_[b * policy_.size() + chosen[s]])
        if (outcome.next_state >= 0) meet(outcome.next_state, outcome.belief);
  std::ranges::fill(policy_, 0.0);
  for (Index s = 0; s < states; ++s)
    policy_[chosen[s] >= 0 ? chosen[s] : best_[static_cast<std::size_t>(start) * states + s]] = 1.0;
  return policy_;
}

std::int64_t BayesOptimalAgent::episodes_to_go() const {
  return std::max<std::int64_t>(1, episodes_ - observed_);
}

Index BayesOptimalAgent::current_belief() const {
  ModelSet models = 0;
  for (std::size_t m = 0; m < weights_.size(); ++m)
    if (belief_->weights()[m] > 0.0) models |= ModelSet{1} << m;
  const auto found = std::ranges::find(beliefs_, models);
  VAPOR_CHECK_LT(found - beliefs_.begin(), std::ssize(beliefs_));
  return static_cast<Index>(found - beliefs_.begin());
}

void BayesOptimalAgent::observe(const Episode& episode) {
  belief_->update(episode);
  ++observed_;
}

void BayesOptimalAgent::archive(Archive& archive) {
  belief_->archive(archive);
  archive(observed_);
}

}  // namespace vapor
