#include "vapor/mdp/episode.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "vapor/core/error.h"

namespace vapor {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

// Two layers: one state with two actions, then two states with one action each.
Shape two_layers() {
  Shape shape;
  shape.add_layer();
  shape.add_state(2);
  shape.add_layer();
  shape.add_state(1);
  shape.add_state(1);
  return shape;
}

TEST(Episode, StepsOfTheShapeAreGood) {
  EXPECT_NO_THROW(validate(two_layers(), {{0, 0.5, 1}, {2, -1.0, -1}}));
  EXPECT_NO_THROW(validate(two_layers(), {{1, 0.5, 2}, {3, 0.0, -1}}));
  EXPECT_NO_THROW(validate(two_layers(), {}));
}

TEST(Episode, WhatDoesNotFitIsRefusedWithItsPlace) {
  const auto refused = [](const Episode& episode, const char* message) {
    EXPECT_THAT([&] { validate(two_layers(), episode); },
                ThrowsMessage<InputError>(HasSubstr(message)));
  };
  refused({{4, 0.0, -1}}, "steps[0].pair: must be in 0..3, got 4");
  refused({{-1, 0.0, -1}}, "steps[0].pair: must be in 0..3, got -1");
  refused({{0, 0.0, 1}, {2, std::numeric_limits<double>::quiet_NaN(), -1}}, "steps[1].reward");
  refused({{0, 0.0, -1}}, "steps[0].next_state: must be in 1..2, got -1");  // not the last layer
  refused({{0, 0.0, 0}}, "steps[0].next_state: must be in 1..2, got 0");
  refused({{3, 0.0, 1}}, "steps[0].next_state: must be in -1..-1, got 1");  // the last layer
}

}  // namespace
}  // namespace vapor
