#include "vapor/report/statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "vapor/core/check.h"
#include "vapor/core/error.h"
#include "vapor/core/random.h"

namespace vapor {
namespace {

double sum(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

std::vector<double> all_values(const Scores& scores) {
  std::vector<double> values;
  values.reserve(scores.tasks().size() * scores.seeds());
  for (std::size_t task = 0; task < scores.tasks().size(); ++task) {
    const std::span<const double> seeds = scores.of_task(task);
    values.insert(values.end(), seeds.begin(), seeds.end());
  }
  return values;
}

// Reorders the values.
double interquartile_mean_of(std::vector<double>& values) {
  VAPOR_CHECK_GT(values.size(), 0u);
  const std::size_t cut = values.size() / 4;
  const auto low = values.begin() + static_cast<std::ptrdiff_t>(cut);
  const auto high = values.end() - static_cast<std::ptrdiff_t>(cut);
  if (cut > 0) {
    std::nth_element(values.begin(), low, values.end());
    std::nth_element(low, high, values.end());
  }
  return sum({low, high}) / static_cast<double>(high - low);
}

std::vector<double> sorted(std::span<const double> values) {
  std::vector<double> copy(values.begin(), values.end());
  std::sort(copy.begin(), copy.end());
  return copy;
}

// Twice the U statistic of Mann and Whitney: over all pairs, 2 if x > y and 1 if x = y. By all
// pairs where they are few, as in a bootstrap of ten seeds: without branches that is far faster.
std::size_t twice_U_of_few(std::span<const double> X, std::span<const double> Y) {
  int twice_U = 0;
  for (const double x : X)
    for (const double y : Y) twice_U += static_cast<int>(y < x) + static_cast<int>(y <= x);
  return static_cast<std::size_t>(twice_U);
}

// The same in O(n log n): `below` and `up_to` count the y that are smaller than x, and not larger.
std::size_t twice_U_of_many(std::span<const double> X, std::span<const double> Y) {
  const std::vector<double> y_sorted = sorted(Y);
  std::size_t below = 0;
  std::size_t up_to = 0;
  std::size_t twice_U = 0;
  for (const double x : sorted(X)) {
    while (below < y_sorted.size() && y_sorted[below] < x) ++below;
    while (up_to < y_sorted.size() && y_sorted[up_to] <= x) ++up_to;
    twice_U += below + up_to;
  }
  return twice_U;
}

double probability_of_exceeding(std::span<const double> X, std::span<const double> Y) {
  constexpr std::size_t few = 1024;
  const std::size_t pairs = X.size() * Y.size();
  const std::size_t twice_U = pairs <= few ? twice_U_of_few(X, Y) : twice_U_of_many(X, Y);
  return 0.5 * static_cast<double>(twice_U) / static_cast<double>(pairs);
}

void expect_same_tasks(const Scores& X, const Scores& Y) {
  if (X.tasks() == Y.tasks()) return;
  const auto at = std::ranges::mismatch(X.tasks(), Y.tasks());
  throw InputError(
      fmt::format("{} and {}", X.agent(), Y.agent()),
      fmt::format("task {} must be the same, got {} and {}", at.in1 - X.tasks().begin() + 1,
                  at.in1 == X.tasks().end() ? "none" : *at.in1,
                  at.in2 == Y.tasks().end() ? "none" : *at.in2));
}

void validate(const BootstrapSettings& settings) {
  if (settings.resamples < 1)
    throw InputError("resamples", fmt::format("must be >= 1, got {}", settings.resamples));
  if (!(settings.confidence > 0.0 && settings.confidence < 1.0))
    throw InputError("confidence", fmt::format("must be in (0, 1), got {}", settings.confidence));
}

// Linear between the order statistics: the p-quantile of n values stands at p (n - 1).
double quantile(std::span<const double> ascending, double p) {
  const double at = p * static_cast<double>(ascending.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, ascending.size() - 1);
  return std::lerp(ascending[below], ascending[above], at - static_cast<double>(below));
}

Interval percentile_interval(std::vector<double> values, double confidence) {
  std::sort(values.begin(), values.end());
  return {quantile(values, (1.0 - confidence) / 2.0), quantile(values, (1.0 + confidence) / 2.0)};
}

}  // namespace

Scores::Scores(std::string agent, std::vector<std::string> tasks,
               std::vector<std::vector<double>> by_task)
    : agent_(std::move(agent)), tasks_(std::move(tasks)), by_task_(std::move(by_task)) {
  VAPOR_CHECK_EQ(tasks_.size(), by_task_.size());
  if (tasks_.empty()) throw InputError(agent_, "has no task");
  for (std::size_t task = 0; task < tasks_.size(); ++task) {
    const std::string place = fmt::format("{}: task {}", agent_, tasks_[task]);
    if (by_task_[task].empty()) throw InputError(place, "has no seed");
    if (by_task_[task].size() != seeds())
      throw InputError(place, fmt::format("has {} seeds, and task {} has {}", by_task_[task].size(),
                                          tasks_.front(), seeds()));
    for (const double score : by_task_[task])
      if (!std::isfinite(score)) throw InputError(place, "has a score that is not finite");
  }
}

// Scores whose seeds are drawn again, in place, from those of others.
class Resample {
 public:
  Resample(const Scores& from, RandomStream random) : from_(from), to_(from), random_(random) {}

  const Scores& draw() {
    const auto seeds = static_cast<std::int32_t>(from_.seeds());
    for (std::size_t task = 0; task < from_.by_task_.size(); ++task)
      for (double& score : to_.by_task_[task])
        score = from_.by_task_[task][static_cast<std::size_t>(random_.index(seeds))];
    return to_;
  }

 private:
  const Scores& from_;
  Scores to_;
  RandomStream random_;
};

double interquartile_mean(std::span<const double> values) {
  std::vector<double> copy(values.begin(), values.end());
  return interquartile_mean_of(copy);
}

double median(std::vector<double> values) {
  VAPOR_CHECK_GT(values.size(), 0u);
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : 0.5 * (values[half - 1] + values[half]);
}

double mean(const Scores& scores) {
  const std::vector<double> values = all_values(scores);
  return sum(values) / static_cast<double>(values.size());
}

double interquartile_mean(const Scores& scores) {
  std::vector<double> values = all_values(scores);
  return interquartile_mean_of(values);
}

double probability_of_improvement(const Scores& X, const Scores& Y) {
  expect_same_tasks(X, Y);
  double total = 0.0;
  for (std::size_t task = 0; task < X.tasks().size(); ++task)
    total += probability_of_exceeding(X.of_task(task), Y.of_task(task));
  return total / static_cast<double>(X.tasks().size());
}

Interval bootstrap(const Scores& scores, const Statistic& statistic,
                   const BootstrapSettings& settings) {
  validate(settings);
  Resample resample(scores, RandomStream(settings.seed).split("bootstrap"));
  std::vector<double> values(static_cast<std::size_t>(settings.resamples));
  for (double& value : values) value = statistic(resample.draw());
  return percentile_interval(std::move(values), settings.confidence);
}

Interval bootstrap(const Scores& X, const Scores& Y, const PairStatistic& statistic,
                   const BootstrapSettings& settings) {
  validate(settings);
  const RandomStream random = RandomStream(settings.seed).split("bootstrap of two");
  Resample resampled_X(X, random.split("X"));
  Resample resampled_Y(Y, random.split("Y"));
  std::vector<double> values(static_cast<std::size_t>(settings.resamples));
  for (double& value : values) value = statistic(resampled_X.draw(), resampled_Y.draw());
  return percentile_interval(std::move(values), settings.confidence);
}

}  // namespace vapor
