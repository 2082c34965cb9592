#include "vapor/record/run_summary.h"

#include <cmath>
#include <numeric>

namespace vapor {

RunSummary summarise(const RunRecord& record) {
  const std::span<const double> returns = record.episodes.column("return");
  const std::span<const double> value = record.episodes.column("value");
  const std::span<const double> regret = record.episodes.column("regret");
  const std::span<const double> success = record.episodes.column("success");
  RunSummary summary;
  std::int64_t successes = 0;
  for (std::size_t row = 0; row < record.episodes.rows(); ++row) {
    const std::int64_t episode = ++summary.episodes;
    if (success[row] != 0.0) ++successes;
    if (successes > 0 && !summary.first_success) summary.first_success = episode;
    if (successes > 0 && 10 * successes >= episode && !summary.solved) summary.solved = episode;
  }
  if (summary.episodes == 0) return summary;
  summary.total_regret = std::accumulate(regret.begin(), regret.end(), 0.0);
  summary.mean_return = mean_and_error(returns).mean;
  summary.last_value = value.back();
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
