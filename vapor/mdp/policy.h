// Policies and occupancy measures: both are tables by pair, and each determines the other
// (section 2 of the paper).
#pragma once

#include <span>
#include <vector>

#include "vapor/mdp/problem.h"

namespace vapor {

std::vector<double> uniform_policy(const Shape& shape);

// pi(s,a) = lambda(s,a) / sum_a' lambda(s,a'); uniform where the sum is 0.
void policy_of_occupancy(const Shape& shape, std::span<const double> occupancy,
                         std::span<double> policy);

// The occupancy measure of a policy, pushed forward through the transitions from `initial`.
// `mass`, by state, receives the probability of being in each state.
void forward_flow(const Problem& problem, std::span<const double> policy,
                  std::span<double> occupancy, std::span<double> mass);

// The same as a table of its own.
std::vector<double> occupancy_of(const Problem& problem, std::span<const double> policy);

// inflow(s) - outflow(s) of any table `occupancy`, by state; 0 on the polytope Lambda(P).
void flow_residual(const Problem& problem, std::span<const double> occupancy,
                   std::span<double> residual);

// max_s |inflow(s) - outflow(s)|.
double max_flow_residual(const Problem& problem, std::span<const double> occupancy);

}  // namespace vapor
