#include "vapor/deep/replay/replay.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "vapor/deep/replay/sum_tree.h"

namespace vapor::deep {
namespace {

const Replay::DrawExtras kNoExtras = [](std::span<float>) {};

// Pearson's statistic of how often each item was drawn.
double chi_square(const std::vector<int>& drawn, const std::vector<double>& probability) {
  int total = 0;
  for (const int n : drawn) total += n;
  double statistic = 0.0;
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    const double expected = total * probability[i];
    if (expected > 0.0) statistic += (drawn[i] - expected) * (drawn[i] - expected) / expected;
  }
  return statistic;
}

TEST(SumTree, FindsTheItemAtAPoint) {
  SumTree tree(5);
  const std::vector<double> weights = {1.0, 0.0, 2.0, 0.5, 0.0};
  for (Index i = 0; i < 5; ++i) tree.set(i, weights[i]);
  EXPECT_DOUBLE_EQ(tree.total(), 3.5);
  EXPECT_EQ(tree.find(0.0), 0);
  EXPECT_EQ(tree.find(0.999), 0);
  EXPECT_EQ(tree.find(1.0), 2);
  EXPECT_EQ(tree.find(2.999), 2);
  EXPECT_EQ(tree.find(3.0), 3);
  EXPECT_EQ(tree.find(3.5), 3) << "rounding up to the total must not reach an item of weight 0";
  tree.set(0, 0.0);
  tree.set(3, 0.0);
  EXPECT_EQ(tree.find(0.0), 2);
  EXPECT_EQ(tree.find(5.0), 2);
}

// Many changes leave no trace: the sums are those of the weights that stand.
TEST(SumTree, ErrorsDoNotAddUp) {
  SumTree tree(100);
  RandomStream random(1);
  for (int i = 0; i < 100000; ++i) tree.set(random.index(100), random.uniform() * 1e6);
  for (Index i = 0; i < 100; ++i) tree.set(i, 0.0);
  EXPECT_EQ(tree.total(), 0.0);
}

TEST(Replay, SamplesInProportionToThePriorityToItsExponent) {
  for (const double exponent : {0.0, 0.5, 1.0}) {
    Replay replay({.frames = 10, .unroll = 1, .exponent = exponent, .least_priority = 0.05});
    std::vector<double> weight;
    double total = 0.0;
    for (Index i = 0; i < 10; ++i) {
      replay.insert(std::vector<Frame>(1), kNoExtras);
      const double priority = 0.1 * i;
      replay.set_priority(i, priority);
      weight.push_back(std::pow(std::max(priority, 0.05), exponent));
      total += weight.back();
    }
    for (double& w : weight) w /= total;
    for (Index i = 0; i < 10; ++i) EXPECT_NEAR(replay.probability(i), weight[i], 1e-12);
    RandomStream random(3);
    std::vector<int> drawn(10, 0);
    for (int i = 0; i < 100000; ++i) ++drawn[replay.sample(random)];
    EXPECT_LT(chi_square(drawn, weight), 27.9) << "99.9% of chi-square with 9 degrees";
  }
}

TEST(Replay, NewSequencesComeWithTheLargestPriority) {
  Replay replay({.frames = 3, .unroll = 1});
  replay.insert(std::vector<Frame>(1), kNoExtras);
  replay.set_priority(0, 4.0);
  replay.set_priority(0, 1.0);
  const Index slot = replay.insert(std::vector<Frame>(1), kNoExtras);
  EXPECT_DOUBLE_EQ(replay.probability(slot), 0.8);
}

TEST(Replay, TheOldestSequenceGivesWayAndComesBackAsItWas) {
  Replay replay({.frames = 6, .unroll = 3, .extras = 2});
  float next = 0.0F;
  const auto count = [&](std::span<float> extras) {
    for (float& x : extras) x = next++;
  };
  const auto sequence = [](Index from, Index length) {
    std::vector<Frame> frames;
    for (Index t = 0; t < length; ++t)
      frames.push_back(
          {from + t, t % 2, from + t + 1, static_cast<float>(from), 0.5F, t + 1 == length});
    return frames;
  };
  EXPECT_EQ(replay.slots(), 2);
  EXPECT_EQ(replay.insert(sequence(10, 3), count), 0);
  EXPECT_EQ(replay.insert(sequence(20, 2), count), 1);
  EXPECT_EQ(replay.insert(sequence(30, 1), count), 0);
  Batch batch(100, 10);
  replay.append_to(batch, 0, 0.9F);
  replay.append_to(batch, 1, 0.9F);
  ASSERT_EQ(batch.frames(), 3);
  EXPECT_EQ(batch.sequences(), 2);
  EXPECT_EQ(batch.observations.observations()[batch.row[0]], 30);
  EXPECT_EQ(batch.observations.observations()[batch.row[2]], 21);
  EXPECT_EQ(batch.next_row[1], batch.row[2]) << "20 is followed by 21, and both are one row";
  EXPECT_EQ(batch.discount[0], 0.0F);
  EXPECT_EQ(batch.discount[1], 0.9F);
  EXPECT_EQ(batch.extras[1][0], 6.0F);
  EXPECT_EQ(batch.rows(), 3);
}

}  // namespace
}  // namespace vapor::deep
