#include "vapor/env/grid_world.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "tests/env/refusal.h"
#include "vapor/env/grid.h"
#include "vapor/env/stationary_pair.h"
#include "vapor/mdp/backward_induction.h"

namespace vapor {
namespace {

// The best first move towards a reward in one cell of the last layer, drawn from every cell of a
// layer in which all cells can be reached.
std::string best_moves(const Environment& world, Index layer) {
  std::vector<double> reward(world.shape().pairs(), 0.0);
  const Shape& shape = world.shape();
  const Index treasure = shape.states_of(shape.layers() - 1).last() - 1;
  for (Index p : shape.pairs_of(treasure)) reward[p] = 1.0;
  const OptimalValues values = backward_induction(world.model, reward);
  std::string drawing;
  for (Index s : shape.states_of(layer)) {
    if (world.cells[s].column == 0) drawing += '\n';
    Index best = 0;
    double most = -1.0;
    for (Index p : shape.pairs_of(s)) {
      if (values.Q[p] <= most) continue;
      most = values.Q[p];
      best = p - shape.pairs_of(s).first();
    }
    drawing += most == 0.0 ? '.' : "^>v<"[best];
  }
  return drawing;
}

// Two moves before the end, 4 x 4: who is within two moves of the corner goes there; of equal ways
// the first in the order up, right, down, left. So the cell above the corner first bumps into the
// wall, and the corner steps out and comes back. Out of reach: a dot.
TEST(GridWorld, MovesAsTheArrowsPoint) {
  const Environment world = grid_world({.size = 4, .horizon = 10});
  EXPECT_EQ(best_moves(world, 7), R"(
....
...v
..>>
.>>^)");
}

TEST(GridWorld, LayersHoldTheCellsWithinReach) {
  const Environment corner = grid_world({.size = 10});
  ASSERT_EQ(corner.shape().layers(), 20);
  for (Index l = 0; l < 20; ++l) {
    Index within = 0;  // the corner can wait, so distance at most l
    for (Index i = 0; i < 100; ++i) within += i / 10 + i % 10 <= l ? 1 : 0;
    EXPECT_EQ(corner.shape().states_of(l).size(), within) << l;
  }
  const Environment centre = grid_world({.size = 9, .start = GridWorldSettings::Start::kCentre});
  EXPECT_EQ(centre.cells[0].row, 4);
  EXPECT_EQ(centre.cells[0].column, 4);
  EXPECT_EQ(centre.shape().states_of(1).size(), 4);
  EXPECT_EQ(centre.shape().states_of(2).size(), 9);
}

// Right from the top left corner: 1 - slip to the right; slips go up, that is nowhere, and down.
TEST(GridWorld, SlipsToTheSides) {
  const Environment world = grid_world({.size = 3, .slip = 0.2});
  const auto probability = [&](Index pair, Index row, Index column) {
    double sum = 0.0;
    const Transitions& P = world.model.transitions;
    for (Offset k = P.begin[pair]; k < P.begin[pair + 1]; ++k) {
      const Cell cell = world.cells[P.next_state[k]];
      if (cell.row == row && cell.column == column) sum += P.probability[k];
    }
    return sum;
  };
  EXPECT_DOUBLE_EQ(probability(kRight, 0, 1), 0.8);
  EXPECT_DOUBLE_EQ(probability(kRight, 1, 0), 0.1);
  EXPECT_DOUBLE_EQ(probability(kRight, 0, 0), 0.1);
  EXPECT_DOUBLE_EQ(probability(kUp, 0, 0), 0.9);  // bumps, or slips to the left
  EXPECT_DOUBLE_EQ(probability(kUp, 0, 1), 0.1);
}

// The true means are one draw from the prior that agents are told: standardised, they are N(0, 1).
TEST(GridWorld, ItsTruthIsDrawnFromTheKnownPrior) {
  for (bool stationary : {true, false}) {
    const Environment world = grid_world({.stationary_prior = stationary, .seed = 5});
    EXPECT_TRUE(world.known.dynamics);
    double sum = 0.0;
    double squares = 0.0;
    const Index n = world.shape().pairs();
    for (Index p = 0; p < n; ++p) {
      const double z = (world.model.reward_mean[p] - world.known.reward_mean[p]) /
                       std::sqrt(world.known.reward_variance[p]);
      sum += z;
      squares += z * z;
    }
    EXPECT_LT(std::abs(sum / n), 5.0 / std::sqrt(n));
    EXPECT_NEAR(squares / n, 1.0, 5.0 * std::sqrt(2.0 / n));
  }
}

TEST(GridWorld, ItsPriorIsStationaryIfAsked) {
  for (bool stationary : {true, false}) {
    const Environment world = grid_world({.size = 4, .stationary_prior = stationary});
    const std::vector<Index> number = stationary_pair(world);
    std::vector<double> of_number(4 * 4 * 4, NAN);
    bool same = true;
    for (Index p = 0; p < world.shape().pairs(); ++p) {
      double& stored = of_number[number[p]];
      if (std::isnan(stored)) stored = world.known.reward_mean[p];
      same = same && stored == world.known.reward_mean[p];
    }
    EXPECT_EQ(same, stationary);
  }
}

TEST(GridWorld, RefusesBadSettingsByName) {
  using test_support::refused;
  refused("size", [] { grid_world({.size = 1}); });
  refused("size", [] { grid_world({.size = 201}); });
  refused("horizon", [] { grid_world({.horizon = -1}); });
  refused("horizon", [] { grid_world({.size = 200}); });  // 64 million pairs
  refused("slip", [] { grid_world({.slip = 1.1}); });
  refused("mean_scale", [] { grid_world({.mean_scale = -1.0}); });
  refused("deviation_scale", [] { grid_world({.deviation_scale = NAN}); });
  refused("noise", [] { grid_world({.noise = -0.1}); });
}

}  // namespace
}  // namespace vapor
