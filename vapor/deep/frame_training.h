// Training on vector environments: an agent plays at several places side by side and learns from
// what is owed for it, until so many frames were played.
//
// On one thread a round is played and what is owed is learned, in turn; a run that is killed
// resumes from its last checkpoint to the same bytes. With actors the learner is this thread, and
// the environments are played by threads of their own (actor_threads.h); such a run is resumed too,
// but no two of them are the same.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "vapor/deep/actor/actor_threads.h"
#include "vapor/deep/actor/vector_actor.h"
#include "vapor/deep/frame_settings.h"
#include "vapor/deep/learner.h"
#include "vapor/deep/training.h"

namespace vapor::deep {

// A line of episodes.csv: an episode that is over, and how far the training was.
struct FrameTrainingRow {
  PlayedEpisode episode;
  std::int64_t frames = 0;  // played so far, and so the rest
  std::int64_t learner_frames = 0;
  Losses losses;
};

// The state of a training: all that a checkpoint saves, and how frames become learning.
class FrameTraining {
 public:
  FrameTraining(const FrameTrainingSettings& settings, const Config& config,
                const TrainingParts& parts, const ObservationShape& shape, Index actions);

  bool is_over() const { return frames_ >= settings_.frames; }
  bool checkpoint_due() const { return frames_ >= next_checkpoint_; }

  // What was played with the training's own store and agent.
  void take(const Played& played);

  // A sequence that another store's actor played.
  void take(const HandedOver& handed);

  // Learns what is owed; the rows of the episodes that were taken since the last call.
  std::vector<FrameTrainingRow> learn();

  // The seed of everything that is played from here to the next checkpoint.
  std::uint64_t seed_of_play() const;

  std::int64_t frames() const { return frames_; }
  std::int64_t episodes() const { return episodes_; }
  ObservationStore& store() { return store_; }
  Agent& agent() { return *agent_; }
  const Learner& learner() const { return *learner_; }

  // At a checkpoint: counts it, and saves.
  std::string save();
  void restore(const std::string& state);

 private:
  void archive(Archive& archive);
  void add_episode(const PlayedEpisode& episode);

  FrameTrainingSettings settings_;
  RandomStream random_;
  ObservationStore store_;
  std::unique_ptr<Agent> agent_;
  std::unique_ptr<Learner> learner_;
  std::vector<FrameTrainingRow> rows_;
  std::vector<Index> last_;  // by actor and place: the last observation that it handed over; or -1
  std::int64_t checkpoint_period_;
  std::int64_t next_checkpoint_;
  std::int64_t checkpoints_ = 0;
  std::int64_t frames_ = 0;
  std::int64_t episodes_ = 0;
};

// How a training stands, for whoever watches it.
struct FrameProgress {
  std::int64_t frames = 0;
  std::int64_t frames_wanted = 0;
  std::int64_t episodes = 0;
  std::int64_t learner_frames = 0;
  double frames_per_second = 0.0;  // played, since the process began or resumed the run
  double mean_return = 0.0;        // of the last 100 episodes, and so the rest; 0 before any
  double mean_length = 0.0;
  double sigma = 0.0;
  double entropy = 0.0;
  Losses losses;                       // of the last step of the learner
  std::int64_t environments_lost = 0;  // and replaced
  std::int64_t frames_lost = 0;        // played in them by actors and never handed over
};

struct FrameTrainingOptions {
  // Called when the record is open, and then after each round, or with actors after each sequence
  // and while none arrive; false interrupts.
  std::function<bool(const FrameProgress&)> keep_going = [](const FrameProgress&) { return true; };
};

// Makes the run of these settings in a folder of its own, or goes on with it there. Throws
// InputError as RunFolder does, and EnvironmentLost if the environments are lost again and again.
//
// An interrupted run on one thread goes on from its last checkpoint, one with actors from where it
// was.
TrainingEnd train(const FrameTrainingSettings& settings, const TrainingParts& parts,
                  const std::string& folder, const FrameTrainingOptions& options = {});

// What a run came to, from its record alone.
struct FrameTrainingSummary {
  std::int64_t episodes = 0;
  std::int64_t frames = 0;  // up to the end of the last episode
  std::int64_t learner_frames = 0;
  double mean_return = 0.0;         // of all episodes
  double recent_mean_return = 0.0;  // of the last 100
  double best_return = 0.0;
  double seconds = 0.0;
  double frames_per_second = 0.0;  // played
};

FrameTrainingSummary summarise_frame_training(const RunRecord& record);

}  // namespace vapor::deep
