// The numbers that the commands say about runs; all of them come from the records.
#pragma once

#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "vapor/record/run_summary.h"
#include "vapor/run/run_settings.h"

namespace vapor::command {

enum class MeasureForm { kNumber, kWhole, kDuration };

// A number of a summary, where it has one.
struct NamedMeasure {
  const char* name;
  const char* head;  // of its column; empty: it is in the JSON only
  std::optional<double> (*of)(const RunSummary&);
  MeasureForm form = MeasureForm::kNumber;

  std::string text(const std::optional<double>& value) const;  // a dash where there is none
};

// What is said of runs with such settings.
const std::vector<NamedMeasure>& measures_of(const RunSettings& settings);

// Over the summaries that have one.
MeanAndError over_seeds(const std::vector<RunSummary>& summaries, const NamedMeasure& measure);

// Each measure of a summary by its name, null where there is none.
void add_measures(nlohmann::ordered_json& row, const std::vector<NamedMeasure>& measures,
                  const RunSummary& summary);

// {"episodes": {"mean": ..., "standard_error": ..., "count": ...}, ...}
nlohmann::ordered_json json_of_means(const std::vector<NamedMeasure>& measures,
                                     const std::vector<RunSummary>& summaries);

}  // namespace vapor::command
