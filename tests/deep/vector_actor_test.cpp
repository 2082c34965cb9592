#include "vapor/deep/actor/vector_actor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/deep/counting_environment.h"
#include "vapor/core/check.h"

namespace vapor::deep {
namespace {

using test_support::CountingEnvironment;
using test_support::CountingSettings;
using test_support::number_in;
using test_support::UniformAgent;

struct Play {
  explicit Play(const CountingSettings& settings, Index unroll = 4, bool clip = true)
      : environment(settings),
        store(environment.shape(), observations_to_hold(0, unroll, environment.places())),
        actor({unroll, clip}, environment, store),
        agent(environment.actions()) {
    actor.begin(agent, 1);
  }

  Index seen(Index number) const { return number_in(store, number); }

  CountingEnvironment environment;
  ObservationStore store;
  VectorActor actor;
  UniformAgent agent;
};

// Episodes of seven steps that end, in sequences of four: 4 + 3 frames, over and over.
TEST(VectorActor, SequencesAreTheUnrollOrReachTheEndOfAnEpisode) {
  Play play({.places = 3, .length = 7});
  std::vector<std::vector<std::size_t>> lengths(3);
  for (int round = 1; round <= 28; ++round) {
    for (const PlayedSequence& sequence : play.actor.play_round(play.agent).sequences) {
      lengths[sequence.place].push_back(sequence.frames.size());
      EXPECT_EQ(sequence.begins_episode, play.seen(sequence.frames.front().observation) % 100 == 0);
      for (std::size_t i = 0; i < sequence.frames.size(); ++i) {
        const Frame& frame = sequence.frames[i];
        const bool last = i + 1 == sequence.frames.size() && sequence.frames.size() == 3;
        EXPECT_EQ(frame.last, last);
        EXPECT_EQ(frame.behaviour, 0.5F);
        if (last) continue;
        EXPECT_EQ(play.seen(frame.next_observation), play.seen(frame.observation) + 1);
        if (i + 1 == sequence.frames.size()) continue;
        EXPECT_EQ(frame.next_observation, sequence.frames[i + 1].observation);
      }
    }
    EXPECT_EQ(play.actor.frames_in_hand() % 3, 0);
  }
  for (const auto& of_place : lengths)
    EXPECT_EQ(of_place, (std::vector<std::size_t>{4, 3, 4, 3, 4, 3, 4, 3}));
}

// A cut episode is valued at its last observation, and its place goes on with the first of the
// next.
TEST(VectorActor, ACutEpisodeLeadsToItsLastObservation) {
  Play play({.places = 1, .length = 3, .cut = true});
  play.actor.play_round(play.agent);
  play.actor.play_round(play.agent);
  const Played& played = play.actor.play_round(play.agent);
  ASSERT_EQ(played.sequences.size(), 1u);
  const Frame& last = played.sequences[0].frames.back();
  EXPECT_FALSE(last.last);
  EXPECT_EQ(play.seen(last.observation), 2);
  EXPECT_EQ(play.seen(last.next_observation), 3) << "of this episode";
  ASSERT_EQ(played.episodes.size(), 1u);
  EXPECT_EQ(played.episodes[0].length, 3);
  play.actor.play_round(play.agent);
  const Played& broken = play.actor.break_off();
  ASSERT_EQ(broken.sequences.size(), 1u);
  EXPECT_TRUE(broken.sequences[0].begins_episode);
  EXPECT_EQ(play.seen(broken.sequences[0].frames[0].observation), 100) << "the second episode";
  EXPECT_EQ(play.seen(broken.sequences[0].frames[0].next_observation), 101);
}

// Environments that begin an episode in a step of its own give the frames of those that do not.
TEST(VectorActor, AnIdleStepIsNoFrame) {
  for (const bool cut : {false, true}) {
    Play play(
        {.places = 2, .length = 3, .cut = cut, .idles = true, .long_place = 1, .long_length = 5});
    std::vector<std::vector<Index>> shown(2);
    std::vector<std::int64_t> lengths;
    std::int64_t frames = 0;
    for (int round = 0; round < 12; ++round) {
      const Played& played = play.actor.play_round(play.agent);
      frames += played.frames;
      for (const PlayedSequence& sequence : played.sequences) {
        EXPECT_EQ(sequence.begins_episode,
                  play.seen(sequence.frames.front().observation) % 100 == 0);
        for (const Frame& frame : sequence.frames) {
          const Index from = play.seen(frame.observation);
          shown[sequence.place].push_back(from);
          if (!frame.last) {
            EXPECT_EQ(play.seen(frame.next_observation), from + 1);
          }
        }
      }
      for (const PlayedEpisode& episode : played.episodes) {
        EXPECT_EQ(episode.length, episode.place == 0 ? 3 : 5);
        EXPECT_EQ(episode.sigma, 0.25) << "idle steps do not count";
        lengths.push_back(episode.length);
      }
    }
    EXPECT_EQ(shown[0], (std::vector<Index>{0, 1, 2, 100, 101, 102, 200, 201, 202}));
    EXPECT_EQ(shown[1], (std::vector<Index>{0, 1, 2, 3, 4, 100, 101, 102, 103, 104}));
    EXPECT_EQ(frames, 19) << "24 actions, 3 + 2 of them idle";
    EXPECT_EQ(lengths.size(), 5u);
  }
}

TEST(VectorActor, RewardsAreClippedInFramesAndNotInReturns) {
  for (const bool clip : {true, false}) {
    Play play({.places = 1, .length = 3, .reward = 5.0F}, 4, clip);
    play.actor.play_round(play.agent);
    play.actor.play_round(play.agent);
    const Played& played = play.actor.play_round(play.agent);
    ASSERT_EQ(played.episodes.size(), 1u);
    EXPECT_EQ(played.episodes[0].episode_return, 15.0);
    EXPECT_NEAR(played.episodes[0].entropy, std::log(2.0), 1e-12);
    EXPECT_EQ(played.episodes[0].sigma, 0.25) << "the mean";
    for (const Frame& frame : played.sequences[0].frames)
      EXPECT_EQ(frame.reward, clip ? 1.0F : 5.0F);
  }
}

TEST(VectorActor, BreakingOffHandsOverTheRestAndBeginForgetsIt) {
  Play play({.places = 2, .length = 100});
  for (int round = 0; round < 6; ++round) play.actor.play_round(play.agent);
  EXPECT_EQ(play.actor.frames_in_hand(), 4);
  const Played& rest = play.actor.break_off();
  ASSERT_EQ(rest.sequences.size(), 2u);
  EXPECT_EQ(rest.sequences[0].frames.size(), 2u);
  EXPECT_TRUE(rest.episodes.empty());
  EXPECT_EQ(play.actor.frames_in_hand(), 0);
  play.actor.begin(play.agent, 2);
  play.actor.play_round(play.agent);
  play.actor.begin(play.agent, 3);
  EXPECT_TRUE(play.actor.break_off().sequences.empty());
}

// The worst case: a place of long sequences among places whose episodes are one step long and cut,
// so that each round adds two observations a place; everything in a replay of few slots stays.
TEST(VectorActor, TheStoreHoldsAllThatAReplayRefersTo) {
  constexpr Index kUnroll = 10;
  constexpr Index kSlots = 1;
  CountingEnvironment environment(
      {.places = 4, .length = 1, .cut = true, .long_place = 3, .long_length = 1000});
  ObservationStore store(environment.shape(), observations_to_hold(kSlots, kUnroll, 4));
  VectorActor actor({kUnroll, true}, environment, store);
  UniformAgent agent(2);
  std::vector<std::vector<Frame>> replay;
  actor.begin(agent, 1);
  for (int round = 0; round < 200; ++round) {
    for (const PlayedSequence& sequence : actor.play_round(agent).sequences) {
      replay.emplace_back(sequence.frames.begin(), sequence.frames.end());
      if (std::ssize(replay) > kSlots) replay.erase(replay.begin());
    }
    for (const auto& sequence : replay)
      for (const Frame& frame : sequence) {
        ASSERT_TRUE(store.holds(frame.observation));
        ASSERT_TRUE(store.holds(frame.next_observation));
        ASSERT_EQ(number_in(store, frame.next_observation),
                  number_in(store, frame.observation) + 1);
      }
  }
  ObservationStore small(environment.shape(), observations_to_hold(0, kUnroll, 4) - 1);
  EXPECT_THROW(VectorActor({kUnroll, true}, environment, small), InternalError);
}

}  // namespace
}  // namespace vapor::deep
