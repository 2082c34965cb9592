// A sweep by processes of this machine: each cell is a process of its own, so that a crash costs
// only the cell that it happened in.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "vapor/run/sweep.h"

namespace vapor {

// How often a cell is started before it has failed. Each start goes on from the last checkpoint.
// Bad input is not tried again.
inline constexpr int kAttempts = 3;

enum class CellStatus {
  kUnfinished,   // nothing stands, or a part that the same sweep goes on with
  kFinished,     // by this sweep
  kWasFinished,  // before it
  kFailed,       // however often it was tried
};

const char* name_of(CellStatus status);

struct CellOutcome {
  CellStatus status = CellStatus::kUnfinished;
  std::string error;  // of one that failed
};

// OUT/FOLDER.
std::string path_of(const SweepCell& cell, const std::string& out);

// What stands on disk. Throws InputError that names the file if another run, or something else, is
// there.
CellStatus status_on_disk(const SweepCell& cell, const std::string& out);

// The manifest OUT/sweep.json (vapor/record/sweep_manifest.h), for reports.
void write_manifest(const std::vector<SweepCell>& cells, const std::string& out);

struct ProcessSweepOptions {
  std::string program = "/proc/self/exe";  // a `vapor`
  int processes = 1;                       // at the same time
  std::function<void(const SweepProgress&)> progress = [](const SweepProgress&) {};
  std::function<void(const std::string&)> say = [](const std::string&) {};  // what failed
  std::function<bool()> keep_going = [] { return true; };
};

// Makes every cell below `out` that does not stand there finished. One that another process is
// making at the time is waited for, and gone on with if that leaves it. Once keep_going is false
// the children save and end, and the rest stays unfinished. Throws InputError, and starts nothing,
// if a folder holds something else.
std::vector<CellOutcome> sweep_in_processes(const std::vector<SweepCell>& cells,
                                            const std::string& out,
                                            const ProcessSweepOptions& options);

}  // namespace vapor
