#include "deep_names.h"

#include <fmt/format.h>

#include <map>

#include "vapor/deep/config.h"
#include "vapor/run/worlds.h"

namespace vapor::command {
namespace {

std::map<std::string, std::string> defaults_of(const std::string& agent,
                                               const deep::Config& config) {
  Spec spec("", agent);
  deep::read_config(spec, config);
  return spec.defaults();
}

// Every setting with its default, where it is one for all environments.
std::string settings_of(const std::string& agent) {
  const auto paper = defaults_of(agent, deep::paper_config("", agent));
  const auto sea = defaults_of(agent, deep::deep_sea_config("", agent, 10));
  std::string text;
  for (const auto& [key, value] : paper)
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", key,
                        sea.at(key) == value ? value : "that of the environment");
  return text;
}

}  // namespace

std::vector<Kind> worlds() {
  std::vector<Kind> kinds;
  for (const EnvironmentKind& kind : world_kinds())
    kinds.push_back({kind.name, kind.settings, kind.summary});
  return kinds;
}

std::vector<Kind> deep_agents() {
  std::vector<Kind> kinds;
  for (const deep::AgentKind& kind : deep::agent_kinds())
    kinds.push_back({kind.name, settings_of(kind.name), kind.summary});
  return kinds;
}

}  // namespace vapor::command
