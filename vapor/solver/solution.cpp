#include "vapor/solver/solution.h"

namespace vapor {

std::string_view name_of(Status status) {
  switch (status) {
    case Status::kSolved:
      return "solved";
    case Status::kStalled:
      return "stalled";
    case Status::kMaxIterations:
      return "max_iterations";
    case Status::kTimeLimit:
      return "time_limit";
    case Status::kInterrupted:
      return "interrupted";
    case Status::kInfeasible:
      return "infeasible";
  }
  return "unknown";
}

Solution from_units(Solution solution, double unit) {
  solution.value *= unit;
  solution.gap *= unit;
  solution.dual_residual *= unit;
  for (double& temperature : solution.temperature) temperature *= unit;
  for (double& value : solution.values) value *= unit;
  for (ConstraintUse& constraint : solution.constraints) constraint.price *= unit;
  return solution;
}

}  // namespace vapor
