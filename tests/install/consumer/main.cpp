// A problem of one state and two actions, written, read back and valued with the installed library.
#include <iostream>
#include <sstream>

#include "vapor/core/version.h"
#include "vapor/mdp/backward_induction.h"
#include "vapor/mdp/problem_builder.h"
#include "vapor/mdp/problem_file.h"

int main() {
  const vapor::Problem problem =
      vapor::ProblemBuilder({1.0})
          .layer()
          .state({{.reward_mean = 1.0, .sigma = 0.5}, {.reward_mean = 2.0, .sigma = 0.25}})
          .build();
  std::stringstream file;
  vapor::write_problem(file, problem);
  const vapor::Problem again = vapor::read_problem(file);
  const double value = vapor::backward_induction(again, again.reward_mean).V[0];
  std::cout << "vapor " << vapor::kVersion << ": " << value << "\n";
  return value == 2.0 ? 0 : 1;
}
