// What a report reads: every record under the paths that a user names. Whatever cannot be read is
// listed with its reason, and the rest is read all the same.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "vapor/record/run_file.h"
#include "vapor/record/run_record.h"
#include "vapor/record/run_summary.h"

namespace vapor {

// A run, reduced to what pictures need, so that memory grows with the number of runs and not with
// that of their episodes.
struct RunDigest {
  std::string folder;
  RunFile run;
  RunSummary summary;
  // At the episodes of picture_episodes(definition.episodes) that it has reached:
  std::vector<double> regret_so_far;  // sum of the regrets up to there
  std::vector<double> value;          // expected return of the policy of that episode
  bool has_snapshots = false;
};

// At most so many episodes of 1..episodes, among them the first and the last; dense at first, evenly
// spaced on a log scale later.
std::vector<std::int64_t> picture_episodes(std::int64_t episodes, std::size_t most = 200);

// A solver's accuracy over time (docs/records.md, trace.csv).
struct TraceDigest {
  std::string folder;
  RunFile run;        // definition: problem, method, ...
  NumberTable trace;  // iteration, seconds, lower_bound, upper_bound
};

// What `vapor reproduce` found: findings.json beside the records of an experiment.
struct ExperimentFindings {
  std::string folder;
  nlohmann::ordered_json findings;  // with `experiment`, `rows`, `command`
};

struct LeftOut {
  std::string path;
  std::string reason;
};

struct Collection {
  std::vector<RunDigest> runs;  // in the order of their folders
  std::vector<TraceDigest> traces;
  std::vector<ExperimentFindings> findings;
  std::vector<LeftOut> left_out;

  bool empty() const { return runs.empty() && traces.empty() && findings.empty(); }
};

// A path is the folder of a record or holds such folders, however deep; a folder that is named
// twice counts once. Throws InputError for a path that does not exist.
Collection collect(std::span<const std::string> paths);

}  // namespace vapor
