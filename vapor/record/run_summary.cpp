#include "vapor/record/run_summary.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "vapor/record/solved_rule.h"

namespace vapor {

namespace {

constexpr std::size_t kRecentEpisodes = 100;

double sum_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

void add_successes(RunSummary& summary, std::span<const double> success, std::int64_t earliest) {
  SolvedRule rule(earliest);
  for (const double reached : success) rule.add(reached != 0.0);
  summary.first_success = rule.first_success();
  summary.solved = rule.solved();
}

void add_frames(RunSummary& summary, const NumberTable& episodes) {
  const auto last = [&](const char* name) {
    return static_cast<std::int64_t>(episodes.column(name).back());
  };
  summary.frames = last("frames");
  summary.learner_frames = last("learner_frames");
  if (summary.seconds <= 0.0) return;
  summary.frames_per_second = static_cast<double>(*summary.frames) / summary.seconds;
  summary.learner_frames_per_second =
      static_cast<double>(*summary.learner_frames) / summary.seconds;
}

// A goal that is near may be reached by chance, again and again, by policies worth little: a run
// that went on to its last episode has not solved what its last policy gets less than half of. A
// run that was stopped when it was solved ends with whatever policy got it there.
bool ends_poorly(const RunRecord& record, double last_value, double last_regret) {
  const bool stopped = record.run.definition.value("stop", "never") == "solved";
  const double optimum = last_value + last_regret;
  return !stopped && optimum > 0.0 && last_value < 0.5 * optimum;
}

void add_costs(RunSummary& summary, const NumberTable& episodes) {
  constexpr double kRounding = 1e-9;  // of a policy that uses all of a budget
  const std::span<const double> violation = episodes.column("violation");
  const std::span<const double> cost = episodes.column("expected_cost");
  summary.total_violation = sum_of(violation);
  summary.violating =
      std::ranges::count_if(violation, [](double above) { return above > kRounding; });
  summary.mean_expected_cost = mean_and_error(cost).mean;
  summary.recent_expected_cost =
      mean_and_error(cost.last(std::min(kRecentEpisodes, cost.size()))).mean;
}

}  // namespace

bool is_training(const RunRecord& record) { return record.episodes.has_column("learner_frames"); }

bool has_known_values(const RunRecord& record) { return record.episodes.has_column("value"); }

RunSummary summarise(const RunRecord& record) {
  const NumberTable& episodes = record.episodes;
  const bool networks = is_training(record);
  const std::span<const double> returns = episodes.column("return");
  RunSummary summary;
  summary.episodes = std::ssize(returns);
  if (episodes.has_column("success"))
    add_successes(summary, episodes.column("success"), networks ? kEarliestSolvedByNetworks : 1);
  if (returns.empty()) return summary;
  summary.mean_return = mean_and_error(returns).mean;
  summary.recent_mean_return =
      mean_and_error(returns.last(std::min(kRecentEpisodes, returns.size()))).mean;
  summary.best_return = *std::ranges::max_element(returns);
  if (record.timing.rows() > 0) {
    const std::span<const double> seconds = record.timing.column("seconds");
    summary.seconds = sum_of(seconds);
    summary.ms_per_episode = 1e3 * mean_and_error(seconds).mean;
  }
  if (networks) add_frames(summary, episodes);
  if (episodes.has_column("violation")) add_costs(summary, episodes);
  if (!has_known_values(record)) return summary;
  summary.total_regret = sum_of(episodes.column("regret"));
  summary.last_value = episodes.column("value").back();
  if (ends_poorly(record, *summary.last_value, episodes.column("regret").back()))
    summary.solved.reset();
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
