#include "vapor/env/catch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "vapor/env/vector_registry.h"

namespace vapor {
namespace {

// The board of a place as rows of text.
std::string drawn(std::span<const std::byte> observations, Index place, Index rows, Index columns) {
  std::string text;
  for (Index i = 0; i < rows * columns; ++i) {
    text += observations[place * rows * columns + i] == std::byte{1} ? 'x' : '.';
    if ((i + 1) % columns == 0 && i + 1 < rows * columns) text += '/';
  }
  return text;
}

TEST(Catch, FallsARowAStepAndPaysAtTheBottom) {
  const auto game = make_catch({.rows = 4, .columns = 1}, 1);
  EXPECT_EQ(drawn(game->reset(1), 0, 4, 1), "x/././x");
  const std::vector<Index> stay = {1};
  VectorStep step = game->step(stay);
  EXPECT_EQ(drawn(step.observations, 0, 4, 1), "./x/./x");
  EXPECT_EQ(step.rewards[0], 0.0F);
  EXPECT_EQ(step.ended[0], 0);
  step = game->step(stay);
  EXPECT_EQ(drawn(step.observations, 0, 4, 1), "././x/x");
  step = game->step(stay);
  EXPECT_EQ(step.rewards[0], 1.0F) << "one column: it cannot be missed";
  EXPECT_EQ(step.ended[0], 1);
  EXPECT_EQ(step.cut[0], 0);
  EXPECT_EQ(drawn(step.last_observations, 0, 4, 1), "./././x");
  EXPECT_EQ(drawn(step.observations, 0, 4, 1), "x/././x") << "the next episode";
}

TEST(Catch, ThePaddleGoesLeftAndRightAndStopsAtTheWalls) {
  const auto game = make_catch({.rows = 10, .columns = 5}, 2);
  game->reset(1);
  const auto paddles = [&](Index left, Index right) {
    const std::vector<Index> actions = {left, right};
    const VectorStep step = game->step(actions);
    return drawn(step.observations, 0, 10, 5).substr(54) + " " +
           drawn(step.observations, 1, 10, 5).substr(54);
  };
  EXPECT_EQ(paddles(0, 2), ".x... ...x.");
  EXPECT_EQ(paddles(0, 2), "x.... ....x");
  EXPECT_EQ(paddles(0, 2), "x.... ....x");
  EXPECT_EQ(paddles(1, 0), "x.... ...x.");
}

// The ball's columns are uniform, the reward is 1 exactly where it is met, and a seed is a seed.
TEST(Catch, IsTheSameFromTheSameSeed) {
  const auto play = [](std::uint64_t seed) {
    const auto game = make_catch({}, 3);
    std::string all = drawn(game->reset(seed), 0, 10, 5);
    const std::vector<Index> stay = {1, 1, 1};
    int caught = 0;
    int episodes = 0;
    for (int t = 0; t < 9000; ++t) {
      const VectorStep step = game->step(stay);
      for (Index place = 0; place < 3; ++place) {
        episodes += step.ended[place];
        if (step.rewards[place] == 1.0F) ++caught;
      }
      if (t < 100) all += drawn(step.observations, 2, 10, 5);
    }
    EXPECT_EQ(episodes, 3000) << "nine steps each";
    EXPECT_NEAR(caught, 600, 4 * 22) << "a fifth, within four standard deviations";
    return all;
  };
  EXPECT_EQ(play(1), play(1));
  EXPECT_NE(play(1), play(2));
}

TEST(VectorRegistry, KnowsCatchAndRefusesOthers) {
  const auto game = make_vector_environment(Spec("--env", "catch:rows=7,columns=3"), 2);
  EXPECT_EQ(game->shape(), (ObservationShape{.height = 7, .width = 3, .element = Element::kFlag}));
  EXPECT_EQ(game->places(), 2);
  const auto refusal = [](const char* spec) -> std::string {
    try {
      make_vector_environment(Spec("--env", spec), 1);
    } catch (const InputError& error) {
      return error.what();
    }
    return "nothing was refused";
  };
  EXPECT_THAT(refusal("cath"), testing::HasSubstr("did you mean catch"));
  EXPECT_THAT(refusal("catch:rows=1"), testing::HasSubstr("--env catch:rows"));
  EXPECT_THAT(refusal("catch:size=3"), testing::HasSubstr("size"));
}

}  // namespace
}  // namespace vapor
