// What `vapor run` and `vapor train` share: the words of both, the runs of their seeds, the answer.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

#include "terminal.h"
#include "vapor/run/run_settings.h"

namespace vapor::command {

struct RunWords {
  RunRequest request;
  bool stop_when_solved = false;
  std::int64_t seed = 1;
  int seeds = 1;
  std::string out;  // empty: out/runs/ENV/AGENT[+BELIEF], out/train/ENV/AGENT
  int threads = 0;
  Output output;
};

// Those options that both commands have.
void add_run_words(CLI::App& command, RunWords& words, const std::string& stop_help);

// Makes the runs, or goes on with them, and says what came of them. The result is an exit code.
int make_runs(const RunWords& words);

}  // namespace vapor::command
