#include "lists.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "json_answer.h"
#include "names.h"
#include "options.h"

namespace vapor::command {
namespace {

nlohmann::ordered_json row_of(const Kind& kind) {
  nlohmann::ordered_json row = {
      {"name", kind.name}, {"settings", kind.settings}, {"summary", kind.summary}};
  for (const Choice& choice : kind.choices) row["choices"][choice.setting] = choice.summary;
  return row;
}

// `name` in a column of its own beside the lines of `text`.
void print_entry(std::string name, const std::string& text) {
  for (const std::string& line : wrapped(text, 70)) {
    fmt::print("  {}  {}\n", bold(fmt::format("{:<24}", name)), line);
    name.clear();
  }
}

int list(const std::string& what, const std::vector<Kind>& kinds, const Output& output) {
  if (output.json) {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const Kind& kind : kinds) rows.push_back(row_of(kind));
    print_json(nlohmann::ordered_json{{what, rows}});
  }
  if (!output.for_people()) return kGood;
  for (const Kind& kind : kinds) {
    print_entry(kind.name, kind.summary);
    if (kind.settings.empty()) continue;
    for (const std::string& line : wrapped(kind.settings, 70))
      fmt::print("  {:<24}  {}\n", "", dim(line));
    for (const Choice& choice : kind.choices) print_entry("  " + choice.setting, choice.summary);
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
