// Plays an agent at all places of a vector environment, and makes of it sequences to learn from.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "vapor/core/random.h"
#include "vapor/deep/agent.h"
#include "vapor/env/vector_environment.h"
#include "vapor/nn/observation_store.h"

namespace vapor::deep {

struct VectorActorSettings {
  Index unroll = 20;         // frames of a sequence; fewer where an episode is over
  bool clip_rewards = true;  // to [-1, 1] in what is learned from; returns are reported as they are
};

// Frames that follow one another at a place. The last one leads to an observation that is to be
// valued, unless it ends the episode.
struct PlayedSequence {
  Index place = 0;
  bool begins_episode = false;
  std::span<const Frame> frames;
};

// An episode that is over: it ended, or it was cut short by its environment.
struct PlayedEpisode {
  Index place = 0;
  double episode_return = 0.0;  // unclipped
  std::int64_t length = 0;      // frames
  double sigma = 0.0;           // mean over the frames of sum_a pi_a sigma_a
  double entropy = 0.0;         // mean over the frames of the policy's entropy
};

// What a round gave; the frames hold until the next.
struct Played {
  std::int64_t frames = 0;  // new ones, those that are still in hand included
  std::vector<PlayedSequence> sequences;
  std::vector<PlayedEpisode> episodes;
};

// How many observations a store must hold so that everything that a replay of `slots` sequences and
// an actor refer to is in it. A sequence of n frames has at most n + 1 observations, and those that
// were added after the oldest observation of the replay belong
//   - to the sequences of the replay, `slots` of them;
//   - to sequences that are being played, one a place;
//   - to sequences that were complete before the oldest one of the replay was, but were played
//     during it: in at most `unroll` rounds, at most two observations a place and round.
Index observations_to_hold(Index slots, Index unroll, Index places);

class VectorActor {
 public:
  // Both must outlive it. The agents that play must read their observations from this store.
  VectorActor(const VectorActorSettings& settings, VectorEnvironment& environment,
              ObservationStore& store);

  Index places() const { return environment_.places(); }

  // Begins an episode at every place; what was being played is dropped. Everything that happens
  // until the next call follows from the seed and from what the agent plays.
  void begin(Agent& agent, std::uint64_t seed);

  // One action at every place: one frame each, but where a place was idle.
  const Played& play_round(Agent& agent);

  // Hands over what was played since the last sequences, as if it were cut short here. Nothing goes
  // on after it but `begin`.
  const Played& break_off();

  // Frames that were played and not yet handed over.
  std::int64_t frames_in_hand() const;

 private:
  void act(Agent& agent);
  void take(Agent& agent, const VectorStep& step, Index place);
  void hand_over(Index place);
  void begin_episode(Agent& agent, Index place, std::span<const std::byte> first);
  void clear_played();

  struct Place {
    Index observation = -1;
    bool begins_episode = true;  // the sequence that is being played
    bool handed_over = false;    // in this round
    std::vector<Frame> frames;
    PlayedEpisode episode;  // sigma and entropy as sums
  };

  VectorActorSettings settings_;
  VectorEnvironment& environment_;
  ObservationStore& store_;
  RandomStream random_{0};
  std::vector<Place> places_;
  std::vector<Index> observations_;  // by place, and so the rest
  std::vector<Index> actions_;
  std::vector<double> pi_;  // by place and action
  std::vector<double> sigma_;
  Played played_;
};

}  // namespace vapor::deep
