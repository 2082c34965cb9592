#include "vapor/report/statistics.h"

#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "vapor/core/error.h"
#include "vapor/core/random.h"

namespace vapor {
namespace {

using testing::HasSubstr;

using Table = std::vector<std::vector<double>>;  // tasks x seeds

std::vector<std::string> task_names(std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t task = 1; task <= count; ++task) names.push_back(std::to_string(10 * task));
  return names;
}

Scores scores(const Table& table, const std::string& agent = "vapor") {
  return {agent, task_names(table.size()), table};
}

Table normal_table(std::size_t tasks, std::size_t seeds, RandomStream random) {
  Table table(tasks, std::vector<double>(seeds));
  for (std::vector<double>& task : table)
    for (double& score : task) score = random.normal();
  return table;
}

template <typename Call>
std::string complaint(const Call& call) {
  try {
    call();
  } catch (const InputError& e) {
    return e.what();
  }
  return "nothing was refused";
}

TEST(Scores, RefusalsNameAgentAndTask) {
  EXPECT_EQ(complaint([] { scores({}); }), "vapor: has no task");
  EXPECT_EQ(complaint([] { scores({{1.0}, {}}); }), "vapor: task 20: has no seed");
  EXPECT_EQ(complaint([] { scores({{1.0, 2.0}, {3.0, 4.0}, {5.0}}); }),
            "vapor: task 30: has 1 seeds, and task 10 has 2");
  EXPECT_EQ(complaint([] { scores({{1.0}, {std::nan("")}}); }),
            "vapor: task 20: has a score that is not finite");
}

// n / 4 values, rounded down, are cut at either end.
TEST(InterquartileMean, CutsAQuarterAtEitherEnd) {
  EXPECT_EQ(interquartile_mean(std::vector{7.0}), 7.0);
  EXPECT_EQ(interquartile_mean(std::vector{9.0, 0.0, 3.0}), 4.0);
  EXPECT_EQ(interquartile_mean(std::vector{1000.0, 2.0, 4.0, -1000.0}), 3.0);
  EXPECT_EQ(interquartile_mean(std::vector{5.0, 1e9, 1.0, 3.0, -1e9, 2.0, 4.0}), 3.0);
  std::vector<double> numbers;
  for (int i = 99; i >= 0; --i) numbers.push_back(i * i);
  double middle = 0.0;
  for (int i = 25; i < 75; ++i) middle += i * i / 50.0;
  EXPECT_DOUBLE_EQ(interquartile_mean(numbers), middle);
}

// Flattened: cutting in each task alone would give (2 + 20) / 2.
TEST(Median, OfAnEvenNumberIsTheMeanOfTheMiddleTwo) {
  EXPECT_EQ(median({3.0}), 3.0);
  EXPECT_EQ(median({9.0, 1.0, 4.0}), 4.0);
  EXPECT_EQ(median({8.0, 1.0, 4.0, 2.0}), 3.0);
}

TEST(InterquartileMean, IsOverAllTasksTogether) {
  const Scores all = scores({{1.0, 2.0, 3.0, 2.0}, {10.0, 20.0, 30.0, 20.0}});
  EXPECT_DOUBLE_EQ(interquartile_mean(all), (2.0 + 3.0 + 10.0 + 20.0) / 4.0);
  EXPECT_DOUBLE_EQ(mean(all), 11.0);
}

// By hand: of the nine pairs of {1, 2, 2} and {2, 2, 5}, none is greater and four are ties.
TEST(ProbabilityOfImprovement, TiesCountHalf) {
  const Scores X = scores({{1.0, 2.0, 2.0}});
  const Scores Y = scores({{2.0, 5.0, 2.0}}, "thompson");
  EXPECT_DOUBLE_EQ(probability_of_improvement(X, Y), 2.0 / 9.0);
  EXPECT_DOUBLE_EQ(probability_of_improvement(Y, X), 7.0 / 9.0);
  EXPECT_DOUBLE_EQ(probability_of_improvement(X, X), 0.5);
}

TEST(ProbabilityOfImprovement, IsTheMeanOverTasks) {
  const Scores X = scores({{5.0, 6.0}, {1.0, 1.0}, {1.0, 3.0}});
  const Scores Y = scores({{1.0, 2.0, 3.0}, {7.0, 7.0, 7.0}, {2.0, 2.0, 2.0}});
  EXPECT_DOUBLE_EQ(probability_of_improvement(X, Y), (1.0 + 0.0 + 0.5) / 3.0);
}

TEST(ProbabilityOfImprovement, IsTheShareOfPairsAndSymmetric) {
  RandomStream random(3);
  for (int trial = 0; trial < 60; ++trial) {
    const int most_seeds = trial < 40 ? 9 : 200;  // few and many pairs are counted in two ways
    Table x(2, std::vector<double>(1 + random.index(most_seeds)));
    Table y(2, std::vector<double>(1 + random.index(most_seeds)));
    for (Table* table : {&x, &y})
      for (std::vector<double>& task : *table)
        for (double& score : task) score = random.index(5);
    double share = 0.0;
    for (std::size_t task = 0; task < 2; ++task)
      for (const double a : x[task])
        for (const double b : y[task])
          share += (a > b ? 1.0 : a == b ? 0.5 : 0.0) / (2.0 * x[0].size() * y[0].size());
    const double forth = probability_of_improvement(scores(x), scores(y));
    EXPECT_NEAR(forth, share, 1e-12);
    EXPECT_NEAR(forth + probability_of_improvement(scores(y), scores(x)), 1.0, 1e-14);
  }
}

TEST(ProbabilityOfImprovement, OtherTasksAreRefused) {
  const Scores X("vapor", {"10", "20"}, {{1.0}, {1.0}});
  const Scores Y("thompson", {"10", "30"}, {{1.0}, {1.0}});
  const Scores Z("ucbvi", {"10"}, {{1.0}});
  EXPECT_EQ(complaint([&] { probability_of_improvement(X, Y); }),
            "vapor and thompson: task 2 must be the same, got 20 and 30");
  EXPECT_EQ(complaint([&] { probability_of_improvement(Z, X); }),
            "ucbvi and vapor: task 2 must be the same, got none and 20");
}

// A statistic that counts its calls makes the resamples 0, 1, ..., 100; the p-quantile is 100 p.
TEST(Bootstrap, IntervalsAreLinearBetweenOrderStatistics) {
  double calls = 0.0;
  const Interval interval =
      bootstrap(scores({{1.0}}), [&](const Scores&) { return calls++; }, {101, 0.95, 1});
  EXPECT_EQ(calls, 101.0);
  EXPECT_NEAR(interval.low, 2.5, 1e-12);
  EXPECT_NEAR(interval.high, 97.5, 1e-12);
  const Interval one = bootstrap(scores({{4.0}}), [](const Scores& s) { return mean(s); }, {1});
  EXPECT_EQ(one.low, 4.0);
  EXPECT_EQ(one.high, 4.0);
}

// Every seed may come from its own task only, and comes equally often.
TEST(Bootstrap, DrawsWithinTasksWithReplacement) {
  const Scores all = scores({{0.0, 1.0, 2.0, 3.0}, {10.0, 11.0, 12.0, 13.0}});
  std::vector<int> count(14, 0);
  int whole = 0;  // draws of a task in which no seed comes twice
  const BootstrapSettings settings = {.resamples = 20000};
  bootstrap(
      all,
      [&](const Scores& drawn) {
        for (std::size_t task = 0; task < 2; ++task) {
          std::vector<bool> seen(14, false);
          int distinct = 0;
          for (const double score : drawn.of_task(task)) {
            EXPECT_EQ(static_cast<int>(score) / 10, static_cast<int>(task));
            ++count[score];
            if (!seen[score]) ++distinct;
            seen[score] = true;
          }
          if (distinct == 4) ++whole;
        }
        return 0.0;
      },
      settings);
  for (const int score : {0, 1, 2, 3, 10, 11, 12, 13})
    EXPECT_NEAR(count[score], 20000.0, 5.0 * std::sqrt(80000.0 * 0.25 * 0.75));
  const double share = 24.0 / 256.0;
  EXPECT_NEAR(whole, 40000.0 * share, 5.0 * std::sqrt(40000.0 * share * (1.0 - share)));
}

// One of two seeds is 0 and the other 1, so P(the mean of X exceeds that of Y) is 5/16 if each is
// drawn on its own and 0 if they are drawn together.
TEST(Bootstrap, OfTwoDrawsEachOnItsOwn) {
  int above = 0;
  const BootstrapSettings settings = {.resamples = 20000};
  bootstrap(
      scores({{0.0, 1.0}}), scores({{0.0, 1.0}}),
      [&](const Scores& X, const Scores& Y) {
        above += mean(X) > mean(Y);
        return 0.0;
      },
      settings);
  const double p = 5.0 / 16.0;
  EXPECT_NEAR(above, 20000.0 * p, 5.0 * std::sqrt(20000.0 * p * (1.0 - p)));
}

TEST(Bootstrap, TheSameSeedGivesTheSameInterval) {
  const Scores all = scores(normal_table(3, 8, RandomStream(1)));
  const auto of_seed = [&](std::uint64_t seed) {
    return bootstrap(all, [](const Scores& s) { return mean(s); }, {500, 0.95, seed});
  };
  EXPECT_EQ(of_seed(7).low, of_seed(7).low);
  EXPECT_EQ(of_seed(7).high, of_seed(7).high);
  EXPECT_NE(of_seed(7).low, of_seed(8).low);
}

// The truth is 0. With s seeds a task the bootstrap's variance is short by (s - 1) / s, so that of
// s = 20 covers 1.96 sqrt(0.95) standard deviations, or 94.4%, and a little less for estimating it.
TEST(Bootstrap, CoversTheTruthAsOftenAsItSays) {
  const int trials = 1000;
  int covered = 0;
  for (int trial = 0; trial < trials; ++trial) {
    const Scores all = scores(normal_table(3, 20, RandomStream(11).split(trial)));
    const Interval interval =
        bootstrap(all, [](const Scores& s) { return mean(s); }, {.resamples = 400});
    covered += interval.low <= 0.0 && 0.0 <= interval.high;
  }
  EXPECT_NEAR(covered, 0.94 * trials, 3.0 * std::sqrt(trials * 0.94 * 0.06));
}

TEST(Bootstrap, BadSettingsAreNamed) {
  const Scores one = scores({{1.0}});
  const Statistic statistic = [](const Scores& s) { return mean(s); };
  EXPECT_EQ(complaint([&] { bootstrap(one, statistic, {.resamples = 0}); }),
            "resamples: must be >= 1, got 0");
  EXPECT_THAT(complaint([&] { bootstrap(one, statistic, {.confidence = 1.0}); }),
              HasSubstr("confidence: must be in (0, 1), got 1"));
}

// tests/reference/statistics: the same numbers by rliable, SciPy and NumPy. The intervals are of
// 100,000 resamples there and 20,000 here: their ends agree as well as quantiles of samples do.
TEST(StatisticsReference, AgreesWithRliable) {
  std::ifstream file(VAPOR_SOURCE_DIR "/tests/reference/statistics/statistics.json");
  const nlohmann::json cases = nlohmann::json::parse(file);
  ASSERT_EQ(cases.size(), 7u);
  int intervals = 0;
  for (const nlohmann::json& reference : cases) {
    const Scores X = scores(reference["X"].get<Table>());
    const Scores Y = scores(reference["Y"].get<Table>());
    const auto iqm = [](const Scores& s) { return interquartile_mean(s); };
    EXPECT_NEAR(mean(X), reference["mean"], 1e-13);
    EXPECT_NEAR(iqm(X), reference["interquartile_mean"], 1e-13);
    EXPECT_NEAR(probability_of_improvement(X, Y), reference["probability_of_improvement"], 1e-14);
    if (!reference.contains("intervals")) continue;
    const auto expect_close = [&](const char* name, const Interval& ours) {
      const auto theirs = reference["intervals"][name].get<std::array<double, 2>>();
      EXPECT_NEAR(ours.low, theirs[0], 0.025 * (theirs[1] - theirs[0])) << name;
      EXPECT_NEAR(ours.high, theirs[1], 0.025 * (theirs[1] - theirs[0])) << name;
      ++intervals;
    };
    const BootstrapSettings settings = {.resamples = 20000};
    expect_close("mean", bootstrap(X, [](const Scores& s) { return mean(s); }, settings));
    expect_close("interquartile_mean", bootstrap(X, iqm, settings));
    expect_close("probability_of_improvement",
                 bootstrap(X, Y, probability_of_improvement, settings));
  }
  EXPECT_EQ(intervals, 9);
}

// NumPy's percentiles, by a statistic that hands out stored values one by one.
TEST(StatisticsReference, PercentilesAreThoseOfNumPy) {
  std::ifstream file(VAPOR_SOURCE_DIR "/tests/reference/statistics/statistics.json");
  for (const nlohmann::json& reference : nlohmann::json::parse(file)) {
    std::vector<double> values;
    for (const nlohmann::json& task : reference["X"])
      for (const nlohmann::json& score : task) values.push_back(score);
    std::size_t next = 0;
    const Interval interval =
        bootstrap(scores({{0.0}}), [&](const Scores&) { return values[next++]; },
                  {.resamples = static_cast<int>(values.size())});
    EXPECT_NEAR(interval.low, reference["percentiles"][0], 1e-13);
    EXPECT_NEAR(interval.high, reference["percentiles"][1], 1e-13);
  }
}

}  // namespace
}  // namespace vapor
