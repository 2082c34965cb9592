#include "vapor/mdp/shape.h"

#include <gtest/gtest.h>

#include "vapor/core/check.h"

namespace vapor {
namespace {

// Layer 0: one state of 2 actions; layer 1: states of 1 and 3 actions; layer 2: one of 1.
Shape ragged() {
  Shape shape;
  shape.add_layer();
  EXPECT_EQ(shape.add_state(2), 0);
  shape.add_layer();
  EXPECT_EQ(shape.add_state(1), 1);
  EXPECT_EQ(shape.add_state(3), 2);
  shape.add_layer();
  EXPECT_EQ(shape.add_state(1), 3);
  return shape;
}

void expect_range(Range range, Index first, Index last) {
  EXPECT_EQ(range.first(), first);
  EXPECT_EQ(range.last(), last);
}

TEST(Shape, CountsLayersStatesAndPairs) {
  const Shape shape = ragged();
  EXPECT_EQ(shape.layers(), 3);
  EXPECT_EQ(shape.states(), 4);
  EXPECT_EQ(shape.pairs(), 7);
  EXPECT_EQ(shape.largest_layer(), 2);
}

TEST(Shape, NumbersStatesAndPairsThroughAllLayers) {
  const Shape shape = ragged();
  expect_range(shape.states_of(0), 0, 1);
  expect_range(shape.states_of(1), 1, 3);
  expect_range(shape.states_of(2), 3, 4);
  expect_range(shape.pairs_of(0), 0, 2);
  expect_range(shape.pairs_of(1), 2, 3);
  expect_range(shape.pairs_of(2), 3, 6);
  expect_range(shape.pairs_of(3), 6, 7);
  expect_range(shape.pairs_of_layer(0), 0, 2);
  expect_range(shape.pairs_of_layer(1), 2, 6);
  expect_range(shape.pairs_of_layer(2), 6, 7);
}

TEST(Shape, IsEmptyAtFirst) {
  const Shape shape;
  EXPECT_EQ(shape.layers(), 0);
  EXPECT_EQ(shape.states(), 0);
  EXPECT_EQ(shape.pairs(), 0);
  EXPECT_EQ(shape.largest_layer(), 0);
}

TEST(Shape, EqualityComparesEveryCount) {
  Shape more_actions = ragged();
  more_actions.add_state(1);
  EXPECT_EQ(ragged(), ragged());
  EXPECT_NE(ragged(), more_actions);
  EXPECT_NE(ragged(), Shape());
}

TEST(Shape, AStateNeedsALayer) {
  Shape shape;
  EXPECT_THROW(shape.add_state(1), InternalError);
}

}  // namespace
}  // namespace vapor
