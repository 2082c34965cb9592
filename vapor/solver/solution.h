// What a solve returns: both bounds, always, and the tables behind them.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vapor/mdp/constraint.h"
#include "vapor/solver/settings.h"

namespace vapor {

enum class Status {
  kSolved,         // the relative gap is within the tolerance
  kStalled,        // rounding allows no further progress or certificate; the bounds are valid
  kMaxIterations,  // stopped by the limit on iterations; the bounds are valid
  kTimeLimit,      // stopped by the limit on seconds; the bounds are valid
  kInterrupted,    // stopped by the caller's progress function; the bounds are valid
  kInfeasible,     // no occupancy measure meets the constraints, which is proved
};

std::string_view name_of(Status status);

// How a constraint stands in a solution.
struct ConstraintUse {
  std::string name;
  Sense sense = Sense::kAtMost;
  double bound = 0.0;
  double used = 0.0;  // the left side, of the reported occupancy

  // What the optimal value gains for each unit that the bound is raised by: >= 0 for <=, <= 0 for
  // >=. NaN where the constraint forbids pairs, which are then taken out before the solve
  // (forbidden_pairs.h). Of an infeasible problem: the multiplier of the proof.
  double price = 0.0;
};

struct Solution {
  Status status = Status::kStalled;
  RegulariserKind regulariser = RegulariserKind::kVapor;  // of the program that was solved

  // The certificate, its own rounding included (docs/solver.md): the measure of the reported policy
  // attains at least `value`, and no occupancy measure exceeds upper_bound() = value + gap.
  double value = 0.0;
  double gap = 0.0;

  // Of a stationary problem: its discount. Its value is that of the normalised measure, a mean over
  // time; the discounted sum of rewards and bonuses is so much more.
  std::optional<double> discount = {};
  double discounted_return() const { return discount ? value / (1.0 - *discount) : value; }

  double flow_residual = 0.0;  // max |inflow - outflow| of the occupancy
  double dual_residual = 0.0;  // max lambda |delta + f'(lambda)|: stationarity where 0 < lambda < 1

  // With constraints: the largest violation by the measure of the reported policy, over the larger
  // of |bound| and the largest coefficient. 0 means that all are met exactly; what is left
  // otherwise is in the bounds too (docs/solver.md).
  double constraint_residual = 0.0;
  std::vector<ConstraintUse> constraints;  // as those of the problem

  // If the status is kInfeasible, below 0: with `values` and the prices a proof, since it would be
  // at least 0 if a measure met the constraints. Value and gap are -infinity and 0 then.
  double infeasibility = 0.0;

  double upper_bound() const { return value + gap; }
  double relative_gap() const { return gap == 0.0 ? 0.0 : gap / std::max(1.0, std::abs(value)); }

  int iterations = 0;
  int linear_iterations = 0;  // conjugate-gradient steps over all iterations
  double seconds = 0.0;       // inside solve()

  std::vector<double> occupancy;    // lambda of the policy, by pair, to the nearest double
  std::vector<double> policy;       // by pair; uniform where nothing arrives
  std::vector<double> temperature;  // tau, by pair; NaN where sigma = 0, infinite where lambda = 1
  std::vector<double> values;       // V, by state; NaN where no policy arrives

  // A policy on the way to the optimum, by pair: where Newton best begins on a similar problem,
  // since the policy of the optimum itself has given up too much. Empty if the method has no way.
  std::vector<double> start;
};

// A solution of in_units(problem, unit) as one of the problem itself.
Solution from_units(Solution solution, double unit);

}  // namespace vapor
