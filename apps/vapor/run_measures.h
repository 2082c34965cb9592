// The numbers that the commands say about runs; all of them come from the records.
#pragma once

#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "vapor/record/run_summary.h"

namespace vapor::command {

// A number of a summary, where it has one.
struct NamedMeasure {
  const char* name;
  const char* head;  // of its column
  std::optional<double> (*of)(const RunSummary&);
  bool whole = false;  // a number of episodes
};

inline std::optional<double> as_number(const std::optional<std::int64_t>& episode) {
  return episode ? std::optional(static_cast<double>(*episode)) : std::nullopt;
}

inline constexpr std::array<NamedMeasure, 7> kMeasures = {{
    {"episodes", "episodes", [](const RunSummary& s) { return as_number(s.episodes); }, true},
    {"first_success", "first success",
     [](const RunSummary& s) { return as_number(s.first_success); }, true},
    {"solved", "solved", [](const RunSummary& s) { return as_number(s.solved); }, true},
    {"total_regret", "total regret",
     [](const RunSummary& s) { return std::optional(s.total_regret); }},
    {"mean_return", "mean return",
     [](const RunSummary& s) { return std::optional(s.mean_return); }},
    {"last_value", "last value", [](const RunSummary& s) { return std::optional(s.last_value); }},
    {"ms_per_episode", "ms per episode",
     [](const RunSummary& s) { return std::optional(s.ms_per_episode); }},
}};

// Over the summaries that have one.
MeanAndError over_seeds(const std::vector<RunSummary>& summaries, const NamedMeasure& measure);

// Each measure of a summary by its name, null where there is none.
void add_measures(nlohmann::ordered_json& row, const RunSummary& summary);

// {"episodes": {"mean": ..., "standard_error": ..., "count": ...}, ...}
nlohmann::ordered_json json_of_means(const std::vector<RunSummary>& summaries);

}  // namespace vapor::command
