// Problem files: what is read is written and read again to the same bits, and the solver takes it.
#include <sstream>
#include <string>

#include "targets.h"
#include "vapor/core/check.h"
#include "vapor/mdp/problem_file.h"
#include "vapor/solver/solve.h"

namespace vapor::fuzz {
namespace {

std::string written(const Problem& problem) {
  std::ostringstream out;
  write_problem(out, problem);
  return out.str();
}

}  // namespace

void read_problem_bytes(std::string_view bytes) {
  std::istringstream in{std::string(bytes)};
  const Problem problem = read_problem(in);
  const std::string text = written(problem);
  std::istringstream again(text);
  VAPOR_CHECK_EQ(written(read_problem(again)), text);
  const Solution solution = solve(problem, {.max_iterations = 2});
  VAPOR_CHECK_GE(solution.gap, 0.0);
  VAPOR_CHECK_EQ(solution.value, solution.value);  // no NaN
}

}  // namespace vapor::fuzz
