// What an experiment makes: the tables of its sweep.toml that have one name, as options changed
// them, and the runs of their grid.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "vapor/record/run_record.h"
#include "vapor/run/reproduction.h"
#include "vapor/run/sweep_grid.h"

namespace vapor::experiments {

using nlohmann::ordered_json;
using Tables = std::vector<SweepTable>;

struct Study {
  std::string part;  // full, quick, or another name that tables have
  Tables tables;
  std::map<std::string, std::string> given;  // options as they were given, e.g. --depths
};

// Runs that differ in their seeds alone.
struct Cell {
  std::vector<SweepCell> runs;  // by seed; their folders are whole paths
  std::int64_t cap = 0;         // episodes, or frames of a game
  bool game = false;            // a training by frames

  const RunSettings& settings() const { return runs.front().settings; }
  const std::string& env() const { return settings().env; }
  const std::string& agent() const { return settings().agent; }
  const std::string& belief() const { return settings().belief; }  // empty for trainings
  std::size_t seeds() const { return runs.size(); }

  // A value of `vary`, as a whole number.
  int number(const std::string& name) const;

  // The name of `vary` that stands for the whole spec ("{contrast}"), or else the spec.
  std::string label(const std::string& spec) const;

  std::vector<RunRecord> records() const;
};

// The cells of the grid, in the order of its tables. Runs with another cap are other runs, so it is
// part of their folders: OUT/ENV/AGENT[+BELIEF]/within-CAP/seed-S, frames-CAP for games. Throws
// InputError.
std::vector<Cell> cells_of(const Study& study, const std::string& out);

// The cells in the order in which the first key first has its values, then the second, and so on.
using CellKey = std::function<std::string(const Cell&)>;
std::vector<Cell> sorted_by(std::vector<Cell> cells, const std::vector<CellKey>& keys);

// Makes every run of the cells, or throws Interrupted. Writes nothing if one of them is not good or
// a folder holds something else.
void make(const std::vector<Cell>& cells, const ReproductionOptions& options);

// The first seed of the first table, which is that of all.
std::uint64_t first_seed(const Study& study);

// When the seeds of a cell got somewhere: an episode, or nothing for a seed that never did.
struct Times {
  ordered_json by_seed = ordered_json::array();
  std::vector<double> capped;  // who never did is counted at the cap
  int reached = 0;

  void add(const std::optional<std::int64_t>& episode, std::int64_t cap);
  ordered_json mean() const;  // of the capped; null if nobody did
};

// NAME and NAME_se of a mean, null where there is none.
void add_mean(ordered_json& row, const std::string& name, const std::vector<double>& values,
              bool present = true);

}  // namespace vapor::experiments
