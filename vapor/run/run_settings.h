// All that defines a run, of whatever kind. Two runs with equal settings have the same bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "vapor/core/index.h"
#include "vapor/record/run_folder.h"

namespace vapor {

enum class RunKind {
  kTable,    // `vapor run`: agents that keep a belief about every state
  kNetwork,  // `vapor train`: agents that learn networks
};

enum class StopRule {
  kNever,    // after the last episode
  kSolved,   // once the environment is solved (vapor/record/solved_rule.h)
  kCovered,  // once every cell and action of the environment was tried, in whatever layer
};

std::string name_of(StopRule rule);

// Throws InputError that names the setting `stop`.
StopRule stop_rule_of(const std::string& name);

// Of environments that are observed as arrays, which are trained by frames. A frame is one action
// at one place. An environment that repeats each action (Atari: four times) plays that many times
// as many frames of its own; papers on Atari count those.
struct FrameSettings {
  std::int64_t frames = 1'000'000;  // at least so many, over all places
  Index places = 8;                 // environments side by side, of each actor
  Index actors = 0;                 // threads that play beside the learner; 0: one thread, exact
  bool clip_rewards = true;         // to [-1, 1] in what is learned from
  // Frames between checkpoints, rounded up to whole rounds. On one thread every place begins a new
  // episode there, so that a run can be resumed exactly although a game cannot be saved.
  std::int64_t checkpoint_frames = 50'000;
};

struct RunSettings {
  std::string env;  // specs, e.g. deep_sea:depth=30
  std::string agent;
  std::string belief;  // of tables; empty: the one that fits the environment

  // Of agents that solve a program each episode and whose spec names no tolerance. Nothing: the run
  // was begun before records had it, with kOldTolerance.
  std::optional<double> tolerance = std::nullopt;

  std::int64_t episodes = 1000;
  std::uint64_t seed = 1;
  StopRule stop = StopRule::kNever;
  std::int64_t snapshot_every = 0;  // episodes, of tables; 0: no snapshots
  RunKind kind = RunKind::kTable;
  std::optional<FrameSettings> by_frames = std::nullopt;  // then episodes and stop mean nothing
};

// What somebody asks for. What is not given has its default; what is given and does not go with the
// environment is refused.
struct RunRequest {
  RunKind kind = RunKind::kTable;
  std::string env;
  std::string agent;
  std::optional<std::string> belief = std::nullopt;
  std::uint64_t seed = 1;
  std::optional<std::int64_t> episodes = std::nullopt;
  std::optional<std::string> stop = std::nullopt;
  std::optional<std::int64_t> snapshot_every = std::nullopt;
  std::optional<std::int64_t> checkpoint_every = std::nullopt;  // episodes; changes no byte
  std::optional<std::int64_t> frames = std::nullopt;
  std::optional<Index> places = std::nullopt;
  std::optional<Index> actors = std::nullopt;
  std::optional<bool> clip_rewards = std::nullopt;
  std::optional<std::int64_t> checkpoint_frames = std::nullopt;
};

// The settings that a request comes to, complete. `by_frames` of the second is for environments
// that are not known by name.
RunSettings settings_of(const RunRequest& request);
RunSettings settings_of(const RunRequest& request, bool by_frames);

// The settings with their belief and tolerance filled in. Throws InputError that names the setting
// if any of them is not good; makes environment, belief and agent to find out, but nothing that
// learns.
RunSettings complete(RunSettings settings);

// What the record of such a run says about it.
RunHeader header_of(const RunSettings& settings);

// The settings of a run that was made before; throws InputError that names its file.
RunSettings settings_of(const std::string& folder, const Definition& definition);

// The agent of such a run, with the tolerance that it has: vapor:tolerance=0.01.
std::string agent_spec(const RunSettings& settings);

// The command that makes it, without the name of the program and without where it is to be made:
// {"run", "--env", "deep_sea", ...}.
std::vector<std::string> words_of(const RunSettings& settings);

}  // namespace vapor
