// A cell of `vapor sweep` on disk: where it is, whether it is made, what came of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vapor/run/sweep_grid.h"
#include "vapor/record/run_summary.h"

namespace vapor::command {

enum class CellStatus {
  kUnfinished,   // nothing stands, or a part that the same command goes on with
  kFinished,     // by this command
  kWasFinished,  // before it
  kFailed,       // however often it was tried
};

const char* name_of(CellStatus status);

struct CellOutcome {
  CellStatus status = CellStatus::kUnfinished;
  std::string error;  // of one that failed
};

// OUT/FOLDER.
std::string path_of(const GridCell& cell, const std::string& out);

// What stands on disk. Throws InputError that names the file if another run, or something else, is
// there; whether a training is the same one only `vapor train` can tell.
CellStatus status_on_disk(const GridCell& cell, const std::string& out);

// {"run", ..., "--out", ..., "--threads", "1", "--quiet"}: what a child is started with.
std::vector<std::string> words_of_child(const GridCell& cell, const std::string& out);

}  // namespace vapor::command
