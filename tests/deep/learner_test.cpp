#include "vapor/deep/learner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "tests/deep/counting_environment.h"
#include "vapor/core/error.h"

namespace vapor::deep {
namespace {

// Half of a batch is new frames. Sequences of two frames where twenty are allowed once came in
// faster than they were taken, and waited for ever.
TEST(Learner, ShortSequencesAreLearnedFromWhileTheyAreNew) {
  constexpr Index kSequences = 300;
  Config config;
  config.learning.batch_frames = 60;
  config.learning.replay_fraction = 0.5;
  config.learning.replay = {.frames = 20 * kSequences, .unroll = 20};
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

// Prefers sequences of fewer than ten frames when it replays.
class PrefersShort : public test_support::UniformAgent {
 public:
  PrefersShort() : UniformAgent(2) {}
  void learn(const Batch& batch, RandomStream& /*random*/, std::span<double> priorities) override {
    for (Index k = 0; k < batch.sequences(); ++k)
      priorities[k] = batch.frames_of(k).size() < 10 ? 100.0 : 1.0;
  }
};

// A batch ends with a whole sequence, so it is longer than asked for, and it pays for new frames by
// its whole length. Batches that took no more new frames than were asked for once left some behind
// at each step, without end.
TEST(Learner, NewSequencesDoNotPileUp) {
  constexpr Index kSequences = 4000;
  Config config;
  config.learning.batch_frames = 200;
  config.learning.replay_fraction = 0.9;
  config.learning.replay = {.frames = 20 * kSequences, .unroll = 20};
  PrefersShort agent;
  Learner learner(config, agent, 10, RandomStream(1));
  for (Index i = 0; i < kSequences; ++i) {
    learner.add(std::vector<Frame>(i % 20 == 0 ? 1 : 20));
    if (learner.learn() == 0) continue;
    const Index first_new = learner.batch().slot.front();  // slots are filled in order
    ASSERT_LE(i - first_new, 10);
  }
}

class Diverges : public test_support::UniformAgent {
 public:
  Diverges() : UniformAgent(2) {}
  void learn(const Batch& batch, RandomStream& /*random*/, std::span<double> priorities) override {
    std::ranges::fill(priorities.first(batch.sequences()), std::nan(""));
  }
};

// It once ended in a broken check of the replay.
TEST(Learner, ATrainingThatDivergesSaysSo) {
  Config config;
  config.learning.batch_frames = 2;
  config.learning.replay = {.frames = 20, .unroll = 2};
  Diverges agent;
  Learner learner(config, agent, 10, RandomStream(1));
  learner.add(std::vector<Frame>(2));
  try {
    learner.step();
    FAIL() << "it went on";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("the training diverged"));
  }
}

// A part of an episode is one sequence if it is no longer than the unroll, and its last frame leads
// on to an observation that is valued.
TEST(Learner, TakesReadySequences) {
  Config config;
  config.learning.discount = 0.5;
  config.learning.batch_frames = 3;
  config.learning.replay_fraction = 0.0;
  config.learning.replay = {.frames = 30, .unroll = 3};
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
