// What the program does with a command line: help, completion, suggestions, errors of one line.
// Exit codes: 0 good, 1 a stated goal was not met, 2 bad input, 3 internal error.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "action.h"

namespace vapor::command {

struct Program {
  std::string about;
  std::string footer;
  // `words` are those of the command line: what they cannot mean need not be added.
  void (*add_subcommands)(CLI::App& app, Action& action,
                          const std::vector<std::string>& words) = nullptr;
};

// Never throws.
int run_program(const Program& program, int argc, char** argv);

}  // namespace vapor::command
