#include "deep_names.h"

#include "vapor/deep/config.h"
#include "vapor/run/worlds.h"

namespace vapor::command {
std::vector<Kind> worlds() {
  std::vector<Kind> kinds;
  for (const EnvironmentKind& kind : world_kinds())
    kinds.push_back({kind.name, kind.settings, kind.summary});
  return kinds;
}

std::vector<Kind> deep_agents() {
  std::vector<Kind> kinds;
  for (const deep::AgentKind& kind : deep::agent_kinds())
    kinds.push_back({kind.name, deep::settings_text(kind.name), kind.summary});
  return kinds;
}

}  // namespace vapor::command
