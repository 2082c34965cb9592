// A policy near Newton's central path, by sweeps that cost a small part of an iteration.
//
// On the path (newton.h) lambda s = mu c. Let q = E r + f'(lambda) + P V of the next layer: a state
// of mass d whose slacks are s = V - q has its share of the path where
//
//   sum_a mu c / (V - q_a) = d,
//
// a scalar equation for V. A sweep goes backward through the layers, solves it by one step of
// Newton's method from below (the left side's reciprocal is concave, so no step goes too far),
// moves the policy towards mu c / (V - q_a), and pushes it forward. Moves of one size fall into
// 2-cycles; they shrink as those of a running mean do. A policy that is optimal stays where it is.
#pragma once

#include <cmath>
#include <span>

#include "vapor/solver/certificate.h"
#include "vapor/solver/flow_operator.h"
#include "vapor/solver/pair_kernels.h"
#include "vapor/solver/presolve.h"

namespace vapor {

// How many sweeps, and how far along the shrinking moves they begin: a policy that is to be kept
// for the most part begins late.
struct Sweeps {
  int count = 0;
  int first = 0;
};

// Memory of whoever asks, by pair and by state. `policy` is moved, `lambda` and `mass` are its
// measure; the rest is scratch.
struct SweepTables {
  std::span<double> policy, lambda, reward, q;
  std::span<double> mass, V;
  Shares& share;
};

// One sweep with the centre mu c and moves of `step` of the way.
void sweep_towards_centre(const Reduced& reduced, const FlowOperator& J, double mu, double step,
                          const SweepTables& tables);

// V = max_a q_a and q, by backward induction on tables.reward; returns sum lambda (V - q).
double greedy_complementarity(const Reduced& reduced, const FlowOperator& J,
                              const SweepTables& tables);

// E r + f' at the shares of the tables' lambda.
template <ScalarRegulariser R>
void set_marginal_rewards(const Reduced& reduced, const SweepTables& t) {
  constexpr double kSmallestShare = 1e-12;  // of what can reach a pair
  for (std::size_t p = 0; p < t.lambda.size(); ++p)
    t.lambda[p] = std::max(t.lambda[p], kSmallestShare * reduced.reach[p]);
  t.share.set(reduced, t.lambda);
  add_slopes<R>(t.lambda.size(), reduced.problem.reward_mean.data(), t.share.log_x.data(),
                R::parameters(reduced.problem), t.reward.data());
}

// Moves a policy whose measure is `lambda`.
template <ScalarRegulariser R>
void move_towards_centre(const Reduced& reduced, const FlowOperator& J, const Sweeps& sweeps,
                         const SweepTables& tables) {
  // Of the start's complementarity; 0.05 to 0.4 are within half an iteration of each other.
  constexpr double kCentre = 0.15;
  constexpr double kFirstStep = 0.7;
  double mu = 0.0;
  for (int i = 0; i < sweeps.count; ++i) {
    set_marginal_rewards<R>(reduced, tables);
    if (i == 0) mu = kCentre * greedy_complementarity(reduced, J, tables) / sum_of(reduced.reach);
    if (!(mu > 0.0 && std::isfinite(mu))) return;  // it is optimal, or beyond doubles
    sweep_towards_centre(reduced, J, mu, kFirstStep / (1.0 + 0.5 * (sweeps.first + i)), tables);
  }
}

}  // namespace vapor
