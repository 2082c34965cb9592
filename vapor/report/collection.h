// What a report reads: every record under the paths that a user names. Whatever cannot be read is
// listed with its reason, and the rest is read all the same.
#pragma once

#include <compare>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "vapor/record/run_file.h"
#include "vapor/record/run_summary.h"
#include "vapor/record/trace_record.h"
#include "vapor/report/return_curve.h"
#include "vapor/report/thinning.h"

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
  std::string timing_problem;         // why its times are left out, if they are
  bool has_snapshots = false;
  // Whether a sweep made it and says so in its manifest.
  bool of_a_sweep = false;
  ReturnCurve returns;
  bool known_values = true;  // whether the optimum is known, and with it regrets and values

  bool is_training() const { return !known_values; }
};

// A solver's accuracy over time (docs/records.md, trace.csv).
using TraceDigest = TraceRecord;

// What `vapor reproduce` found: findings.json beside the records of an experiment.
struct ExperimentFindings {
  std::string folder;
  nlohmann::ordered_json findings;  // with `experiment`, `rows`, `command`
};

struct LeftOut {
  std::string path;    // a folder
  std::string reason;  // one line; files in it are named without the path

  auto operator<=>(const LeftOut&) const = default;
};

struct Collection {
  std::vector<RunDigest> runs;  // and trainings, in the order of their folders
  std::vector<TraceDigest> traces;
  std::vector<ExperimentFindings> findings;
  std::vector<LeftOut> left_out;

  bool empty() const { return runs.empty() && traces.empty() && findings.empty(); }
};

// A path is the folder of a record or holds such folders, however deep; a folder that is named or
// linked to twice counts once, and stands there by its canonical path. The folders `snapshots` and
// `data` are not searched. Throws InputError for a path that does not exist or is not a folder.
// `progress`, if given, hears after every record how many were read so far.
Collection collect(std::span<const std::string> paths,
                   const std::function<void(std::size_t records)>& progress = {});

}  // namespace vapor
