#include "vapor/record/run_summary.h"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "vapor/core/error.h"

namespace vapor {
namespace {

RunRecord record_of(std::vector<double> success) {
  const std::size_t n = success.size();
  RunRecord record;
  record.episodes.columns = {"episode", "return", "value", "regret", "success"};
  record.episodes.values.assign(5, std::vector<double>(n, 0.0));
  for (std::size_t i = 0; i < n; ++i) {
    record.episodes.values[0][i] = static_cast<double>(i + 1);
    record.episodes.values[1][i] = 3.0;
    record.episodes.values[2][i] = static_cast<double>(i);
    record.episodes.values[3][i] = 0.5;
  }
  record.episodes.values[4] = std::move(success);
  record.timing.columns = {"episode", "seconds"};
  record.timing.values = {{1.0, 2.0}, {0.001, 0.003}};
  return record;
}

TEST(RunSummary, SolvedIsTheFirstTenthOfSuccesses) {
  std::vector<double> success(40, 0.0);
  success[14] = 1.0;  // episode 15: 1 of 15
  EXPECT_EQ(summarise(record_of(success)).first_success, 15);
  EXPECT_EQ(summarise(record_of(success)).solved, std::nullopt);
  success[19] = 1.0;  // episode 20: 2 of 20
  EXPECT_EQ(summarise(record_of(success)).solved, 20);
  success[8] = 1.0;  // episode 9: 1 of 9
  EXPECT_EQ(summarise(record_of(success)).solved, 9);
}

// RiverSwim's goal is reached by chance: 0.1 of an optimum of 1 is not solved, unless the run was
// stopped there.
TEST(RunSummary, ARunWhoseLastPolicyIsWorthATenthOfTheOptimumIsNotSolved) {
  RunRecord record = record_of(std::vector<double>(10, 1.0));
  EXPECT_EQ(summarise(record).solved, 1);
  record.episodes.values[2].back() = 0.1;
  record.episodes.values[3].back() = 0.9;
  EXPECT_EQ(summarise(record).solved, std::nullopt);
  EXPECT_EQ(summarise(record).first_success, 1);
  record.run.definition["stop"] = "solved";
  EXPECT_EQ(summarise(record).solved, 1);
}

TEST(RunSummary, Totals) {
  const RunSummary summary = summarise(record_of({0.0, 0.0, 0.0}));
  EXPECT_EQ(summary.episodes, 3);
  EXPECT_EQ(summary.first_success, std::nullopt);
  EXPECT_DOUBLE_EQ(summary.total_regret.value(), 1.5);
  EXPECT_DOUBLE_EQ(summary.mean_return, 3.0);
  EXPECT_DOUBLE_EQ(summary.last_value.value(), 2.0);
  EXPECT_DOUBLE_EQ(summary.ms_per_episode, 2.0);
  EXPECT_EQ(summarise(record_of({})).episodes, 0);
  EXPECT_THROW(summarise({}), InputError);
}

// The standard deviation of 1, 2, 3, 4 is sqrt(5/3), divided by sqrt(4).
TEST(MeanAndError, IsThatOfTheMean) {
  const std::vector<double> values = {1.0, 2.0, 3.0, 4.0};
  EXPECT_DOUBLE_EQ(mean_and_error(values).mean, 2.5);
  EXPECT_DOUBLE_EQ(mean_and_error(values).standard_error, std::sqrt(5.0 / 3.0) / 2.0);
  EXPECT_EQ(mean_and_error(std::vector{7.0}).standard_error, 0.0);
  EXPECT_EQ(mean_and_error({}).count, 0u);
}

TEST(RunSummary, AddsUpViolations) {
  RunRecord record;
  record.episodes.columns = {"episode", "return", "expected_cost", "violation"};
  record.episodes.values = {{1, 2, 3}, {0, 0, 0}, {0.5, 1.5, 2.5}, {0.0, 0.5, 1.5}};
  const RunSummary summary = summarise(record);
  EXPECT_EQ(summary.total_violation, 2.0);
  EXPECT_EQ(summary.violating, 2);
  EXPECT_EQ(summary.mean_expected_cost, 1.5);
  EXPECT_FALSE(summary.total_regret.has_value());
}

}  // namespace
}  // namespace vapor
