// Derivatives of the optimum: of its value, occupancy, policy, values and prices with respect to
// rewards, sigmas, transitions, initial distribution and bounds of constraints
// (docs/derivatives.md).
//
//   Derivatives derivatives = differentiate(problem, solution);
//   derivatives.status()                               // kSmooth: all of them exist
//   SolutionChange change = derivatives.forward({.reward_mean = ...});      // along one direction
//   ProblemChange gradient = derivatives.adjoint({.value = 1.0});           // of one function
//
// The optimum is followed to the last digits and its Newton system factorised once (optimum.h);
// each call is then one solve. Distributions are scaled to sum to 1, as everywhere, and the
// derivative is taken through that: d / d P(s' | p) of the value is lambda(p) (V(s') - (P V)(p)).
#pragma once

#include <memory>
#include <vector>

#include "vapor/mdp/problem.h"
#include "vapor/solver/optimum.h"
#include "vapor/solver/settings.h"
#include "vapor/solver/solution.h"

namespace vapor {

// A direction in the space of problems of one shape, or a gradient there. An empty table is 0.
struct ProblemChange {
  std::vector<double> reward_mean = {};  // by pair
  std::vector<double> sigma = {};        // by pair; from above where sigma = 0
  std::vector<double> probability = {};  // by transition, as those of the problem
  std::vector<double> base_weight = {};  // by pair
  std::vector<double> base = {};         // by state
  std::vector<double> initial = {};      // by state of the first layer
  std::vector<double> bound = {};        // by constraint
};

// The same of solutions.
struct SolutionChange {
  double value = 0.0;
  std::vector<double> occupancy = {};  // by pair
  std::vector<double> policy = {};     // by pair; 0 where the optimum never arrives
  std::vector<double> values = {};     // by state; 0 where the optimum never arrives
  std::vector<double> prices = {};     // by constraint; 0 where one forbids pairs
};

class Derivatives {
 public:
  // Throws InputError if the solution is not one of a problem of this shape.
  Derivatives(Problem problem, const Solution& solution, double max_bytes = Settings{}.max_bytes);
  ~Derivatives();
  Derivatives(Derivatives&&) noexcept;
  Derivatives& operator=(Derivatives&&) noexcept;

  Differentiability status() const;

  // How the solution changes along a direction, for each unit of it. With ties only `value` is
  // given, and the tables are empty. Throws InputError where a table has another size, where there
  // is no derivative at all, or where the direction sends mass to a state that no policy reaches:
  // with a sigma there the derivative is infinite.
  SolutionChange forward(const ProblemChange& direction) const;

  // The gradient of sum cotangents * solution. With ties only the cotangent of the value may be
  // other than 0. Where forward() would throw, the gradient is 0.
  ProblemChange adjoint(const SolutionChange& cotangents) const;

  // The optimum that the derivatives belong to: the solution's, to the last digits.
  double value() const;
  const std::vector<double>& occupancy() const;
  const std::vector<double>& policy() const;  // uniform where the optimum never arrives
  const std::vector<double>& values() const;  // 0 where no policy arrives
  const std::vector<double>& prices() const;

  const Problem& problem() const;

 private:
  struct Tables;
  std::unique_ptr<Tables> tables_;
};

Derivatives differentiate(const Problem& problem, const Solution& solution);

}  // namespace vapor
