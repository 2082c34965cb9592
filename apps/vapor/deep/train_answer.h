// What `vapor train` answers about its runs, of either kind.
#pragma once

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "terminal.h"
#include "train.h"
#include "vapor/deep/training.h"

namespace vapor::command {

// One run: `Settings` and `Summary` are those of its kind.
template <typename Settings, typename Summary>
struct TrainCell {
  Settings settings;
  std::string folder;
  deep::TrainingEnd end = deep::TrainingEnd::kFinished;
  Summary summary;
};

// The first seed's numbers stand at the top too, so that a single run needs no search.
template <typename Cell, typename JsonOf>
nlohmann::ordered_json as_json(const std::vector<Cell>& cells, const JsonOf& json_of) {
  nlohmann::ordered_json answer = header_of(cells.front().settings).definition;
  answer.update(json_of(cells.front().summary));
  answer["runs"] = nlohmann::ordered_json::array();
  for (const Cell& cell : cells) {
    nlohmann::ordered_json run = {{"seed", cell.settings.seed},
                                  {"folder", cell.folder},
                                  {"was_finished", cell.end == deep::TrainingEnd::kWasFinished}};
    run.update(json_of(cell.summary));
    answer["runs"].push_back(run);
  }
  return answer;
}

// As JSON, or as a table with a line a run.
template <typename Cell, typename JsonOf, typename LineOf>
void print_answer(const Output& output, const std::vector<Cell>& cells, const JsonOf& json_of,
                  std::vector<std::string> head, const LineOf& line_of) {
  if (output.json) fmt::print("{}\n", as_json(cells, json_of).dump(2));
  if (!output.for_people()) return;
  fmt::print("{}\n", bold(cells.front().settings.agent + " in " + cells.front().settings.env));
  Rows rows = {std::move(head)};
  for (const Cell& cell : cells) rows.push_back(line_of(cell));
  print_table(rows);
  const std::string& folder = cells.front().folder;
  fmt::print("{}\n", dim("records in " + folder.substr(0, folder.rfind('/'))));
}

}  // namespace vapor::command
