// The flow constraints as a linear operator. J maps values to advantages and its transpose maps
// occupancies to imbalances:
//
//   (J V)(s,a)       = sum_{s'} P(s' | s,a) V(s') - V(s)
//   (J' lambda)(s)   = inflow(s) - outflow(s), without the initial distribution
//
// The P of a reduced stationary problem holds its discount (presolve.h).
#pragma once

#include <span>
#include <vector>

#include "vapor/mdp/problem.h"

namespace vapor {

class FlowOperator {
 public:
  FlowOperator() = default;
  explicit FlowOperator(const Problem& problem) { reset(problem); }

  void reset(const Problem& problem);  // keeps its memory

  void apply(std::span<const double> V, std::span<double> advantage) const;
  void apply_transpose(std::span<const double> lambda, std::span<double> imbalance) const;

  // q = reward + P V for the pairs of one layer.
  void expect_next(Index layer, std::span<const double> reward, std::span<const double> V,
                   std::span<double> q) const;

  // The occupancy measure of a policy; `mass`, by state, receives the inflow. In a stationary
  // problem that is a linear system, which allocates.
  void push_forward(std::span<const double> policy, std::span<double> occupancy,
                    std::span<double> mass) const;

 private:
  void add_inflow(Index layer, std::span<const double> lambda, std::span<double> mass) const;

  const Problem* problem_ = nullptr;
  // One loop over all transitions of a layer, instead of one over the few of each pair, spares the
  // processor a branch a pair that it cannot predict.
  std::vector<Index> pair_of_;   // by transition
  std::vector<Index> state_of_;  // by pair
};

}  // namespace vapor
