#include "lists.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "names.h"
#include "options.h"

namespace vapor::command {
namespace {

int list(const std::string& what, const std::vector<Kind>& kinds, const Output& output) {
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

void add_list_of(CLI::App& list, Action& action, const std::string& what, const std::string& type,
                 const std::string& help) {
  auto output = std::make_shared<Output>();
  CLI::App* part = list.add_subcommand(what, help);
  add_output_flags(*part, *output);
  part->footer(kListExamples);
  part->callback([=, &action] {
    action = [=] { return command::list(what, values_of(type).kinds, *output); };
  });
}

}  // namespace vapor::command
