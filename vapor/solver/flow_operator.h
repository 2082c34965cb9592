// The flow constraints as a linear operator. J maps values to advantages and its transpose maps
// occupancies to imbalances:
//
//   (J V)(s,a)       = sum_{s'} P(s' | s,a) V(s') - V(s)
//   (J' lambda)(s)   = inflow(s) - outflow(s), without the initial distribution
#pragma once

#include <span>

#include "vapor/mdp/problem.h"

namespace vapor {

void apply_flow(const Problem& problem, std::span<const double> V, std::span<double> advantage);

void apply_flow_transpose(const Problem& problem, std::span<const double> lambda,
                          std::span<double> imbalance);

}  // namespace vapor
