// `vapor list`: what the names on the command line may be.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "commands.h"
#include "options.h"

namespace vapor::command {
namespace {

int list(const char* what, const std::vector<Kind>& kinds, const Output& output) {
  if (output.json) {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const Kind& kind : kinds)
      rows.push_back({{"name", kind.name}, {"settings", kind.settings}, {"summary", kind.summary}});
    fmt::print("{}\n", nlohmann::ordered_json{{what, rows}}.dump(2));
  }
  if (!output.for_people()) return kGood;
  for (const Kind& kind : kinds) {
    std::string name = kind.name;
    for (const std::string& line : wrapped(kind.summary, 70)) {
      fmt::print("  {}  {}\n", bold(fmt::format("{:<24}", name)), line);
      name.clear();
    }
    if (kind.settings.empty()) continue;
    for (const std::string& line : wrapped(kind.settings, 70))
      fmt::print("  {:<24}  {}\n", "", dim(line));
  }
  return kGood;
}

}  // namespace

void add_list(CLI::App& app, Action& action) {
  auto output = std::make_shared<Output>();
  CLI::App* command = app.add_subcommand("list", "List environments, agents and beliefs by name");
  command->require_subcommand(1);
  const char* example =
      "A name and settings that differ from their defaults make a spec: deep_sea:depth=20\n"
      "Examples:\n"
      "  vapor list envs\n"
      "  vapor list agents --json";
  command->footer(example);
  const auto add = [&](const char* what, const char* type, const char* help) {
    CLI::App* part = command->add_subcommand(what, help);
    add_output_flags(*part, *output);
    part->footer(example);
    part->callback(
        [=, &action] { action = [=] { return list(what, values_of(type).kinds, *output); }; });
  };
  add("envs", "ENV", "The environments, with their settings and defaults");
  add("agents", "AGENT", "The agents, with their settings and defaults");
  add("beliefs", "BELIEF", "The beliefs, with their settings and defaults");
}

}  // namespace vapor::command
