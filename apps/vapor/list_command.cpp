// `vapor list`: what the names on the command line may be.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "commands.h"
#include "terminal.h"
#include "vapor/agent/registry.h"
#include "vapor/env/registry.h"
#include "vapor/experiment/beliefs.h"

namespace vapor::command {
namespace {

struct Kind {
  std::string name, settings, summary;
};

template <typename Kinds>
std::vector<Kind> copied(const Kinds& kinds) {
  std::vector<Kind> all;
  for (const auto& kind : kinds) all.push_back({kind.name, kind.settings, kind.summary});
  return all;
}

int list(const char* what, const std::vector<Kind>& kinds, bool as_json) {
  if (as_json) {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const Kind& kind : kinds)
      rows.push_back({{"name", kind.name}, {"settings", kind.settings}, {"summary", kind.summary}});
    fmt::print("{}\n", nlohmann::ordered_json{{what, rows}}.dump(2));
    return kGood;
  }
  for (const Kind& kind : kinds) {
    fmt::print("  {}  {}\n", bold(fmt::format("{:<24}", kind.name)), kind.summary);
    if (!kind.settings.empty()) fmt::print("  {:<24}  {}\n", "", dim(kind.settings));
  }
  return kGood;
}

}  // namespace

void add_list(CLI::App& app, Action& action) {
  auto as_json = std::make_shared<bool>(false);
  CLI::App* command = app.add_subcommand("list", "List environments, agents and beliefs by name");
  command->require_subcommand(1);
  const char* example =
      "Examples:\n"
      "  vapor list envs\n"
      "  vapor list agents --json";
  command->footer(example);
  const auto add = [&](const char* what, const char* help, auto kinds) {
    CLI::App* part = command->add_subcommand(what, help);
    part->add_flag("--json", *as_json, "Print one JSON object");
    part->footer(example);
    part->callback(
        [=, &action] { action = [=] { return list(what, copied(kinds()), *as_json); }; });
  };
  add("envs", "The environments, with their settings", environment_kinds);
  add("agents", "The agents, with their settings", agent_kinds);
  add("beliefs", "The beliefs, with their settings", belief_kinds);
}

}  // namespace vapor::command
