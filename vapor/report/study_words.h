// How the figures of a study speak of it: its measure, its seeds, its commands, its runs.
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
std::vector<std::string> commands_of(const Study& study);

// A line a run: agent, task, seed, what the summary has, and the folder of its record.
DataTable runs_table(const Study& study);

// An episode, if there is one.
nlohmann::ordered_json number_or_null(const std::optional<std::int64_t>& episode);

// Every agent's name as readers know it: "VAPOR" for vapor, others as they are.
std::string shown_name(const std::string& agent);

}  // namespace vapor
