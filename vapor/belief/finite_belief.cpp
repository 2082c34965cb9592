#include "vapor/belief/finite_belief.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "vapor/belief/sub_gaussian.h"
#include "vapor/core/check.h"
#include "vapor/core/error.h"
#include "vapor/mdp/backward_induction.h"

namespace vapor {
namespace {

constexpr double kImpossible = -std::numeric_limits<double>::infinity();
constexpr double kRewardTolerance = 1e-9;

double probability_of(const Transitions& P, Index pair, Index next_state) {
  double probability = P.base_weight[pair] * P.base[next_state];
  for (Offset k = P.begin[pair]; k < P.begin[pair + 1]; ++k)
    if (P.next_state[k] == next_state) probability += P.probability[k];
  return probability;
}

}  // namespace

FiniteBelief::FiniteBelief(std::vector<FiniteModel> models, double noise_variance)
    : noise_variance_(noise_variance) {
  if (models.empty()) throw InputError("models", "must not be empty");
  if (!(noise_variance >= 0.0 && noise_variance <= 1e100))
    throw InputError("noise_variance",
                     fmt::format("must be >= 0 and at most 1e100, got {}", noise_variance));
  for (std::size_t i = 0; i < models.size(); ++i) {
    Problem& model = models[i].problem;
    validate_and_normalise(model);
    const auto place = [i](const char* field) { return fmt::format("models[{}].{}", i, field); };
    const Problem& first = i == 0 ? model : models_[0];
    if (!(model.shape == first.shape))
      throw InputError(place("shape"), "must be that of the first model");
    if (model.initial != first.initial)
      throw InputError(place("initial"), "must be that of the first model");
    const double weight = models[i].weight;
    if (!(weight >= 0.0 && weight <= 1e100))
      throw InputError(place("weight"), fmt::format("must be >= 0 and finite, got {}", weight));
    log_weights_.push_back(std::log(weight));
    optima_.push_back(optimum_of(model, model.reward_mean));
    models_.push_back(std::move(model));
  }
  if (*std::max_element(log_weights_.begin(), log_weights_.end()) == kImpossible)
    throw InputError("models", "must have a weight > 0");
  problem_.shape = models_[0].shape;
  problem_.initial = models_[0].initial;
  problem_.reward_mean.resize(problem_.shape.pairs());
  problem_.sigma.resize(problem_.shape.pairs());
  set_weights();
}

double FiniteBelief::log_likelihood(const Problem& model, const Step& step) const {
  const double error = step.reward - model.reward_mean[step.pair];
  double result = 0.0;
  if (noise_variance_ > 0.0)
    result -= 0.5 * error * error / noise_variance_;
  else if (!(std::abs(error) <= kRewardTolerance))
    return kImpossible;
  if (step.next_state >= 0)
    result += std::log(probability_of(model.transitions, step.pair, step.next_state));
  return result;
}

void FiniteBelief::update(const Episode& episode) {
  for (const Step& step : episode) {
    if (step.pair < 0 || step.pair >= problem_.shape.pairs())
      throw InputError(
          "pair", fmt::format("must be in 0..{}, got {}", problem_.shape.pairs() - 1, step.pair));
    if (step.next_state >= problem_.shape.states())
      throw InputError("next_state", fmt::format("must be below {}, got {}",
                                                 problem_.shape.states(), step.next_state));
  }
  std::vector<double> updated = log_weights_;
  for (std::size_t i = 0; i < models_.size(); ++i)
    for (const Step& step : episode) updated[i] += log_likelihood(models_[i], step);
  const double largest = *std::max_element(updated.begin(), updated.end());
  if (!(largest > kImpossible)) throw InputError("episode", "no model of the belief explains it");
  for (double& log_weight : updated) log_weight -= largest;  // keeps its digits for ever
  log_weights_ = std::move(updated);
  set_weights();
}

void FiniteBelief::set_weights() {
  const double largest = *std::max_element(log_weights_.begin(), log_weights_.end());
  double total = 0.0;
  weights_.resize(log_weights_.size());
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    weights_[i] = std::exp(log_weights_[i] - largest);
    total += weights_[i];
  }
  for (double& weight : weights_) weight /= total;
  for (Index p = 0; p < problem_.shape.pairs(); ++p) {
    problem_.reward_mean[p] = 0.0;
    for (std::size_t i = 0; i < models_.size(); ++i)
      problem_.reward_mean[p] += weights_[i] * models_[i].reward_mean[p];
    problem_.sigma[p] = reward_sigma(p);
  }
  set_mean_transitions();
}

// The sub-Gaussian parameter of the reward of a pair under the weights.
double FiniteBelief::reward_sigma(Index pair) {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (std::size_t i = 0; i < models_.size(); ++i) {
    if (!(weights_[i] > 0.0)) continue;
    low = std::min(low, models_[i].reward_mean[pair]);
    high = std::max(high, models_[i].reward_mean[pair]);
  }
  double at_high = 0.0;
  for (std::size_t i = 0; i < models_.size(); ++i) {
    if (!(weights_[i] > 0.0)) continue;
    const double r = models_[i].reward_mean[pair];
    if (r == high)
      at_high += weights_[i];
    else if (r != low)
      return std::sqrt(bounded_variance_proxy(low, high));
  }
  return std::sqrt(two_point_variance_proxy(at_high, low, high));
}

// Rows of the models that are left, added; a successor that none of them has is left out.
void FiniteBelief::set_mean_transitions() {
  const Shape& shape = problem_.shape;
  Transitions& P = problem_.transitions;
  P = {};
  P.base_weight.assign(shape.pairs(), 0.0);
  P.base.assign(shape.states(), 0.0);
  row_.assign(shape.states(), 0.0);
  for (Index l = 0; l < shape.layers(); ++l) {
    const Range next = l + 1 < shape.layers() ? shape.states_of(l + 1) : Range(0, 0);
    for (Index p : shape.pairs_of_layer(l)) {
      for (std::size_t i = 0; i < models_.size(); ++i) {
        const Transitions& M = models_[i].transitions;
        for (Offset k = M.begin[p]; k < M.begin[p + 1]; ++k)
          row_[M.next_state[k]] += weights_[i] * M.probability[k];
        if (M.base_weight[p] > 0.0)
          for (Index s : next) row_[s] += weights_[i] * M.base_weight[p] * M.base[s];
      }
      for (Index s : next) {
        if (row_[s] > 0.0) {
          P.next_state.push_back(s);
          P.probability.push_back(row_[s]);
        }
        row_[s] = 0.0;
      }
      P.begin.push_back(static_cast<Offset>(P.next_state.size()));
    }
  }
}

const Problem& FiniteBelief::problem() { return problem_; }

double FiniteBelief::sample_optimal_policy(RandomStream& random, std::span<double> policy) {
  VAPOR_CHECK_EQ(static_cast<Index>(policy.size()), problem_.shape.pairs());
  const Optimum& drawn = optima_[random.categorical(weights_)];
  std::copy(drawn.policy.begin(), drawn.policy.end(), policy.begin());
  return drawn.value;
}

Optimality FiniteBelief::optimality(RandomStream&, int) {
  return enumerated_optimality(optima_, weights_);
}

void FiniteBelief::archive(Archive& archive) {
  archive(log_weights_);
  if (!archive.is_restoring()) return;
  if (log_weights_.size() != models_.size())
    throw InputError("checkpoint", "is of a belief of another number of models");
  set_weights();
}

}  // namespace vapor
