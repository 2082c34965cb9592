// The environments with a cost: the numbers of the public code of DOPE, by hand, and lava.
#include "vapor/env/budget.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "tests/env/refusal.h"
#include "vapor/env/factored_cmdp.h"
#include "vapor/env/inventory.h"
#include "vapor/env/lava_grid.h"
#include "vapor/env/media_streaming.h"
#include "vapor/env/registry.h"
#include "vapor/mdp/constrained_plan.h"
#include "vapor/mdp/policy.h"

namespace vapor {
namespace {

std::vector<double> row_of_pair(const Environment& world, Index pair) {
  const Transitions& P = world.model.transitions;
  const Range next = world.shape().states_of(1);
  std::vector<double> row(next.size(), 0.0);
  for (Offset k = P.begin[pair]; k < P.begin[pair + 1]; ++k)
    row[P.next_state[k] - next.first()] += P.probability[k];
  return row;
}

double best_value(const Environment& world) {
  return constrained_optimum(world.model, world.cost->of_pair, world.cost->budget).value;
}

// Three moves of six: from 0 they pay 1/3, 2/3 and 1, in whatever layers.
TEST(FactoredCmdp, BuysThreeMoves) {
  const Environment ring = factored_cmdp({});
  EXPECT_EQ(ring.cost->budget, 3.0);
  EXPECT_NEAR(best_value(ring), 2.0, 1e-12);
  // A fifth of the budget, .6 moves: a fifth of the time all three of them.
  EXPECT_NEAR(ring.cost->baseline_cost, 0.6, 1e-12);
  const std::vector<double> occupancy = occupancy_of(ring.model, ring.cost->baseline);
  EXPECT_NEAR(
      std::inner_product(occupancy.begin(), occupancy.end(), ring.model.reward_mean.begin(), 0.0),
      0.4, 1e-12);
}

TEST(Inventory, HasTheNumbersOfDope) {
  const Environment store = inventory({});
  const Shape& shape = store.shape();
  EXPECT_EQ(shape.layers(), 7);
  EXPECT_EQ(shape.pairs(), 7 * 21);
  EXPECT_EQ(store.cost->budget, 3.5);
  // Stock 1, order 2: three items, of which 0, 1, 2 or more are asked for.
  const Index pair = shape.pairs_of(1).first() + 2;
  const std::vector<double> row = row_of_pair(store, pair);
  const std::vector<double> expected = {0.3, 0.2, 0.2, 0.3, 0.0, 0.0};
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(row[i], expected[i], 1e-15) << i;
  // c = (4 + 2 2 + 3) / (4 + 2 5 + 5); r = (.2 1 + .2 2 + .3 3) / (.2 1 + .2 2 + .2 3 + .05 4 + .05
  // 5).
  EXPECT_NEAR(store.cost->of_pair[pair], 11.0 / 19.0, 1e-15);
  EXPECT_NEAR(store.model.reward_mean[pair], 1.5 / 1.65, 1e-12);
}

TEST(MediaStreaming, HasTheNumbersOfDope) {
  const Environment stream = media_streaming({});
  const Shape& shape = stream.shape();
  EXPECT_EQ(shape.layers(), 10);
  EXPECT_EQ(stream.cost->budget, 5.0);
  const auto near = [&](Index state, Index action, Index next, double expected) {
    EXPECT_NEAR(row_of_pair(stream, shape.pairs_of(state).first() + action)[next], expected, 1e-15);
  };
  near(4, 0, 4, 0.74);
  near(4, 0, 5, 0.18);
  near(4, 0, 3, 0.08);
  near(4, 1, 5, 0.02);
  near(4, 1, 3, 0.72);
  near(0, 1, 0, 0.98);
  near(9, 0, 9, 0.92);
  EXPECT_EQ(stream.model.reward_mean[0], -1.0);
  EXPECT_EQ(stream.model.reward_mean[2], 0.0);
  EXPECT_EQ(stream.cost->of_pair[0], 1.0);
  EXPECT_EQ(stream.cost->of_pair[1], 0.0);
}

// Without slips, the way around the lava is six steps long and the way through it four, through
// three cells: a budget of 3 buys two steps more in the goal.
TEST(LavaGrid, SellsTheShortWay) {
  EXPECT_NEAR(best_value(lava_grid({.slip = 0.0, .budget = 3.0})), 11.0, 1e-12);
  EXPECT_NEAR(best_value(lava_grid({.slip = 0.0, .budget = 1e-9})), 9.0, 1e-8);
  EXPECT_NEAR(best_value(lava_grid({.slip = 0.0, .budget = 1.5})), 10.0, 1e-12);
}

TEST(Budget, BaselinesCostAFifthOfIt) {
  for (const char* spec : {"factored_cmdp", "inventory", "media_streaming", "lava_grid"}) {
    const Environment world = make_environment(Spec("env", spec), 1);
    ASSERT_TRUE(world.cost) << spec;
    const std::vector<double> occupancy = occupancy_of(world.model, world.cost->baseline);
    const double cost =
        std::inner_product(occupancy.begin(), occupancy.end(), world.cost->of_pair.begin(), 0.0);
    EXPECT_NEAR(cost, world.cost->baseline_cost, 1e-12) << spec;
    EXPECT_NEAR(cost, world.cost->budget / 5.0, 1e-12) << spec;
    RandomStream random(1);
    for (const Step& step : play(world, world.cost->baseline, random))
      EXPECT_EQ(step.cost, world.cost->of_pair[step.pair]) << spec;
  }
}

TEST(Budget, RefusesBadSettingsByName) {
  using test_support::refused;
  refused("horizon", [] { factored_cmdp({.horizon = 0}); });
  refused("horizon", [] { inventory({.horizon = -1}); });
  refused("buffer", [] { media_streaming({.buffer = 1}); });
  refused("slip", [] { lava_grid({.slip = 2.0}); });
  refused("budget", [] { lava_grid({.budget = 0.0}); });
  refused("budget", [] {
    Environment ring = factored_cmdp({});
    set_cost(ring, std::vector<double>(ring.shape().pairs(), 1.0), 6.0);  // a fifth is too little
  });
}

}  // namespace
}  // namespace vapor
