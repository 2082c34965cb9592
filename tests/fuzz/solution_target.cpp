// Solution files as --warm-start reads them: a policy of a fixed problem, which the solver then
// checks and starts from.
#include <cmath>
#include <string>
#include <vector>

#include "scratch.h"
#include "targets.h"
#include "vapor/core/check.h"
#include "vapor/mdp/random_problem.h"
#include "vapor/solver/solution_file.h"
#include "vapor/solver/solve.h"

namespace vapor::fuzz {

void read_solution_bytes(std::string_view bytes) {
  static const Problem problem =
      random_problem({.layers = 2, .states = 2, .actions = 2, .successors = 2}, RandomStream(1));
  const std::string& folder = scratch_folder({{"in.json", std::string(bytes)}}, {"in.json"});
  const std::vector<double> policy = read_policy(folder + "/in.json", problem.shape);
  const Solution solution = solve(problem, {.max_iterations = 1}, policy);
  VAPOR_CHECK_EQ(std::isfinite(solution.upper_bound()), true);
  write_solution_file(folder + "/out.json", problem.shape, solution, Method::kNewton);
  VAPOR_CHECK_EQ(read_policy(folder + "/out.json", problem.shape) == solution.policy, true);
}

}  // namespace vapor::fuzz
