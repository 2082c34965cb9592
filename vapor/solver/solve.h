// The one verb: solve a problem, with a certificate.
//
//   Solution solution = solve(problem);                    // relative gap 1e-9
//   Solution next = solve(changed, {}, solution);          // warm start
//
//   Solver solver(settings);                               // many problems: keeps its memory
//   for (...) solution = solver.solve(problem, solution);
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

  // Warm from the solution of a similar problem: from its `start`, on the way to its optimum, or
  // from its policy if it has none; cold if it has neither.
  Solution solve(const Problem& problem, const Solution& last);

 private:
  struct Workspace;
  struct WarmStart;
  Solution solve_from(const Problem& problem, const WarmStart& warm_start);

  Settings settings_;
  std::unique_ptr<Workspace> workspace_;
};

Solution solve(const Problem& problem, const Settings& settings = {},
               std::span<const double> warm_start = {});
Solution solve(const Problem& problem, const Settings& settings, const Solution& last);

}  // namespace vapor
