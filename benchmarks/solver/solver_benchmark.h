// `vapor bench solver`: named instances, ours and the peers in one run, as ratios.
#pragma once

#include <string>
#include <vector>

#include "terminal.h"

namespace vapor::benchmark {

struct SolverBenchmarkSettings {
  std::vector<int> depths = {20, 50, 100};
  std::vector<int> growth_depths = {50, 100, 200};
  std::string out;           // everything measured goes to this JSON file; empty: to none
  double scs_cap = 20.0;     // seconds that SCS may take
  int peer_repeat = 3;       // timed solves of each peer
  bool no_peers = false;     // ours alone
  bool large = false;        // a problem of a million pairs too
  bool few_samples = false;  // two episodes of a run are solved in the paper's way
  command::Output output;
};

// The exit code.
int run_solver_benchmark(const SolverBenchmarkSettings& settings);

}  // namespace vapor::benchmark
