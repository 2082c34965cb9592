#include "words.h"

#include <fmt/format.h>

#include <algorithm>

#include "terminal.h"
#include "vapor/core/error.h"
#include "vapor/core/spec.h"

namespace vapor::command {
namespace {

constexpr std::size_t kHelpWidth = 98;
constexpr std::size_t kHelpColumn = 30;

// "  --depth N       Depth of the sea ...", the right column wrapped.
std::string help_lines(const std::string& left, const std::string& right) {
  std::string text = "  " + left;
  if (text.size() + 2 > kHelpColumn)
    text += "\n" + std::string(kHelpColumn, ' ');
  else
    text.resize(kHelpColumn, ' ');
  const std::vector<std::string> lines = wrapped(right, kHelpWidth - kHelpColumn);
  for (std::size_t i = 0; i < lines.size(); ++i)
    text += (i == 0 ? "" : "\n" + std::string(kHelpColumn, ' ')) + lines[i];
  return text + "\n";
}

}  // namespace

std::vector<const CLI::App*> subcommands_of(const CLI::App& command) {
  return command.get_subcommands([](const CLI::App* each) { return !each->get_group().empty(); });
}

Chosen choose(const CLI::App& app, const std::vector<std::string>& words) {
  Chosen chosen = {&app, program(), {}};
  std::string place;
  std::size_t i = 0;
  for (; i < words.size() && !words[i].starts_with('-'); ++i) {
    std::vector<std::string> names;
    const CLI::App* next = nullptr;
    for (const CLI::App* command : subcommands_of(*chosen.command)) {
      names.push_back(command->get_name());
      if (names.back() == words[i]) next = command;
    }
    if (names.empty()) break;
    if (next == nullptr) throw unknown_name(place, words[i], names);
    chosen.command = next;
    chosen.name += " " + words[i];
    place += (place.empty() ? "" : " ") + words[i];
  }
  chosen.rest.assign(words.begin() + static_cast<std::ptrdiff_t>(i), words.end());
  return chosen;
}

void check_options(const Chosen& chosen) {
  for (const std::string& word : chosen.rest) {
    if (word == "--") return;
    if (!word.starts_with("--")) continue;
    const std::string name = word.substr(0, word.find('='));
    std::vector<std::string> names;
    for (const CLI::Option* option : chosen.command->get_options())
      for (const std::string& known : option->get_lnames()) names.push_back("--" + known);
    if (std::ranges::find(names, name) != names.end()) continue;
    const std::string closest = closest_name(name, names);
    throw InputError(
        name, fmt::format("is no option of {}{}", chosen.name,
                          closest.empty() ? "" : fmt::format(" (did you mean {}?)", closest)));
  }
}

std::string HelpFormatter::make_option(const CLI::Option* option, bool is_positional) const {
  std::string left = is_positional ? option->get_name(true, false) : option->get_name(false, true);
  std::string right = option->get_description();
  if (option->get_type_size() != 0) {
    if (!is_positional) left += " " + option->get_type_name();
    if (!option->get_default_str().empty())
      right += fmt::format(" (default: {})", option->get_default_str());
    if (option->get_required()) right += " (required)";
  }
  return help_lines(left, right);
}

std::string HelpFormatter::make_subcommand(const CLI::App* command) const {
  return help_lines(command->get_name(), command->get_description());
}

std::string HelpFormatter::make_footer(const CLI::App* command) const {
  return CLI::detail::find_and_replace(CLI::Formatter::make_footer(command), "  vapor ",
                                       "  " + program() + " ");
}

}  // namespace vapor::command
