#include "vapor/env/river_swim.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "tests/env/refusal.h"
#include "vapor/mdp/backward_induction.h"

namespace vapor {
namespace {

// One line a layer: the optimal action of each state.
std::string best_strokes(const Environment& swim) {
  const Shape& shape = swim.shape();
  const OptimalValues values = backward_induction(swim.model, swim.model.reward_mean);
  std::string text;
  for (Index l = 0; l < shape.layers(); ++l) {
    text += '\n';
    for (Index s : shape.states_of(l))
      text += values.policy[shape.pairs_of(s).first()] == 1.0 ? '<' : '>';
  }
  return text;
}

// With time to spare it pays to swim: five strokes and a sixth for the reward succeed at first with
// 0.3^6 = 0.0007. In the last steps the small reward is all that the lower states can still get,
// 0.003 from the start. Where neither can be had, ties go left.
TEST(RiverSwim, IsWorthSwimmingWhileThereIsTime) {
  EXPECT_EQ(best_strokes(river_swim({.horizon = 6})), R"(
<>>>>>
<>>>>>
<<>>>>
<<<>>>
<<<<>>
<<<<<>)");
  EXPECT_THAT(best_strokes(river_swim({.horizon = 20})), testing::StartsWith("\n>>>>>>\n>>>>>>\n"));
}

TEST(RiverSwim, HasTheCurrentOfStrehlAndLittman) {
  const Environment swim = river_swim({});
  const Shape& shape = swim.shape();
  const Transitions& P = swim.model.transitions;
  const auto row = [&](Index state, Index action) {
    std::vector<double> probability(6, 0.0);
    const Index pair = shape.pairs_of(state).first() + action;
    for (Offset k = P.begin[pair]; k < P.begin[pair + 1]; ++k)
      probability[P.next_state[k] - shape.states_of(1).first()] += P.probability[k];
    return probability;
  };
  EXPECT_EQ(row(0, 0), (std::vector<double>{1, 0, 0, 0, 0, 0}));
  EXPECT_EQ(row(3, 0), (std::vector<double>{0, 0, 1, 0, 0, 0}));
  EXPECT_EQ(row(0, 1), (std::vector<double>{0.7, 0.3, 0, 0, 0, 0}));
  EXPECT_EQ(row(3, 1), (std::vector<double>{0, 0, 0.1, 0.6, 0.3, 0}));
  EXPECT_EQ(row(5, 1), (std::vector<double>{0, 0, 0, 0, 0.7, 0.3}));
  EXPECT_EQ(swim.model.initial, (std::vector<double>{0, 0.5, 0.5, 0, 0, 0}));
  EXPECT_EQ(swim.goals.size(), 20u);
}

// Two steps from the end, in the last state: 0.3 now, then 0.3 if it held on.
TEST(RiverSwim, HasItsValuesByHand) {
  const Environment swim = river_swim({.horizon = 2});
  const OptimalValues values = backward_induction(swim.model, swim.model.reward_mean);
  EXPECT_DOUBLE_EQ(values.V[5], 0.3 + 0.3 * 0.3);
  EXPECT_DOUBLE_EQ(values.V[0], 2.0 * 0.0005);
  EXPECT_DOUBLE_EQ(values.V[1], 0.0005);
  EXPECT_EQ(values.V[2], 0.0);
}

TEST(RiverSwim, RefusesBadSettingsByName) {
  using test_support::refused;
  refused("states", [] { river_swim({.states = 2}); });
  refused("horizon", [] { river_swim({.horizon = 0}); });
  refused("noise", [] { river_swim({.noise = -1.0}); });
}

}  // namespace
}  // namespace vapor
