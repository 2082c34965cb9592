// A training in environments that are observed as arrays: an agent plays at several places side by
// side and learns from what is owed for it, until so many frames were played.
//
// On one thread a round is played and what is owed is learned, in turn; a run that is killed
// resumes from its last checkpoint to the same bytes. With actors the learner is this thread, and
// the environments are played by threads of their own (vapor/deep/actor_threads.h); such a run is
// resumed too, but no two of them are the same.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "vapor/deep/actor/hand_over.h"
#include "vapor/deep/actor/vector_actor.h"
#include "vapor/deep/learner.h"
#include "vapor/run/player.h"
#include "vapor/run/run_settings.h"
#include "vapor/run/worlds.h"

namespace vapor {

// The agent's settings; throws InputError that names the setting if they or those of the training
// are bad. Makes nothing.
deep::Config check_frame_training(const RunSettings& settings, const TrainingParts& parts);

// What the agents of a training are made from: its learner's, its actors' and that of a player.
RandomStream agent_stream(const RunSettings& settings);

// The state of a training: all that a checkpoint saves, and how frames become learning.
class FrameTraining {
 public:
  FrameTraining(const RunSettings& settings, const deep::Config& config, const TrainingParts& parts,
                const ObservationShape& shape, Index actions);

  bool is_over() const { return frames_ >= settings_.frames; }
  bool checkpoint_due() const { return frames_ >= next_checkpoint_; }

  // What was played with the training's own store and agent.
  void take(const deep::Played& played);

  // A sequence that another store's actor played.
  void take(const deep::HandedOver& handed);

  // Learns what is owed; adds the rows of the episodes that were taken since the last call.
  void learn(std::vector<EpisodeRow>& rows);

  // The seed of everything that is played from here to the next checkpoint.
  std::uint64_t seed_of_play() const;

  std::int64_t frames() const { return frames_; }
  std::int64_t episodes() const { return episodes_; }
  nn::ObservationStore& store() { return store_; }
  deep::Agent& agent() { return *agent_; }
  const deep::Learner& learner() const { return *learner_; }

  // At a checkpoint: counts it, and saves.
  std::string save();
  void restore(const std::string& state);

 private:
  void archive(Archive& archive);
  void add_episode(const deep::PlayedEpisode& episode);

  FrameSettings settings_;
  RandomStream random_;
  nn::ObservationStore store_;
  std::unique_ptr<deep::Agent> agent_;
  std::unique_ptr<deep::Learner> learner_;
  std::vector<EpisodeRow> rows_;
  std::vector<Index> last_;  // by actor and place: the last observation that it handed over; or -1
  std::int64_t checkpoint_period_;
  std::int64_t next_checkpoint_;
  std::int64_t checkpoints_ = 0;
  std::int64_t frames_ = 0;
  std::int64_t episodes_ = 0;
};

// The agent of a training that was made before in this folder, as far as playing needs it, for
// observations of the store. Throws InputError that names what is wrong with it.
std::unique_ptr<deep::Agent> trained_agent(const RunSettings& settings, const TrainingParts& parts,
                                           const nn::ObservationStore& store, Index actions,
                                           const std::string& folder);

// Plays it, on one thread or with actors. The environments are made here.
std::unique_ptr<Player> make_frame_player(const RunSettings& settings, const deep::Config& config,
                                          const TrainingParts& parts);

}  // namespace vapor
