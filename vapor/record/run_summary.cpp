#include "vapor/record/run_summary.h"

#include <cmath>
#include <numeric>

namespace vapor {

namespace {

void add_successes(RunSummary& summary, std::span<const double> success, std::int64_t earliest) {
  std::int64_t successes = 0;
  std::int64_t episode = 0;
  for (const double reached : success) {
    ++episode;
    if (reached != 0.0) ++successes;
    if (successes > 0 && !summary.first_success) summary.first_success = episode;
    const bool often = successes > 0 && 10 * successes >= episode;
    if (often && episode >= earliest && !summary.solved) summary.solved = episode;
  }
}

// A goal that is near may be reached by chance, again and again, by policies worth little: a run
// that went on to its last episode has not solved what its last policy gets less than half of. A
// run that was stopped when it was solved ends with whatever policy got it there.
bool ends_poorly(const RunRecord& record, double last_value, double last_regret) {
  const bool stopped = record.run.definition.value("stop", "never") == "solved";
  const double optimum = last_value + last_regret;
  return !stopped && optimum > 0.0 && last_value < 0.5 * optimum;
}

}  // namespace

bool is_training(const RunRecord& record) {
  return record.episodes.has_column("learner_frames") && !record.episodes.has_column("value");
}

RunSummary summarise(const RunRecord& record) {
  constexpr std::int64_t kEarliestOfTrainings = 100;
  const NumberTable& episodes = record.episodes;
  const bool training = is_training(record);
  const std::span<const double> returns = episodes.column("return");
  RunSummary summary;
  summary.episodes = static_cast<std::int64_t>(episodes.rows());
  if (!training || episodes.has_column("success"))
    add_successes(summary, episodes.column("success"), training ? kEarliestOfTrainings : 1);
  const auto of_runs = [&](const char* name) {
    return training ? std::span<const double>() : episodes.column(name);
  };
  const std::span<const double> regret = of_runs("regret");
  const std::span<const double> value = of_runs("value");
  if (summary.episodes == 0) return summary;
  summary.total_regret = std::accumulate(regret.begin(), regret.end(), 0.0);
  summary.mean_return = mean_and_error(returns).mean;
  if (!value.empty()) {
    summary.last_value = value.back();
    if (ends_poorly(record, value.back(), regret.back())) summary.solved.reset();
  }
  if (record.timing.rows() > 0)
    summary.ms_per_episode = 1e3 * mean_and_error(record.timing.column("seconds")).mean;
  return summary;
}

MeanAndError mean_and_error(std::span<const double> values) {
  MeanAndError result;
  result.count = values.size();
  if (values.empty()) return result;
  const auto n = static_cast<double>(values.size());
  result.mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  if (values.size() == 1) return result;
  double squares = 0.0;
  for (const double value : values) squares += (value - result.mean) * (value - result.mean);
  result.standard_error = std::sqrt(squares / (n - 1.0) / n);
  return result;
}

}  // namespace vapor
