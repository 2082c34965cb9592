// Values to twice the digits, by one backward pass over the layers, and their policy.
#include <algorithm>
#include <cmath>

#include "vapor/mdp/policy.h"
#include "vapor/mdp/policy_equations.h"
#include "vapor/solver/belief_regulariser.h"
#include "vapor/solver/certified_bounds.h"
#include "vapor/solver/state_equation.h"

namespace vapor {
namespace {

bool exceeds(DoubleDouble a, DoubleDouble b) {
  return a.hi > b.hi || (a.hi == b.hi && a.lo > b.lo);
}

// Adds the rewards to P V, and says which pair has the most, the first of them.
Index best_pair(const Problem& problem, Range pairs, std::span<DoubleDouble> q) {
  Index best = pairs.first();
  for (Index p : pairs) {
    q[p] = q[p] + problem.reward_mean[p];
    if (exceeds(q[p], q[best])) best = p;
  }
  return best;
}

}  // namespace

// Each state's equation is solved for the difference to its best action, which a double can hold.
template <ScalarRegulariser R>
void CertifiedBounds::values_of_policy(std::span<DoubleDouble> V) {
  const Reduced& reduced = flow_.reduced();
  const Shape& shape = reduced.problem.shape;
  for (Index l = shape.layers() - 1; l >= 0; --l) {
    expect(l, V);
    for (Index s : shape.states_of(l)) {
      const Range pairs = shape.pairs_of(s);
      const DoubleDouble best = q_[best_pair(reduced.problem, pairs, q_)];
      for (Index p : pairs) offset_[p] = (q_[p] - best).hi;
      const double mass = flow_.mass()[s].hi;
      const double outside = mass > 0.5 ? flow_.mass_outside(l, pairs) : 1.0 - mass;
      V[s] = best + state_value<R>(reduced, pairs, offset_, {mass, outside});
    }
  }
}

template <ScalarRegulariser R>
void CertifiedBounds::policy_of_values(std::span<double> policy) const {
  const Reduced& reduced = flow_.reduced();
  for (std::size_t p = 0; p < policy.size(); ++p) {
    const auto sigma = R::parameters(reduced.problem)[p];
    policy[p] = reduced.copies[p] * (R::maximiser_settles(occupancy_[p], sigma)
                                         ? std::exp(R::log_maximiser(delta_[p], sigma))
                                         : occupancy_[p]);
  }
  policy_of_occupancy(reduced.problem.shape, policy, policy);
}

void CertifiedBounds::optimal_values(std::span<DoubleDouble> V, std::span<double> policy) {
  const Problem& problem = flow_.reduced().problem;
  const Shape& shape = problem.shape;
  if (problem.stationary()) return optimal_stationary_values(V, policy);
  std::fill(policy.begin(), policy.end(), 0.0);
  for (Index l = shape.layers() - 1; l >= 0; --l) {
    expect(l, V);
    for (Index s : shape.states_of(l)) {
      const Index best = best_pair(problem, shape.pairs_of(s), q_);
      V[s] = q_[best];
      policy[best] = 1.0;
    }
  }
}

// The values of the optimal policy solve a linear system, once more for what is left of it.
void CertifiedBounds::optimal_stationary_values(std::span<DoubleDouble> V,
                                                std::span<double> policy) {
  constexpr int kRounds = 4;
  const Problem& problem = flow_.reduced().problem;
  std::vector<double> wanting(V.size(), 0.0), correction(V.size());
  optimal_stationary_policy(problem, problem.reward_mean, 1.0, wanting, policy);
  const PolicyEquations equations(problem, policy, 1.0);
  for (std::size_t s = 0; s < V.size(); ++s) V[s] = {wanting[s], 0.0};
  for (int round = 0; round < kRounds; ++round) {
    expect(0, V);
    for (Index s = 0; s < problem.shape.states(); ++s)
      for (Index p : problem.shape.pairs_of(s))
        if (policy[p] > 0.0) wanting[s] = ((q_[p] - V[s]) + problem.reward_mean[p]).hi;
    equations.values(wanting, correction, 1e-10);
    for (std::size_t s = 0; s < V.size(); ++s) V[s] = V[s] + correction[s];
  }
}

template void CertifiedBounds::policy_of_values<Vapor>(std::span<double>) const;
template void CertifiedBounds::policy_of_values<AnyBelief>(std::span<double>) const;
template void CertifiedBounds::policy_of_values<WeightedEntropy>(std::span<double>) const;
template void CertifiedBounds::values_of_policy<Vapor>(std::span<DoubleDouble>);
template void CertifiedBounds::values_of_policy<AnyBelief>(std::span<DoubleDouble>);
template void CertifiedBounds::values_of_policy<WeightedEntropy>(std::span<DoubleDouble>);

}  // namespace vapor
