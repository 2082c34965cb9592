// What `vapor sweep` says: about a grid before it is made, and about what came of it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "vapor/run/process_sweep.h"

namespace vapor::command {

// All that the answers are about; the outcomes are one a cell.
struct SweepResult {
  std::string file;
  std::string out;
  std::vector<SweepCell> cells;
  std::vector<CellOutcome> outcomes;

  std::size_t count(CellStatus status) const;
};

// Makes the cells on a Ray cluster, whose address is empty for one of this machine alone. The
// result is an exit code: not 0 if it could not be done or was interrupted, and then it was said
// why.
int make_by_ray(SweepResult& result, const std::string& address, bool quiet);

// Every cell with its folder, its settings, its command and its status on disk.
nlohmann::ordered_json plan_as_json(const SweepResult& result);
void print_plan(const SweepResult& result);

// Every cell with its measures, and their means over the seeds, from the records.
nlohmann::ordered_json answer_as_json(const SweepResult& result);
void print_answer(const SweepResult& result);

}  // namespace vapor::command
