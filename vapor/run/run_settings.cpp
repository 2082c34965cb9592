#include "vapor/run/run_settings.h"

#include <fmt/format.h>

#include "vapor/agent/registry.h"
#include "vapor/core/error.h"
#include "vapor/env/registry.h"
#include "vapor/run/beliefs.h"

namespace vapor {

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

RunSettings complete(RunSettings settings) {
  constexpr std::int64_t most = 1'000'000'000;
  if (settings.episodes < 1 || settings.episodes > most)
    throw InputError("--episodes", fmt::format("must be 1..{}, got {}", most, settings.episodes));
  if (settings.snapshot_every < 0)
    throw InputError("--snapshot-every",
                     fmt::format("must be >= 0, got {}", settings.snapshot_every));
  const Spec env("--env", settings.env);
  const Environment environment = make_environment(env, settings.seed);
  if (settings.belief.empty()) settings.belief = default_belief(env.name(), environment);
  if (settings.stop == StopRule::kSolved && environment.goals.empty())
    throw InputError("--stop", fmt::format("solved asks for a goal, and {} has none", env.name()));
  make_agent(Spec("--agent", settings.agent),
             make_belief(Spec("--belief", settings.belief), environment));
  return settings;
}

RunHeader header_of(const RunSettings& settings) {
  RunHeader header;
  header.definition = {{"env", settings.env},
                       {"agent", settings.agent},
                       {"belief", settings.belief},
                       {"episodes", settings.episodes},
                       {"seed", settings.seed},
                       {"stop", name_of(settings.stop)},
                       {"snapshot_every", settings.snapshot_every}};
  header.command =
      fmt::format("vapor run --env {} --agent {} --belief {} --episodes {} --seed {}", settings.env,
                  settings.agent, settings.belief, settings.episodes, settings.seed);
  if (settings.stop != StopRule::kNever)
    header.command += fmt::format(" --stop {}", name_of(settings.stop));
  if (settings.snapshot_every > 0)
    header.command += fmt::format(" --snapshot-every {}", settings.snapshot_every);
  header.columns = {"episode", "return", "value", "regret", "success"};
  return header;
}

}  // namespace vapor
