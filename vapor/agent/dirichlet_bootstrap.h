// What the two algorithms of Tiapkin et al. (2022) share: the outcomes of a pair, and sums of them
// under Dirichlet weights, the Bayesian bootstrap (Rubin, 1981). An outcome is a next state with
// the mean reward on the way there; beside those that were met there is one that was not, with
// weight n0: every step to go pays r0.
#pragma once

#include "vapor/agent/count_agent.h"

namespace vapor {

// `samples` draws of sum_i W_i target_i, W ~ Dirichlet(n0, counts); r0 x steps, all of them, for
// a pair that was never tried. Pairs that share counts share the draws of W.
std::vector<double> bootstrap_values(const CountModel& model, Index pair, const Ahead& ahead,
                                     double n0, double r0, int samples, const RandomStream& random);

}  // namespace vapor
