// Tabular VAPOR-lite(c), section 7 and appendix H: VAPOR's occupancy entropy loosened to the
// entropy of the policy, temperatures set to c sigma. In policies it has no outer optimisation: one
// backward pass, with an exact maximiser at each state.
#pragma once

#include <span>
#include <vector>

#include "vapor/mdp/problem.h"

namespace vapor {

// max over distributions pi of sum_a pi_a (q_a + sigma_a - sigma_a log pi_a). With nu the root of
// sum_a exp((q_a - nu) / sigma_a) = 1: pi_a = exp((q_a - nu) / sigma_a), and the maximum is
// nu + sum_a pi_a sigma_a. An action with sigma_a = 0 has weight only if q_a = nu; of several such
// the first takes it. Writes pi and returns the maximum.
double vapor_lite_maximiser(std::span<const double> q, std::span<const double> sigma,
                            std::span<double> pi);

struct VaporLiteSolution {
  double value = 0.0;             // sum_s rho(s) V(s): the optimum of U(lambda, c)
  std::vector<double> V;          // by state
  std::vector<double> policy;     // by pair
  std::vector<double> occupancy;  // by pair
};

VaporLiteSolution solve_vapor_lite(const Problem& problem, double c = 1.0);

// The schedule of appendix H for episode t = 1, 2, ...: c_t = sqrt(2) (1 + log(S L t)), S the
// number of states of all layers.
double vapor_lite_scale(const Shape& shape, double episode);

}  // namespace vapor
