#include "vapor/deep/frame_settings.h"

#include <fmt/format.h>

#include "vapor/core/error.h"

namespace vapor::deep {

Config validate(const FrameTrainingSettings& settings, const TrainingParts& parts) {
  constexpr std::int64_t kMostFrames = 1'000'000'000'000;
  const auto within = [](const char* option, std::int64_t low, std::int64_t high,
                         std::int64_t value) {
    if (value < low || value > high)
      throw InputError(option, fmt::format("must be {}..{}, got {}", low, high, value));
  };
  within("--frames", 1, kMostFrames, settings.frames);
  within("--places", 1, 1024, settings.places);
  within("--actors", 0, 256, settings.actors);
  within("--checkpoint-frames", 1, kMostFrames, settings.checkpoint_frames);
  Spec agent("--agent", settings.agent);
  const Config config = read_config(agent, parts.defaults("--agent", agent.name()));
  if (config.uncertainty == UncertaintyKind::kCounts)
    throw InputError(fmt::format("--agent {}:uncertainty", agent.name()),
                     "counts asks for states that are known by their index; use ensemble");
  return config;
}

RunHeader header_of(const FrameTrainingSettings& settings) {
  RunHeader header;
  header.definition = {{"env", settings.env},
                       {"agent", settings.agent},
                       {"frames", settings.frames},
                       {"seed", settings.seed},
                       {"places", settings.places},
                       {"actors", settings.actors},
                       {"clip_rewards", settings.clip_rewards},
                       {"checkpoint_frames", settings.checkpoint_frames}};
  header.command = fmt::format(
      "vapor train --env {} --agent {} --frames {} --seed {} --places {} --actors {}{} "
      "--checkpoint-frames {}",
      settings.env, settings.agent, settings.frames, settings.seed, settings.places,
      settings.actors, settings.clip_rewards ? "" : " --unclipped-rewards",
      settings.checkpoint_frames);
  header.columns = {"episode", "return",  "length",      "frames",     "learner_frames",
                    "sigma",   "entropy", "policy_loss", "value_loss", "reward_loss"};
  return header;
}

}  // namespace vapor::deep
