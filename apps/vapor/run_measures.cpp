#include "run_measures.h"

namespace vapor::command {

using nlohmann::ordered_json;

MeanAndError over_seeds(const std::vector<RunSummary>& summaries, const NamedMeasure& measure) {
  std::vector<double> values;
  for (const RunSummary& summary : summaries)
    if (const std::optional<double> value = measure.of(summary)) values.push_back(*value);
  return mean_and_error(values);
}

void add_measures(ordered_json& row, const RunSummary& summary) {
  for (const NamedMeasure& measure : kMeasures) {
    const std::optional<double> value = measure.of(summary);
    if (!value)
      row[measure.name] = nullptr;
    else if (measure.whole)
      row[measure.name] = static_cast<std::int64_t>(*value);
    else
      row[measure.name] = *value;
  }
}

ordered_json json_of_means(const std::vector<RunSummary>& summaries) {
  ordered_json means = ordered_json::object();
  for (const NamedMeasure& measure : kMeasures) {
    const MeanAndError total = over_seeds(summaries, measure);
    const bool some = total.count > 0;
    means[measure.name] = {
        {"mean", some ? ordered_json(total.mean) : ordered_json(nullptr)},
        {"standard_error", some ? ordered_json(total.standard_error) : ordered_json(nullptr)},
        {"count", total.count}};
  }
  return means;
}

}  // namespace vapor::command
