#include "vapor/belief/tabular_belief.h"

#include <fmt/format.h>

#include <limits>
#include <utility>

#include "vapor/belief/optimality.h"
#include "vapor/core/check.h"
#include "vapor/core/error.h"
#include "vapor/mdp/backward_induction.h"

namespace vapor {
namespace {

void check_positive(const char* field, double value) {
  if (!(value > 0.0 && value <= 1e100))
    throw InputError(field, fmt::format("must be > 0 and at most 1e100, got {}", value));
}

Places checked(Places places, const TabularPrior& prior) {
  check_positive("repeat", prior.repeat);
  validate(prior.reward, prior.shape.pairs());
  validate(places, prior.shape);
  return places;
}

// A table by pair as one by pool: pairs of a pool are one, so its first stands for all.
void keep_first_of_pools(std::vector<double>& table, const Pools& pools, const Shape& shape) {
  if (table.size() == 1 && shape.pairs() != 1) return;
  std::vector<double> by_pool;
  for (Index pool = 0; pool < pools.size(); ++pool) by_pool.push_back(table[pools.pairs(pool)[0]]);
  table = std::move(by_pool);
}

RewardPrior by_pool(RewardPrior prior, const Pools& pools, const Shape& shape) {
  if (!pools.pooled()) return prior;
  if (auto* gaussian = std::get_if<GaussianRewards>(&prior)) {
    keep_first_of_pools(gaussian->mean, pools, shape);
    keep_first_of_pools(gaussian->variance, pools, shape);
  } else if (auto* beta = std::get_if<BetaRewards>(&prior)) {
    keep_first_of_pools(beta->a, pools, shape);
    keep_first_of_pools(beta->b, pools, shape);
  }
  return prior;
}

}  // namespace

TabularBelief::TabularBelief(TabularPrior prior, SigmaTransform transform)
    : places_(checked(std::move(prior.places), prior)),
      pools_(places_, prior.shape, places_.stationary),
      rewards_(by_pool(std::move(prior.reward), pools_, prior.shape), pools_.size(), prior.repeat),
      dynamics_(std::move(prior.dynamics)),
      certain_next_(std::move(prior.certain_next)),
      repeat_(prior.repeat),
      transform_(std::move(transform)) {
  problem_.shape = std::move(prior.shape);
  problem_.initial = std::move(prior.initial);
  const Shape& shape = problem_.shape;
  if (!dynamics_are_known())
    check_positive("dynamics.mass", std::get<DirichletDynamics>(dynamics_).mass);
  check_certain_next();
  add_ends();
  is_changed_.assign(pools_.size(), 0);
  problem_.reward_mean.assign(shape.pairs(), 0.0);
  problem_.sigma.assign(shape.pairs(), 0.0);
  set_prior_dynamics();
  mark_all_changed();
  problem();
}

// An end is a certain successor of an end, and pays 0.
void TabularBelief::add_ends() {
  const Shape& shape = problem_.shape;
  const std::vector<Index> next = next_ends(places_, shape);
  if (next.empty()) return;
  is_end_.assign(shape.pairs(), 0);
  if (certain_next_.empty() && !dynamics_are_known()) certain_next_.assign(shape.pairs(), -1);
  for (Index s = 0; s < shape.states(); ++s)
    for (Index p : shape.pairs_of(s)) {
      if (!places_.ends(s)) continue;
      is_end_[p] = 1;
      if (!dynamics_are_known() && next[s] >= 0) certain_next_[p] = next[s];
    }
}

void TabularBelief::check_certain_next() const {
  if (certain_next_.empty()) return;
  if (dynamics_are_known())
    throw InputError("certain_next", "does not apply: the dynamics are known");
  const auto pairs = static_cast<std::size_t>(problem_.shape.pairs());
  if (certain_next_.size() != pairs)
    throw InputError("certain_next", fmt::format("must have an entry for each of {} pairs, has {}",
                                                 pairs, certain_next_.size()));
  for (Index p = 0; p < problem_.shape.pairs(); ++p) {
    const Range next = states_after(p);
    if (certain_next_[p] != -1 &&
        (certain_next_[p] < next.first() || certain_next_[p] >= next.last()))
      throw InputError(
          fmt::format("certain_next[{}]", p),
          fmt::format("must be -1 or a state of the next layer, got {}", certain_next_[p]));
  }
}

// What may follow a pair: -1 alone in the last layer.
Range TabularBelief::states_after(Index pair) const {
  const Index next_layer = pools_.layer_of(pair) + 1;
  const Shape& shape = problem_.shape;
  return next_layer < shape.layers() ? shape.states_of(next_layer) : Range(-1, 0);
}

bool TabularBelief::next_is_known(Index pair) const {
  return dynamics_are_known() || (!certain_next_.empty() && certain_next_[pair] >= 0);
}

void TabularBelief::set_prior_dynamics() {
  const Shape& shape = problem_.shape;
  Transitions& P = problem_.transitions;
  if (dynamics_are_known()) {
    P = std::get<Transitions>(dynamics_);
    validate_and_normalise(problem_);
    return;
  }
  P.begin.assign(shape.pairs() + 1, 0);
  P.base.assign(shape.states(), 0.0);
  P.base_weight.assign(shape.pairs(), 0.0);
  for (Index l = 1; l < shape.layers(); ++l) {
    for (Index s : shape.states_of(l)) P.base[s] = 1.0 / shape.states_of(l).size();
    for (Index p : shape.pairs_of_layer(l - 1)) P.base_weight[p] = 1.0;
  }
  for (Index p = 0; p < shape.pairs(); ++p)
    if (next_is_known(p)) successors_.add(P, p, certain_next_[p]);
  Problem checked = problem_;
  validate_and_normalise(checked);
  problem_.initial = checked.initial;
}

void TabularBelief::check(const Step& step) const {
  const Shape& shape = problem_.shape;
  if (step.pair < 0 || step.pair >= shape.pairs())
    throw InputError("pair", fmt::format("must be in 0..{}, got {}", shape.pairs() - 1, step.pair));
  check_observable(rewards_.prior(), step.reward);
  if (is_end(step.pair) && step.reward != 0.0)
    throw InputError("reward",
                     fmt::format("must be 0 where the episode is over, got {}", step.reward));
  const Range next = states_after(step.pair);
  if (step.next_state < next.first() || step.next_state >= next.last())
    throw InputError("next_state", fmt::format("must be in {}..{}, got {}", next.first(),
                                               next.last() - 1, step.next_state));
  if (!certain_next_.empty() && next_is_known(step.pair) &&
      step.next_state != certain_next_[step.pair])
    throw InputError("next_state", fmt::format("must be {}, which surely follows, got {}",
                                               certain_next_[step.pair], step.next_state));
}

void TabularBelief::update(const Episode& episode) {
  for (const Step& step : episode) check(step);
  double sum = 0.0;
  for (const Step& step : episode) sum += step.reward;
  rewards_.add_return(sum);
  for (const Step& step : episode) {
    const Index pool = pools_.of(step.pair);
    rewards_.add(pool, step.reward);
    if (step.next_state >= 0)
      for (Index p : pools_.pairs(pool)) {
        const Index next = pools_.state_after(p, pools_.place_of(step.next_state));
        if (next >= 0 && !next_is_known(p)) successors_.add(problem_.transitions, p, next);
      }
    if (is_changed_[pool]) continue;
    is_changed_[pool] = 1;
    changed_.push_back(pool);
  }
  // Looking up a waiting successor takes as long as there are: merge in time.
  constexpr std::size_t kMostChanged = 1024;
  if (changed_.size() > kMostChanged) problem();
}

const Problem& TabularBelief::problem() {
  if (changed_.empty()) return problem_;
  successors_.merge(problem_.transitions);
  const bool all_rewards = rewards_.share();
  for (Index pool : changed_) {
    if (!all_rewards) refresh_rewards(pool);
    for (Index p : pools_.pairs(pool)) refresh_dynamics(p);
    is_changed_[pool] = 0;
  }
  changed_.clear();
  if (all_rewards)
    for (Index pool = 0; pool < pools_.size(); ++pool) refresh_rewards(pool);
  if (transform_.uses_values) refresh_value_sigmas();
  return problem_;
}

double TabularBelief::unit() {
  problem();
  return rewards_.unit();
}

void TabularBelief::mark_all_changed() {
  changed_.clear();
  for (Index pool = 0; pool < pools_.size(); ++pool) changed_.push_back(pool);
  is_changed_.assign(pools_.size(), 1);
}

// Fewer than the visits of the pool: those of the last layer show no successor.
double TabularBelief::transitions_seen(Index pair) const {
  const Transitions& P = problem_.transitions;
  double seen = 0.0;
  for (Offset k = P.begin[pair]; k < P.begin[pair + 1]; ++k) seen += successors_.counts()[k];
  return seen;
}

double TabularBelief::dirichlet_mass(Index pair) const {
  if (next_is_known(pair)) return std::numeric_limits<double>::infinity();
  const double seen = is_last(pair) ? rewards_.visits()[pools_.of(pair)] : transitions_seen(pair);
  return std::get<DirichletDynamics>(dynamics_).mass + repeat_ * seen;
}

RewardPosterior TabularBelief::reward_of(Index pool) const {
  return is_end(pools_.pairs(pool)[0]) ? RewardPosterior{} : rewards_.posterior(pool);
}

PairUncertainty TabularBelief::uncertainty(Index p, double reward_variance) const {
  return {.reward_variance = reward_variance,
          .dirichlet_mass = dirichlet_mass(p),
          .steps_left = problem_.shape.layers() - 1 - pools_.layer_of(p)};
}

void TabularBelief::refresh_rewards(Index pool) {
  const RewardPosterior reward = reward_of(pool);
  for (Index p : pools_.pairs(pool)) {
    problem_.reward_mean[p] = reward.mean;
    if (!transform_.uses_values)
      problem_.sigma[p] = transform_.sigma(uncertainty(p, reward.variance));
  }
}

void TabularBelief::refresh_dynamics(Index p) {
  if (dynamics_are_known() || is_last(p)) return;
  Transitions& P = problem_.transitions;
  if (next_is_known(p)) {
    P.base_weight[p] = 0.0;
    P.probability[P.begin[p]] = 1.0;
    return;
  }
  const double mass = dirichlet_mass(p);
  P.base_weight[p] = std::get<DirichletDynamics>(dynamics_).mass / mass;
  for (Offset k = P.begin[p]; k < P.begin[p + 1]; ++k)
    P.probability[k] = repeat_ * successors_.counts()[k] / mass;
}

// Var(P' V) = sum p (V - E P V)^2 / (sum alpha + 1), summed about the means of base and row, so
// that a large common value cannot cancel the digits.
void TabularBelief::refresh_value_sigmas() {
  const Shape& shape = problem_.shape;
  const Transitions& P = problem_.transitions;
  const std::vector<double> V = backward_induction(problem_, problem_.reward_mean).V;
  for (Index l = 0; l < shape.layers(); ++l) {
    const bool last = l + 1 == shape.layers();
    const double base_mean = last ? 0.0 : base_value(shape, P, l + 1, V);
    double base_variance = 0.0;
    if (!last)
      for (Index s : shape.states_of(l + 1))
        base_variance += P.base[s] * (V[s] - base_mean) * (V[s] - base_mean);
    for (Index p : shape.pairs_of_layer(l)) {
      const double mean = P.expectation(p, V, base_mean);
      double spread = P.base_weight[p] * (base_variance + (base_mean - mean) * (base_mean - mean));
      for (Offset k = P.begin[p]; k < P.begin[p + 1]; ++k) {
        const double distance = V[P.next_state[k]] - mean;
        spread += P.probability[k] * distance * distance;
      }
      PairUncertainty u = uncertainty(p, reward_of(pools_.of(p)).variance);
      u.value_variance = last ? 0.0 : spread / (u.dirichlet_mass + 1.0);
      problem_.sigma[p] = transform_.sigma(u);
    }
  }
}

// sum_s' P'(s') V(s') of a row P' drawn from the belief.
double TabularBelief::sample_next_value(Index layer, Index p, std::span<const double> V,
                                        double base, RandomStream& random) {
  const Transitions& P = problem_.transitions;
  if (next_is_known(p)) return P.expectation(p, V, base);
  const Range next = problem_.shape.states_of(layer + 1);
  const auto next_V = V.subspan(next.first(), next.size());
  const double mass = std::get<DirichletDynamics>(dynamics_).mass;
  const Offset first = P.begin[p];
  const Offset size = P.begin[p + 1] - first;
  if (size == 0) return average_.symmetric(mass, next_V, 1.0, random);
  const double from_prior = random.beta(mass, repeat_ * transitions_seen(p));
  const double counted = average_.counted(repeat_, successors_.counts().subspan(first, size),
                                          std::span(P.next_state).subspan(first, size), V, random);
  const double rest = average_.symmetric(mass, next_V, from_prior, random);
  return (1.0 - from_prior) * counted + rest;
}

// One reward and one row for each pool.
void TabularBelief::sample_pools(RandomStream& random) {
  sampled_reward_.resize(pools_.size());
  sampled_begin_.assign(1, 0);
  sampled_rows_.clear();
  for (Index pool = 0; pool < pools_.size(); ++pool) {
    const Index first = pools_.pairs(pool)[0];
    sampled_reward_[pool] = is_end(first) ? 0.0 : rewards_.sample(pool, random);
    if (!is_last(first) && !next_is_known(first)) sample_row(pool, random);
    sampled_begin_.push_back(sampled_rows_.size());
  }
}

void TabularBelief::sample_row(Index pool, RandomStream& random) {
  const Transitions& P = problem_.transitions;
  const Index p = pools_.pairs(pool)[0];
  const double mass = std::get<DirichletDynamics>(dynamics_).mass;
  const auto first = static_cast<std::size_t>(P.begin[p]);
  const auto size = static_cast<std::size_t>(P.begin[p + 1]) - first;
  const double from_prior = size == 0 ? 1.0 : random.beta(mass, repeat_ * transitions_seen(p));
  const Range next = states_after(p);
  const std::size_t begin = sampled_rows_.size();
  average_.symmetric_row(mass, next.size(), from_prior, random, sampled_rows_);
  for (std::size_t k = begin; k < sampled_rows_.size(); ++k) sampled_rows_[k].state += next.first();
  if (size > 0)
    average_.counted_row(repeat_, successors_.counts().subspan(first, size),
                         std::span(P.next_state).subspan(first, size), 1.0 - from_prior, random,
                         sampled_rows_);
}

// sum_s' P'(s') V(s') of the pool's row, over the places that stand in the next layer.
double TabularBelief::pooled_next_value(Index pair, std::span<const double> V) const {
  const Index pool = pools_.of(pair);
  double sum = 0.0, total = 0.0;
  for (std::size_t k = sampled_begin_[pool]; k < sampled_begin_[pool + 1]; ++k) {
    const Index next = pools_.state_after(pair, pools_.place_of(sampled_rows_[k].state));
    if (next < 0) continue;
    sum += sampled_rows_[k].weight * V[next];
    total += sampled_rows_[k].weight;
  }
  return total > 0.0 ? sum / total : 0.0;
}

// Q of a pair in the sampled MDP, given sampled_V_ of the next layer.
double TabularBelief::sample_pair(Index layer, Index p, double base, RandomStream& random) {
  const bool last = layer + 1 == problem_.shape.layers();
  if (!pools_.pooled()) {
    const double reward = is_end(p) ? 0.0 : rewards_.sample(p, random);
    return last ? reward : reward + sample_next_value(layer, p, sampled_V_, base, random);
  }
  const double reward = sampled_reward_[pools_.of(p)];
  if (last) return reward;
  return reward + (next_is_known(p) ? problem_.transitions.expectation(p, sampled_V_, base)
                                    : pooled_next_value(p, sampled_V_));
}

double TabularBelief::sample_optimal_policy(RandomStream& random, std::span<double> policy) {
  problem();
  const Shape& shape = problem_.shape;
  VAPOR_CHECK_EQ(static_cast<Index>(policy.size()), shape.pairs());
  if (pools_.pooled()) sample_pools(random);
  sampled_V_.assign(shape.states(), 0.0);
  for (Index l = shape.layers() - 1; l >= 0; --l) {
    const bool last = l + 1 == shape.layers();
    const double base = last ? 0.0 : base_value(shape, problem_.transitions, l + 1, sampled_V_);
    for (Index s : shape.states_of(l)) {
      double best_value = -std::numeric_limits<double>::infinity();
      Index best = shape.pairs_of(s).first();
      for (Index p : shape.pairs_of(s)) {
        policy[p] = 0.0;
        const double Q = sample_pair(l, p, base, random);
        if (Q > best_value) {
          best_value = Q;
          best = p;
        }
      }
      policy[best] = 1.0;
      sampled_V_[s] = best_value;
    }
  }
  double value = 0.0;
  for (std::size_t s = 0; s < problem_.initial.size(); ++s)
    value += problem_.initial[s] * sampled_V_[s];
  return value;
}

Optimality TabularBelief::optimality(RandomStream& random, int samples) {
  const Problem& now = problem();
  if (!dynamics_are_known()) return gaussian_optimality(now, random, samples);
  return sampled_optimality(now, samples, [&](std::span<double> policy) {
    return sample_optimal_policy(random, policy);
  });
}

void TabularBelief::archive(Archive& archive) {
  problem();
  rewards_.archive(archive);
  if (!dynamics_are_known()) successors_.archive(archive, problem_.transitions);
  if (!archive.is_restoring()) return;
  if (!tables_fit()) throw InputError("checkpoint", "is of a belief of another shape");
  mark_all_changed();
  problem();
}

// Whether what was restored can be counts of this shape.
bool TabularBelief::tables_fit() const {
  const Shape& shape = problem_.shape;
  const Transitions& P = problem_.transitions;
  const auto pairs = static_cast<std::size_t>(shape.pairs());
  if (!rewards_.fits(pools_.size())) return false;
  if (dynamics_are_known()) return true;
  if (P.begin.size() != pairs + 1 || P.begin.front() != 0 ||
      P.begin.back() != static_cast<Offset>(P.next_state.size()) ||
      successors_.counts().size() != P.next_state.size())
    return false;
  for (Index p = 0; p < shape.pairs(); ++p) {
    if (P.begin[p] > P.begin[p + 1] || P.begin[p + 1] > P.begin.back()) return false;
    const Index next_layer = pools_.layer_of(p) + 1;
    const Range next = next_layer < shape.layers() ? shape.states_of(next_layer) : Range(0, 0);
    for (Offset k = P.begin[p]; k < P.begin[p + 1]; ++k)
      if (P.next_state[k] < next.first() || P.next_state[k] >= next.last()) return false;
  }
  return true;
}

}  // namespace vapor
