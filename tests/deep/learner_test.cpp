#include "vapor/deep/learner.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "tests/deep/counting_environment.h"

namespace vapor::deep {
namespace {

// Half of a batch is new frames. Sequences of two frames where twenty are allowed once came in
// faster than they were taken, and waited for ever.
TEST(Learner, ShortSequencesAreLearnedFromWhileTheyAreNew) {
  constexpr Index kSequences = 300;
  Config config;
  config.batch_frames = 60;
  config.replay_fraction = 0.5;
  config.replay = {.frames = 20 * kSequences, .unroll = 20};
  test_support::UniformAgent agent(2);
  Learner learner(config, agent, 10, RandomStream(1));
  std::vector<Index> in_order(kSequences);
  std::iota(in_order.begin(), in_order.end(), 0);
  std::vector<Index> learned;
  for (Index i = 0; i < kSequences; ++i) {
    learner.add(std::vector<Frame>(2));
    if (learner.learn() == 0) continue;
    const std::vector<Index>& slots = learner.batch().slot;
    ASSERT_EQ(slots.size(), 30u);
    learned.insert(learned.end(), slots.begin(), slots.begin() + 15);
  }
  EXPECT_EQ(learned, in_order);
}

// A part of an episode is one sequence if it is no longer than the unroll, and its last frame leads
// on to an observation that is valued.
TEST(Learner, TakesReadySequences) {
  Config config;
  config.discount = 0.5;
  config.batch_frames = 3;
  config.replay_fraction = 0.0;
  config.replay = {.frames = 30, .unroll = 3};
  test_support::UniformAgent agent(2);
  Learner learner(config, agent, 10, RandomStream(1));
  const std::vector<Frame> frames = {{.observation = 4, .next_observation = 5},
                                     {.observation = 5, .next_observation = 6},
                                     {.observation = 6, .next_observation = 7}};
  learner.add(frames);
  ASSERT_EQ(learner.learn(), 1);
  const Batch& batch = learner.batch();
  EXPECT_EQ(batch.sequences(), 1);
  EXPECT_EQ(batch.discount, (std::vector<float>{0.5F, 0.5F, 0.5F}));
  EXPECT_EQ(batch.observations.observations()[batch.next_row[2]], 7);
}

}  // namespace
}  // namespace vapor::deep
