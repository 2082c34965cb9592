// Draws sum_i W_i V_i for W ~ Dirichlet, without drawing more of W than the sum can show: all that
// backward induction in a sampled MDP needs of its transitions.
//
// A posterior is a symmetric prior plus counts, and splits exactly:
//
//   Dir(prior + counts) = (1 - B) Dir(counts) + B Dir(prior),   B ~ Beta(|prior|, |counts|),
//
// the three independent. If one successor was ever seen, Dir(counts) is a point.
//
// The symmetric part with shapes a = mass / n below 0.1 is drawn largest pieces first. An index I
// observed once from Dir(a, ..., a) is uniform, and W_I given I is Beta(1 + a, (n - 1) a), the
// others being Dir(a, ..., a) of n - 1 again on what is left (size-biased order; McCloskey, 1965).
// What is left falls like exp(-k / mass) after k pieces, so some 37 mass of them suffice for any n:
// the rest is below half a unit in the last place of 1.
#pragma once

#include <span>
#include <vector>

#include "vapor/core/index.h"
#include "vapor/core/random.h"

namespace vapor {

struct WeightedState {
  Index state = 0;
  double weight = 0.0;
};

class DirichletAverage {
 public:
  // W ~ Dirichlet(mass / n, ..., mass / n), n = V.size(), times `weight` > 0; exact to rounding
  // of a number of the size of V.
  double symmetric(double mass, std::span<const double> V, double weight, RandomStream& random);

  // W ~ Dirichlet(repeat * counts), over V[states[k]].
  double counted(double repeat, std::span<const double> counts, std::span<const Index> states,
                 std::span<const double> V, RandomStream& random);

  // The same two as rows, for one draw that serves several V: appended to `row`. The first numbers
  // its n components 0, ..., n - 1, and leaves out what is too small to be seen in a sum.
  void symmetric_row(double mass, Index n, double weight, RandomStream& random,
                     std::vector<WeightedState>& row);
  void counted_row(double repeat, std::span<const double> counts, std::span<const Index> states,
                   double weight, RandomStream& random, std::vector<WeightedState>& row);

 private:
  template <typename Take>
  void size_biased(double shape, Index n, double weight, RandomStream& random, const Take& take);

  std::vector<Index> indices_;    // 0, 1, ..., as many as were ever needed
  std::vector<Index> remaining_;  // those not drawn yet
};

}  // namespace vapor
