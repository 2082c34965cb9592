// The linear equations of one policy of a stationary problem, with P the transitions between states
// that it makes and gamma < 1:
//
//   masses   (I - gamma P') m = b      how often each state is visited, from b
//   values   (I - gamma P) V  = r      what each state is worth under rewards r
//
// I - gamma P is dominated by its diagonal, so Gaussian elimination without pivoting is stable:
// small systems are factorised, large ones are solved by stabilised biconjugate gradients (van der
// Vorst, 1992), and should those break down by sweeps, whose error falls by gamma each.
#pragma once

#include <span>
#include <vector>

#include "vapor/mdp/problem.h"

namespace vapor {

class PolicyEquations {
 public:
  // `gamma` multiplies the transitions of the problem as they stand; they may hold a discount
  // already, and then it is 1. The policy's probabilities are divided by their sums.
  PolicyEquations(const Problem& problem, std::span<const double> policy, double gamma);

  // To about `tolerance` of the sum of |b| or |r|, as far as doubles go.
  void masses(std::span<const double> b, std::span<double> m, double tolerance = 1e-14) const;
  void values(std::span<const double> r, std::span<double> V, double tolerance = 1e-14) const;

 private:
  enum class Side { kMasses, kValues };

  void add_row(const Problem& problem, std::span<const double> policy, Index state);
  void factor();
  void solve_factored(Side side, std::span<double> x) const;
  void product(Side side, std::span<const double> x, std::span<double> y) const;
  void solve(Side side, std::span<const double> b, std::span<double> x, double tolerance) const;
  bool iterate(Side side, std::span<const double> b, std::span<double> x, double target) const;
  void sweep(Side side, std::span<const double> b, std::span<double> x, double target) const;

  std::size_t states_;
  double gamma_;
  // gamma P, by rows, each next state once, and gamma times the weight of the base.
  std::vector<Offset> begin_{0};
  std::vector<Index> next_;
  std::vector<double> probability_, base_weight_, base_;
  bool has_base_ = false;
  std::vector<Offset> place_;  // by state: its last entry
  std::vector<double> LU_;     // of I - gamma P, by rows, if it is small
};

// Policy iteration (Howard, 1960) for rewards by pair: `V` is where it begins and receives the
// values, to about `tolerance` of the largest; `policy` is optimal up to that, an action a state,
// ties to the first.
void optimal_stationary_policy(const Problem& problem, std::span<const double> reward, double gamma,
                               std::span<double> V, std::span<double> policy,
                               double tolerance = 1e-13);

}  // namespace vapor
