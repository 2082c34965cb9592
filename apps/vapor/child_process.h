// This program as a child of itself.
#pragma once

#include <string>
#include <vector>

namespace vapor::command {

struct ChildOutcome {
  int exit_code = 0;  // 128 + signal if one ended it
  std::string out;    // its standard output
};

// Runs this program with other words; standard input is empty, standard error is shared.
ChildOutcome run_this_program(const std::vector<std::string>& words);

}  // namespace vapor::command
