// The peers of the benchmark: CVXPY with ECOS, Clarabel, SCS and Moreau, in a Python of their own
// (benchmarks/peers, scripts/setup-peers).
#pragma once

#include <string>
#include <vector>

namespace vapor::benchmark {

// One peer on one problem file.
struct PeerTime {
  std::string file;
  std::string way;     // "paper" or "best"
  std::string solver;  // "ecos", "clarabel", "scs" or "moreau"
  std::string status;
  double seconds = 0.0;         // end to end
  double solver_seconds = 0.0;  // by the solver's own clock
  double value = 0.0;
  int iterations = 0;
  bool failed = false;
};

struct PeerRequest {
  std::vector<std::string> files;
  std::string ways;     // comma-separated
  std::string solvers;  // comma-separated
  int repeat = 3;
  double cap_seconds = 60.0;  // of SCS
};

class Peers {
 public:
  // Finds the checkout that this program was built from and makes the Python environment if it is
  // missing. Throws InputError if there is no checkout around the program.
  Peers();

  // Runs the peers; their progress goes to standard error.
  std::vector<PeerTime> time(const PeerRequest& request) const;

  // Moreau on problems of one structure: "next", each warm from the one before (a mean), or
  // "batch", all at once (the whole).
  PeerTime time_series(const std::string& how, const std::vector<std::string>& files) const;

 private:
  std::string python(const char* script) const;  // the words that start it

  std::string root_;  // of the checkout
};

}  // namespace vapor::benchmark
