// The one loop of all runs: somebody plays, the rows go to the record, and the process may be
// killed at any moment and go on from there.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "vapor/record/run_folder.h"
#include "vapor/run/player.h"
#include "vapor/run/run_settings.h"
#include "vapor/run/worlds.h"

namespace vapor {

enum class RunEnd {
  kFinished,     // all is played, or the stop rule holds
  kWasFinished,  // before the call: nothing was done
  kInterrupted,  // by the caller; the same call goes on from there
};

const char* name_of(RunEnd end);

// How a run stands, for whoever watches it.
struct RunProgress {
  std::int64_t episodes = 0;
  std::int64_t successes = 0;  // of this process, and so the rest
  EpisodeRow last;             // zeros before any
  double mean_return = 0.0;    // of the last 100 episodes; 0 before any
  double mean_length = 0.0;
  double mean_sigma = 0.0;
  double mean_entropy = 0.0;
  std::int64_t frames = 0;  // of the whole run
  std::int64_t learner_frames = 0;
  deep::Losses losses;                     // of the last step
  double seconds = 0.0;                    // playing and learning, of this process
  double frames_per_second = 0.0;          // played by this process
  double learner_frames_per_second = 0.0;  // learned from by this process
  std::int64_t environments_lost = 0;      // and replaced
  std::int64_t frames_lost = 0;            // played in them and never learned from
};

struct LoopOptions {
  CheckpointPeriod checkpoint;

  // Hears what was found damaged in the record and mended, a line each.
  std::function<void(const std::string&)> say = [](const std::string&) {};

  // Called when the record is opened, and then after each episode or round; false interrupts.
  std::function<bool(const RunProgress&)> keep_going = [](const RunProgress&) { return true; };
};

// A run as the loop takes it.
struct RunPlan {
  RunHeader header;

  // Of the definition that the record has, which an older program may have begun.
  std::function<std::unique_ptr<Player>(const Definition& definition)> make_player;
  bool logs = false;  // to TensorBoard

  // Whether lost environments cost what was played since the last checkpoint, no more: the bytes
  // then are those of a run that lost none. Otherwise EnvironmentLost is thrown.
  bool goes_back_for_lost_environments = false;
};

// Settings that are complete.
RunPlan plan_of(const RunSettings& settings);

// In environments that somebody else makes.
RunPlan plan_of(const RunSettings& settings, const TrainingParts& parts);

// Makes the run in a folder of its own, or goes on with it there. Throws InputError as RunFolder
// does, and EnvironmentLost if the environments are lost again and again.
RunEnd make_run(const RunPlan& plan, const std::string& folder, const LoopOptions& options = {});

inline RunEnd make_run(const RunSettings& settings, const std::string& folder,
                       const LoopOptions& options = {}) {
  return make_run(plan_of(settings), folder, options);
}

}  // namespace vapor
