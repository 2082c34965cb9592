// What experiments are made with. A reproduction makes runs, which are resumed where they stand,
// and reads its rows from their records; what is not a run is computed again.
#pragma once

#include <atomic>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "vapor/run/sweep.h"

namespace vapor {

struct ReproductionOptions {
  std::string out;  // folder of the records
  int threads = 1;
  const std::atomic<bool>* interrupt = nullptr;  // true: save and throw Interrupted
  std::function<void(const SweepProgress&)> progress;

  bool interrupted() const { return interrupt != nullptr && *interrupt; }
};

// Thrown when the caller asked to stop; the same call goes on from what was saved.
struct Interrupted {};

// What an experiment found: the object that --json prints, with `experiment` and `rows`.
using Findings = nlohmann::ordered_json;

// Makes every run or task, or throws Interrupted.
void make_runs(const std::vector<SweepCell>& cells, const ReproductionOptions& options);
void make_tasks(const std::vector<SweepTask>& tasks, const ReproductionOptions& options);

}  // namespace vapor
