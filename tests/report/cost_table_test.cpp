#include "vapor/report/cost_table.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "tests/report/recorded_study.h"

namespace vapor {
namespace {

class CostTable : public test_support::StudyTest {
 protected:
  // Two episodes that cost 1 and `cost`, under a budget of 2.
  void record_cost(const std::string& agent, std::uint64_t seed, double cost) {
    test_support::RecordedRun run;
    run.env = "factored_cmdp";
    run.agent = agent;
    run.seed = seed;
    run.episodes = 2;
    RunHeader header = test_support::header_of(run);
    header.columns = {"episode", "return",        "value",     "regret",
                      "cost",    "expected_cost", "violation", "success"};
    RunFolder folder(path("runs/" + agent + std::to_string(seed)), header);
    folder.append(std::vector{0.0, 0.0, 1.0, 1.0, 1.0, 0.0, 0.0}, 0.001);
    folder.append(std::vector{0.0, 0.0, 1.0, 1.0, cost, std::max(0.0, cost - 2.0), 0.0}, 0.001);
    folder.finish();
  }
};

TEST_F(CostTable, SumsViolationsAndAveragesOverTheSeeds) {
  record_cost("dope", 1, 2.0);
  record_cost("dope", 2, 2.0);
  record_cost("vapor", 1, 3.0);
  record_cost("vapor", 2, 2.0);
  const std::optional<Figure> table = cost_table(study(), "c");
  ASSERT_TRUE(table.has_value());
  const auto row = test_support::rows_where(table->picture, "agent", "vapor").at(0);
  EXPECT_EQ(table->picture.at(row, "violation"), 0.5);
  EXPECT_EQ(table->picture.at(row, "standard_error"), 0.5);
  EXPECT_EQ(table->picture.at(row, "share"), 0.25);
  EXPECT_EQ(table->picture.at(row, "cost"), 1.75);
  EXPECT_EQ(table->full.rows.size(), 4u);
  EXPECT_THAT(table->summary, testing::HasSubstr("dope 0"));
}

TEST_F(CostTable, IsNotThereWhereNothingCosts) {
  record({});
  EXPECT_FALSE(cost_table(study(), "c").has_value());
}

}  // namespace
}  // namespace vapor
