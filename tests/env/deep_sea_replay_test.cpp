// bsuite's DeepSea, recorded (tests/reference/environments), played again with the same draws.
#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "vapor/env/deep_sea.h"

namespace vapor {
namespace {

using nlohmann::json;

json recorded_seas() {
  std::ifstream in(VAPOR_SOURCE_DIR "/tests/reference/environments/deep_sea.json");
  return json::parse(in);
}

DeepSeaSettings settings_of(const json& record) {
  return {.depth = record["size"].get<Index>(),
          .mapping_seed = record["mapping_seed"].get<std::uint32_t>(),
          .stochastic = record["stochastic"].get<bool>()};
}

struct RecordedStep {
  Cell cell;
  Index action = 0;
  double uniform = 0.0;  // 0 where none was drawn
  double normal = 0.0;
  double reward = 0.0;
  Cell next;  // (-1, -1) at the end
};

RecordedStep step_of(const json& s) {
  return {.cell = {s[0].get<Index>(), s[1].get<Index>()},
          .action = s[2].get<Index>(),
          .uniform = s[3].is_null() ? 0.0 : s[3].get<double>(),
          .normal = s[4].is_null() ? 0.0 : s[4].get<double>(),
          .reward = s[5].get<double>(),
          .next = {s[6].get<Index>(), s[7].get<Index>()}};
}

TEST(DeepSeaReplay, HasTheActionMapOfBsuite) {
  int seas = 0;
  for (const json& record : recorded_seas()) {
    std::vector<Index> expected;  // the cells that can be reached
    const auto size = record["size"].get<std::size_t>();
    for (std::size_t row = 0; row < size; ++row)
      for (std::size_t column = 0; column <= row; ++column)
        expected.push_back(record["mapping"][row].get<std::string>()[column] - '0');
    EXPECT_EQ(right_actions(settings_of(record)), expected) << record["mapping_seed"];
    ++seas;
  }
  EXPECT_EQ(seas, 24);
}

// Rewards are equal to the last bit but for one pair, the goal of the stochastic sea: there bsuite
// computes (1 + z) - cost and we (1 - cost) + z, which may differ by a rounding.
TEST(DeepSeaReplay, GoesWhereBsuiteGoesAndPaysWhatItPays) {
  int steps = 0;
  int treasures = 0;
  int failures = 0;
  for (const json& record : recorded_seas()) {
    const Environment sea = deep_sea(settings_of(record));
    const Shape& shape = sea.shape();
    for (const json& episode : record["episodes"]) {
      Index state = 0;
      for (const json& recorded : episode) {
        const RecordedStep expected = step_of(recorded);
        ASSERT_EQ(sea.cells[state].row, expected.cell.row);
        ASSERT_EQ(sea.cells[state].column, expected.cell.column);
        const Index pair = shape.pairs_of(state).first() + expected.action;
        const Step step = take(sea, pair, expected.uniform, expected.normal);
        if (pair == sea.goals.at(0) && sea.noise[pair] != 0.0)
          ASSERT_NEAR(step.reward, expected.reward, 0x1p-51);
        else
          ASSERT_EQ(step.reward, expected.reward);
        ++steps;
        treasures += pair == sea.goals.at(0) ? 1 : 0;
        state = step.next_state;
        ASSERT_EQ(state == -1, expected.next.row == -1);
        if (state == -1) break;
        ASSERT_EQ(sea.cells[state].row, expected.next.row);
        ASSERT_EQ(sea.cells[state].column, expected.next.column);
        failures += expected.next.column == expected.cell.column && expected.cell.column > 0;
      }
      ASSERT_EQ(state, -1);
    }
  }
  EXPECT_EQ(steps, 8 * (8 * 5 + 6 * 10 + 3 * 30));
  EXPECT_GT(treasures, 20);
  EXPECT_GT(failures, 15);
}

}  // namespace
}  // namespace vapor
