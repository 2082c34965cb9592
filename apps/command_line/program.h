// What both programs, vapor and vapor-deep, do with a command line: help, completion, suggestions,
// errors of one line. Exit codes: 0 good, 1 a stated goal was not met, 2 bad input, 3 internal
// error.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "action.h"

namespace vapor::command {

struct Program {
  std::string about;
  std::string footer;
  void (*add_subcommands)(CLI::App& app, Action& action) = nullptr;
  // Runs before anything else; may hand over to another program and never return.
  void (*first)(const std::vector<std::string>& words, char** argv) = nullptr;
};

// Never throws.
int run_program(const Program& program, int argc, char** argv);

}  // namespace vapor::command
