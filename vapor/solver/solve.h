// The one verb: solve a problem, with a certificate.
//
//   Solution solution = solve(problem);                    // relative gap 1e-9
//   Solution next = solve(changed, {}, solution.policy);   // warm start
//
//   Solver solver(settings);                               // many problems: keeps its memory
//   for (...) solution = solver.solve(problem, solution.policy);
#pragma once

#include <memory>
#include <span>

#include "vapor/mdp/problem.h"
#include "vapor/solver/settings.h"
#include "vapor/solver/solution.h"

namespace vapor {

class Solver {
 public:
  explicit Solver(Settings settings = {});  // throws InputError on bad settings
  ~Solver();
  Solver(Solver&&) noexcept;
  Solver& operator=(Solver&&) noexcept;

  // `warm_start` is a policy by pair of `problem`, such as the solution of a similar problem has,
  // or empty. Throws InputError on a warm start that does not fit. If all sigmas are 0 (or the
  // regulariser is linear) the answer is backward induction's, ties going to the first action;
  // elsewhere ties are shared as the interior point shares them.
  Solution solve(const Problem& problem, std::span<const double> warm_start = {});

 private:
  struct Workspace;
  Settings settings_;
  std::unique_ptr<Workspace> workspace_;
};

Solution solve(const Problem& problem, const Settings& settings = {},
               std::span<const double> warm_start = {});

}  // namespace vapor
