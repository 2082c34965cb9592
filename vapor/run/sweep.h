// Many runs on a pool of threads. Each is as it would be alone: the number of threads changes when
// a run is made, never what it holds.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "vapor/run/loop.h"
#include "vapor/run/run_settings.h"

namespace vapor {

struct SweepCell {
  RunSettings settings;               // complete
  std::string folder;                 // of its own
  std::int64_t checkpoint_every = 0;  // episodes; 0: by time; it changes no byte of the record
  std::map<std::string, std::string> varied = {};  // what `vary` of a sweep file gave its names
};

// What the progress counts of a run: its episodes, or its frames if it is trained by them.
std::int64_t steps_of(const RunSettings& settings);
std::int64_t steps_of(const RunSettings& settings, const RunProgress& progress);

struct SweepProgress {
  std::size_t runs = 0;
  std::size_t runs_ended = 0;
  std::int64_t episodes = 0;         // of all runs, if none stops early; or frames, see `step`
  std::int64_t episodes_done = 0;    // with those of runs that stopped early counted in full
  std::int64_t episodes_played = 0;  // by this call
  const char* step = "episodes";     // frames, or what an experiment counts that makes no runs
};

struct SweepOptions {
  int threads = 1;
  const char* step = "episodes";                       // of the tasks
  std::function<void(const SweepProgress&)> progress;  // called by one thread at a time
  // Called by the threads that make the runs, with the number of the run.
  std::function<void(std::size_t, const RunProgress&)> watch;
  const std::atomic<bool>* interrupt = nullptr;  // true: save and return
  std::function<void(const std::string&)> say;   // what LoopOptions::say hears, of all runs
};

// A run of any kind: how many episodes it has at most, and what makes it or goes on with it. `make`
// calls `keep_going` with the episodes that stand, once when the record is opened and after each
// episode, saves and returns when the answer is false, and returns whether the run ended.
struct SweepTask {
  std::int64_t episodes = 0;
  std::function<bool(const std::function<bool(std::int64_t)>& keep_going)> make;
};

// Makes every task. The first exception of one interrupts the others, and is thrown.
void sweep_tasks(const std::vector<SweepTask>& tasks, const SweepOptions& options);

// Makes every run, or goes on with it. Writes nothing if a folder holds something else. The first
// exception of a run interrupts the others, which can be resumed, and is thrown. Returns how each
// ended.
std::vector<RunEnd> sweep(const std::vector<SweepCell>& cells, const SweepOptions& options);

}  // namespace vapor
