#include "vapor/env/four_rooms.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "tests/env/refusal.h"
#include "vapor/env/stationary_pair.h"

namespace vapor {
namespace {

std::string drawing(const Grid& grid) {
  std::string text;
  for (Index cell = 0; cell < grid.cells(); ++cell) {
    if (cell % grid.columns == 0) text += '\n';
    text += grid.wall[cell] != 0 ? '#' : '.';
  }
  return text;
}

TEST(FourRooms, HasADoorInEachArmOfTheWalls) {
  EXPECT_EQ(drawing(four_rooms_grid(5)), R"(
..#..
.....
#.#.#
.....
..#..)");
  EXPECT_EQ(drawing(four_rooms_grid(9)), R"(
....#....
....#....
.........
....#....
##.###.##
....#....
.........
....#....
....#....)");
}

// The default horizon is long enough to stand in the farthest cell and try each action there.
TEST(FourRooms, EveryPairCanBeTriedWithinTheHorizon) {
  for (Index size = 5; size <= 25; size += 2) {
    const Grid grid = four_rooms_grid(size);
    const std::vector<Index> distance = distances(grid, 0);
    EXPECT_EQ(*std::max_element(distance.begin(), distance.end()), 2 * (size - 1)) << size;
    Index free_cells = 0;
    for (Index cell = 0; cell < grid.cells(); ++cell) {
      EXPECT_EQ(distance[cell] == -1, grid.wall[cell] != 0) << "a closed room";
      free_cells += grid.wall[cell] == 0 ? 1 : 0;
    }
    EXPECT_EQ(free_cells, size * size - (2 * size - 1) + 4);
    const Environment rooms = four_rooms({.size = size});
    const std::vector<Index> number = stationary_pair(rooms);
    EXPECT_EQ(*std::max_element(number.begin(), number.end()) + 1, 4 * free_cells) << size;
    EXPECT_EQ(rooms.shape().states_of(2 * size - 1).size(), free_cells) << size;
  }
}

// Coverage is counted over layers: waiting in the corner is one pair, however often it is done.
TEST(FourRooms, StationaryPairsForgetTheLayer) {
  const Environment rooms = four_rooms({.size = 5});
  const std::vector<Index> number = stationary_pair(rooms);
  std::vector<double> policy(rooms.shape().pairs(), 0.0);
  for (Index s = 0; s < rooms.shape().states(); ++s)
    policy[rooms.shape().pairs_of(s).first() + kUp] = 1.0;
  RandomStream random(1);
  std::set<Index> covered;
  for (const Step& step : play(rooms, policy, random)) covered.insert(number[step.pair]);
  EXPECT_EQ(covered, (std::set<Index>{kUp}));
}

TEST(FourRooms, PaysNothingAndIsKnown) {
  const Environment rooms = four_rooms({});
  for (double mean : rooms.model.reward_mean) EXPECT_EQ(mean, 0.0);
  EXPECT_TRUE(rooms.known.dynamics);
  EXPECT_TRUE(rooms.goals.empty());
}

TEST(FourRooms, RefusesBadSettingsByName) {
  for (Index size : {3, 8, 201, -5})
    test_support::refused("size", [&] { four_rooms({.size = size}); });
  test_support::refused("horizon", [] { four_rooms({.horizon = 10001}); });
}

}  // namespace
}  // namespace vapor
