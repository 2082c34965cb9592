// How the figures of a study speak of it: its measure, its seeds, its runs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "vapor/report/data_table.h"
#include "vapor/report/study.h"

namespace vapor {

struct MeasureWords {
  std::string title;     // Learning time
  std::string quantity;  // episodes until solved
  std::string unit;      // episodes
  std::string reached;   // solved
};

MeasureWords words_of(Measure measure);

// Whether a run got there before it was ended; always, if the measure is regret.
bool reached(const Study& study, const RunDigest& run);

// "learns", where "VAPOR learns faster" is what a smaller number means.
std::string better_word(Measure measure);

std::uint64_t seed_of(const RunDigest& run);
std::string seeds_sentence(const Study& study);  // "10 seeds in each cell: 101-110."

// A line a run: agent, task, seed, what the summary has, and the folder of its record.
DataTable runs_table(const Study& study);

// An episode, if there is one.
nlohmann::ordered_json number_or_null(const std::optional<std::int64_t>& episode);

// The tasks that have a panel in a figure of curves: at most kMostPanels, evenly chosen, the first
// and the last among them.
constexpr std::size_t kMostPanels = 6;
std::vector<std::string> tasks_shown(const Study& study);
std::string panel_name(const Study& study, const std::string& task);  // "depth 20"

// Every agent's name as readers know it: "VAPOR" for vapor, others as they are.
std::string shown_name(const std::string& agent);

}  // namespace vapor
