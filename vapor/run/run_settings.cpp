#include "vapor/run/run_settings.h"

#include <fmt/format.h>

#include <array>
#include <limits>
#include <utility>

#include "vapor/agent/registry.h"
#include "vapor/core/error.h"
#include "vapor/core/spec.h"
#include "vapor/core/text.h"
#include "vapor/env/registry.h"
#include "vapor/run/beliefs.h"
#include "vapor/run/episode_training.h"
#include "vapor/run/frame_training.h"
#include "vapor/run/worlds.h"

namespace vapor {
namespace {

constexpr std::array kStopRules = {StopRule::kNever, StopRule::kSolved, StopRule::kCovered};

void expect_within(const char* name, std::int64_t value, std::int64_t low, std::int64_t high) {
  if (value < low || value > high)
    throw InputError(setting(name), fmt::format("must be {}..{}, got {}", low, high, value));
}

constexpr std::int64_t kMostEpisodes = 1'000'000'000;

RunSettings complete_table(RunSettings settings) {
  expect_within("episodes", settings.episodes, 1, kMostEpisodes);
  expect_within("snapshot_every", settings.snapshot_every, 0, kMostEpisodes);
  const Spec env(setting("env"), settings.env);
  const Environment environment = make_environment(env, settings.seed);
  if (settings.belief.empty()) settings.belief = default_belief(env.name(), environment);
  if (settings.stop == StopRule::kSolved && environment.goals.empty())
    throw InputError(setting("stop"),
                     fmt::format("solved asks for a goal, and {} has none", env.name()));
  make_agent(Spec(setting("agent"), settings.agent),
             make_belief(Spec(setting("belief"), settings.belief), environment), {},
             environment.cost);
  return settings;
}

template <typename T>
void refuse(const char* name, const std::optional<T>& given, const std::string& why) {
  if (given) throw InputError(setting(name), "does not go with " + why);
}

void refuse_other_kinds(const RunRequest& r, bool by_frames) {
  if (by_frames) {
    const std::string why = r.env + ", which is observed as arrays: it is trained by frames";
    refuse("episodes", r.episodes, why);
    refuse("stop", r.stop, why);
    refuse("checkpoint_every", r.checkpoint_every, why);
  } else {
    const std::string why = r.env + ", whose states are known by index: it is " +
                            (r.kind == RunKind::kTable ? "played" : "trained") + " by episodes";
    refuse("frames", r.frames, why);
    refuse("places", r.places, why);
    refuse("actors", r.actors, why);
    refuse("clip_rewards", r.clip_rewards, why);
    refuse("checkpoint_frames", r.checkpoint_frames, why);
  }
  if (r.kind == RunKind::kTable) return;
  refuse("belief", r.belief, "networks, which have none");
  refuse("snapshot_every", r.snapshot_every, "networks, which the viewer does not show");
}

std::vector<std::string> columns_of(const RunSettings& settings) {
  if (settings.kind == RunKind::kTable) {
    const Spec env(setting("env"), settings.env);
    if (!make_environment(env, settings.seed).cost)
      return {"episode", "return", "value", "regret", "success"};
    return {"episode", "return",        "value",     "regret",
            "cost",    "expected_cost", "violation", "success"};
  }
  std::vector<std::string> columns = {"episode", "return"};
  if (!settings.by_frames) columns.emplace_back("success");
  columns.insert(columns.end(), {"length", "frames", "learner_frames", "sigma", "entropy",
                                 "policy_loss", "value_loss", "reward_loss"});
  return columns;
}

Definition definition_of(const RunSettings& s) {
  Definition definition = {{"env", s.env}, {"agent", s.agent}};
  if (s.by_frames) {
    const FrameSettings& f = *s.by_frames;
    definition.update({{"frames", f.frames}, {"seed", s.seed}, {"places", f.places}});
    definition.update({{"actors", f.actors}, {"clip_rewards", f.clip_rewards}});
    definition["checkpoint_frames"] = f.checkpoint_frames;
    return definition;
  }
  if (s.kind == RunKind::kTable) definition["belief"] = s.belief;
  definition.update({{"episodes", s.episodes}, {"seed", s.seed}, {"stop", name_of(s.stop)}});
  if (s.kind == RunKind::kTable) definition["snapshot_every"] = s.snapshot_every;
  return definition;
}

}  // namespace

std::string name_of(StopRule rule) {
  switch (rule) {
    case StopRule::kNever:
      return "never";
    case StopRule::kSolved:
      return "solved";
    case StopRule::kCovered:
      return "covered";
  }
  return "never";
}

StopRule stop_rule_of(const std::string& name) {
  std::vector<std::string> names;
  for (const StopRule rule : kStopRules) {
    names.push_back(name_of(rule));
    if (names.back() == name) return rule;
  }
  throw unknown_name(setting("stop"), name, names);
}

RunSettings settings_of(const RunRequest& request) {
  return settings_of(request,
                     request.kind == RunKind::kNetwork && is_observed_as_arrays(request.env));
}

RunSettings settings_of(const RunRequest& r, bool by_frames) {
  refuse_other_kinds(r, by_frames);
  RunSettings settings;
  settings.kind = r.kind;
  settings.env = r.env;
  settings.agent = r.agent;
  settings.belief = r.belief.value_or("");
  settings.seed = r.seed;
  settings.episodes = r.episodes.value_or(settings.episodes);
  settings.stop = stop_rule_of(r.stop.value_or("never"));
  settings.snapshot_every = r.snapshot_every.value_or(0);
  expect_within("checkpoint_every", r.checkpoint_every.value_or(0), 0, kMostEpisodes);
  if (!by_frames) return settings;
  FrameSettings frames;
  frames.frames = r.frames.value_or(frames.frames);
  frames.places = r.places.value_or(frames.places);
  frames.actors = r.actors.value_or(frames.actors);
  frames.clip_rewards = r.clip_rewards.value_or(frames.clip_rewards);
  frames.checkpoint_frames = r.checkpoint_frames.value_or(frames.checkpoint_frames);
  settings.by_frames = frames;
  return settings;
}

RunSettings complete(RunSettings settings) {
  if (settings.kind == RunKind::kTable) return complete_table(std::move(settings));
  if (settings.by_frames) {
    check_frame_training(settings, parts_of(settings.env));
  } else {
    expect_within("episodes", settings.episodes, 1, kMostEpisodes);
    check_episode_training(settings);
  }
  return settings;
}

RunHeader header_of(const RunSettings& settings) {
  RunHeader header;
  header.definition = definition_of(settings);
  header.command = "vapor";
  for (const std::string& word : words_of(settings)) header.command += " " + shell_word(word);
  header.columns = columns_of(settings);
  return header;
}

RunSettings settings_of(const std::string& folder, const Definition& definition) {
  // Numbers of files: the conversions of the library would take 1e300 or -1 for some whole number.
  const auto whole = [&](const char* key, std::int64_t high) -> std::int64_t {
    const auto& value = definition.at(key);
    if (!value.is_number_integer() || value < 0 || value > high)
      throw InputError(folder + "/run.json",
                       fmt::format("definition: {}: must be a whole number in 0..{}", key, high));
    return value;
  };
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t kMostIndex = std::numeric_limits<Index>::max();
  try {
    RunSettings s;
    s.env = definition.at("env");
    s.agent = definition.at("agent");
    s.seed = static_cast<std::uint64_t>(whole("seed", kMost));
    if (definition.contains("frames")) {
      s.kind = RunKind::kNetwork;
      s.by_frames = FrameSettings{.frames = whole("frames", kMost),
                                  .places = static_cast<Index>(whole("places", kMostIndex)),
                                  .actors = static_cast<Index>(whole("actors", kMostIndex)),
                                  .clip_rewards = definition.at("clip_rewards"),
                                  .checkpoint_frames = whole("checkpoint_frames", kMost)};
      return s;
    }
    s.kind = definition.contains("belief") ? RunKind::kTable : RunKind::kNetwork;
    s.belief = definition.value("belief", "");
    s.episodes = whole("episodes", kMost);
    s.stop = stop_rule_of(definition.at("stop"));
    if (s.kind == RunKind::kTable && definition.contains("snapshot_every"))
      s.snapshot_every = whole("snapshot_every", kMost);
    return s;
  } catch (const nlohmann::json::exception& error) {
    throw InputError(folder + "/run.json", fmt::format("definition: {}", error.what()));
  }
}

std::vector<std::string> words_of(const RunSettings& s) {
  std::vector<std::string> words = {s.kind == RunKind::kTable ? "run" : "train"};
  const auto add = [&](const char* option, const auto& value) {
    words.insert(words.end(), {option, fmt::format("{}", value)});
  };
  add("--env", s.env);
  add("--agent", s.agent);
  if (s.by_frames) {
    const FrameSettings& f = *s.by_frames;
    add("--frames", f.frames);
    add("--seed", s.seed);
    add("--places", f.places);
    add("--actors", f.actors);
    if (!f.clip_rewards) words.emplace_back("--unclipped-rewards");
    add("--checkpoint-frames", f.checkpoint_frames);
    return words;
  }
  if (s.kind == RunKind::kTable) add("--belief", s.belief);
  add("--episodes", s.episodes);
  add("--seed", s.seed);
  if (s.stop != StopRule::kNever) add("--stop", name_of(s.stop));
  if (s.snapshot_every > 0) add("--snapshot-every", s.snapshot_every);
  return words;
}

}  // namespace vapor
