// Training: an agent plays an episode, learns from what is owed for it, and the record goes on; it
// may be killed at any moment and resumes to the same bytes. One seed is one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "vapor/core/error.h"
#include "vapor/deep/actor/actor.h"
#include "vapor/deep/config.h"
#include "vapor/deep/learner.h"
#include "vapor/record/run_folder.h"
#include "vapor/record/run_record.h"

namespace vapor::deep {

struct TrainingSettings {
  std::string env = "deep_sea:depth=10";  // a spec
  std::string agent = "vapor-lite";       // a spec
  std::int64_t episodes = 1000;           // >= 1
  std::uint64_t seed = 1;
  bool stop_when_solved = false;
};

// Throws InputError that names the place; builds nothing that learns.
void validate(const TrainingSettings& settings);

RunHeader header_of(const TrainingSettings& settings);

// The settings of a run that was made before; throws InputError that names its file.
TrainingSettings training_settings_of(const std::string& folder, const Definition& definition);

// When an environment counts as solved: at the first episode, 100 or later, at which the goal was
// reached in at least a tenth of the episodes so far.
class SolvedRule {
 public:
  void add(bool success);
  std::int64_t episodes() const { return episodes_; }
  std::optional<std::int64_t> first_success() const { return when(first_success_); }
  std::optional<std::int64_t> solved() const { return when(solved_); }
  void archive(Archive& archive);

 private:
  static std::optional<std::int64_t> when(std::int64_t episode) {
    return episode > 0 ? std::optional(episode) : std::nullopt;
  }

  std::int64_t episodes_ = 0;
  std::int64_t successes_ = 0;
  std::int64_t first_success_ = 0;  // 0: not yet
  std::int64_t solved_ = 0;
};

// A line of episodes.csv.
struct TrainingRow {
  EpisodeReport episode;
  std::int64_t frames = 0;          // of the environment
  std::int64_t learner_frames = 0;  // learned from after it
  Losses losses;                    // of the last step of the learner
};

class Training {
 public:
  explicit Training(const TrainingSettings& settings);

  bool is_over() const;
  TrainingRow play_and_learn();

  const SolvedRule& rule() const { return rule_; }
  std::int64_t frames() const { return frames_; }  // played so far
  Learner& learner() { return *learner_; }
  Agent& agent() { return *agent_; }
  const Environment& environment() const { return environment_; }

  std::string save();
  void restore(const std::string& state);

 private:
  void archive(Archive& archive);

  TrainingSettings settings_;
  RandomStream random_;
  Environment environment_;
  Actor actor_;
  Config config_;
  std::unique_ptr<Agent> agent_;
  std::unique_ptr<Learner> learner_;
  SolvedRule rule_;
  std::int64_t frames_ = 0;
};

// Takes a training, of either kind, to the checkpoint that its record was opened at. Throws
// InputError that names the file.
template <typename AnyTraining>
void restore_from(const RunFolder& record, AnyTraining& training) {
  if (record.state().empty()) return;
  try {
    training.restore(record.state());
  } catch (const InputError&) {
    throw InputError(record.path() + "/checkpoint",
                     "is of another build; delete it to train from the start");
  }
}

enum class TrainingEnd { kFinished, kWasFinished, kInterrupted };

struct TrainingOptions {
  CheckpointPeriod checkpoint;

  // Called when the record is opened (with no row) and after each episode; false interrupts.
  std::function<bool(std::int64_t, const TrainingRow*)> keep_going =
      [](std::int64_t, const TrainingRow*) { return true; };
};

// Makes the run of these settings in a folder of its own, or goes on with it there. Throws
// InputError as RunFolder does.
TrainingEnd train(const TrainingSettings& settings, const std::string& folder,
                  const TrainingOptions& options = {});

// What a run came to, from its record alone.
struct TrainingSummary {
  std::int64_t episodes = 0;
  std::optional<std::int64_t> first_success;
  std::optional<std::int64_t> solved;
  double mean_return = 0.0;
  std::int64_t frames = 0;  // of the environment
  std::int64_t learner_frames = 0;
  double seconds = 0.0;            // playing and learning
  double frames_per_second = 0.0;  // learned from
};

TrainingSummary summarise_training(const RunRecord& record);

}  // namespace vapor::deep
