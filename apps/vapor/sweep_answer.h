// What `vapor sweep` says: about a grid before it is made, and about what came of it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sweep_cell.h"

namespace vapor::command {

// All that the answers are about; the outcomes are one a cell.
struct SweepResult {
  std::string file;
  std::string out;
  std::vector<GridCell> cells;
  std::vector<CellOutcome> outcomes;

  std::size_t count(CellStatus status) const;
};

// Every cell with its folder, its settings, its command and its status on disk.
nlohmann::ordered_json plan_as_json(const SweepResult& result);
void print_plan(const SweepResult& result);

// Every cell with its measures, and their means over the seeds, from the records.
nlohmann::ordered_json answer_as_json(const SweepResult& result);
void print_answer(const SweepResult& result);

}  // namespace vapor::command
