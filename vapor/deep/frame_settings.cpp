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
  const auto by_index_only = [&](bool refused, const char* setting, const char* value) {
    if (refused)
      throw InputError(fmt::format("--agent {}:{}", agent.name(), setting),
                       fmt::format("{} asks for states that are known by their index", value));
  };
  by_index_only(config.uncertainty.kind == UncertaintyKind::kCounts, "uncertainty", "counts");
  by_index_only(config.uncertainty.kind == UncertaintyKind::kDistillation, "uncertainty", "rnd");
  by_index_only(config.objective.optimism == Optimism::kOccupancy, "optimism", "occupancy");
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

FrameTrainingSettings frame_settings_of(const std::string& folder, const Definition& definition) {
  try {
    return {.env = definition.at("env"),
            .agent = definition.at("agent"),
            .frames = definition.at("frames"),
            .seed = definition.at("seed"),
            .places = definition.at("places"),
            .actors = definition.at("actors"),
            .clip_rewards = definition.at("clip_rewards"),
            .checkpoint_frames = definition.at("checkpoint_frames")};
  } catch (const nlohmann::json::exception& error) {
    throw InputError(folder + "/run.json",
                     fmt::format("is no run of vapor train: {}", error.what()));
  }
}

RandomStream agent_stream(const FrameTrainingSettings& settings) {
  return RandomStream(settings.seed).split("agent");
}

}  // namespace vapor::deep
