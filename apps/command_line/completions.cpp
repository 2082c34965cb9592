// completions() of words.h.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <span>

#include "names.h"
#include "words.h"

namespace vapor::command {
namespace {

using Words = std::vector<std::string>;

// A word and, after a tab, what it is.
std::string line_of(const std::string& word, const std::string& about) {
  return about.empty() ? word : word + "\t" + about;
}

// "depth=10, stochastic=false" as pairs; a default such as "2 size" is a rule, not a value.
struct Setting {
  std::string key, otherwise;
};

std::vector<Setting> settings_of(const Kind& kind) {
  std::vector<Setting> settings;
  for (std::string item : CLI::detail::split(kind.settings, ',')) {
    CLI::detail::trim(item);
    const std::size_t equals = item.find('=');
    if (equals != std::string::npos)
      settings.push_back({item.substr(0, equals), item.substr(equals + 1)});
  }
  return settings;
}

// "key=" for every setting that is not given yet, or the values of the one whose "=" is typed.
Words complete_settings(const Kind& kind, const std::string& given, const std::string& before) {
  const std::size_t comma = given.rfind(',');
  const std::string head = comma == std::string::npos ? "" : given.substr(0, comma + 1);
  const std::string item = given.substr(head.size());
  std::set<std::string> taken;
  for (const std::string& other : CLI::detail::split(head, ','))
    taken.insert(other.substr(0, other.find('=')));
  Words lines;
  for (const Setting& setting : settings_of(kind)) {
    if (taken.contains(setting.key)) continue;
    const std::string start = before + head + setting.key + "=";
    if (!item.starts_with(setting.key + "=")) {
      lines.push_back(line_of(start, "default " + setting.otherwise));
    } else if (setting.otherwise == "true" || setting.otherwise == "false") {
      lines.push_back(start + "true");
      lines.push_back(start + "false");
    } else if (setting.otherwise.find_first_of(" /") == std::string::npos) {
      lines.push_back(line_of(start + setting.otherwise, "the default"));
    }
  }
  return lines;
}

// Names, and the settings of the one whose ":" is typed. `before` is what stands before the spec.
Words complete_spec(const Values& values, const std::string& spec, const std::string& before) {
  Words lines;
  const std::size_t colon = spec.find(':');
  for (const Kind& kind : values.kinds) {
    if (colon == std::string::npos)
      lines.push_back(line_of(before + kind.name, kind.summary));
    else if (spec.substr(0, colon) == kind.name)
      for (const std::string& line :
           complete_settings(kind, spec.substr(colon + 1), before + kind.name + ":"))
        lines.push_back(line);
  }
  return lines;
}

// A list of specs: after a comma stands another spec, or another setting of the last one.
Words complete_specs(const Values& values, const std::string& list) {
  const std::size_t colon = list.rfind(':');
  const std::size_t comma = list.rfind(',');
  const auto begin_of = [&](std::size_t end) {
    const std::size_t before = end == 0 ? std::string::npos : list.rfind(',', end - 1);
    return before == std::string::npos ? 0 : before + 1;
  };
  Words lines;
  if (colon != std::string::npos) {
    const std::size_t begin = begin_of(colon);
    lines = complete_spec(values, list.substr(begin), list.substr(0, begin));
  }
  const std::size_t begin = comma == std::string::npos ? 0 : comma + 1;
  if (colon == std::string::npos || colon < begin)
    for (const std::string& line : complete_spec(values, "", list.substr(0, begin)))
      lines.push_back(line);
  return lines;
}

Words complete_value(const std::string& type, const std::string& word) {
  const Values values = values_of(type);
  switch (values.form) {
    case Form::kFree:
      return {};
    case Form::kFile:
      return {":file"};
    case Form::kFolder:
      return {":folder"};
    case Form::kSpecs:
      return complete_specs(values, word);
    case Form::kName:
    case Form::kSpec:
      break;
  }
  return complete_spec(values, word, "");
}

// What the words so far have led to.
struct Place {
  const CLI::App* command = nullptr;
  const CLI::Option* wants = nullptr;  // whose value comes next
  std::set<const CLI::Option*> given;
  bool options_over = false;  // after --
  bool lost = false;          // after a word that is no subcommand
};

const CLI::App* find_subcommand(const CLI::App& command, const std::string& name) {
  for (const CLI::App* each : subcommands_of(command))
    if (each->get_name() == name) return each;
  return nullptr;
}

Place place_after(const CLI::App& app, std::span<const std::string> words) {
  Place place;
  place.command = &app;
  for (const std::string& word : words) {
    if (place.wants != nullptr) {
      place.wants = nullptr;
    } else if (word == "--") {
      place.options_over = true;
    } else if (word.starts_with('-') && !place.options_over) {
      const std::size_t equals = word.find('=');
      const CLI::Option* option = place.command->get_option_no_throw(word.substr(0, equals));
      place.given.insert(option);
      if (option != nullptr && option->get_items_expected_max() > 0 && equals == std::string::npos)
        place.wants = option;
    } else if (const CLI::App* next = find_subcommand(*place.command, word)) {
      place.command = next;
    } else {
      place.lost = place.lost || !subcommands_of(*place.command).empty();
    }
  }
  return place;
}

Words complete_options(const Place& place) {
  Words lines;
  for (const CLI::Option* option : place.command->get_options())
    for (const std::string& name : option->get_lnames())
      if (!place.given.contains(option))
        lines.push_back(line_of("--" + name, option->get_description()));
  return lines;
}

Words complete_plain_word(const Place& place, const std::string& word) {
  Words lines;
  for (const CLI::App* command : subcommands_of(*place.command))
    lines.push_back(line_of(command->get_name(), command->get_description()));
  for (const CLI::Option* option : place.command->get_options())
    if (option->get_positional()) {
      lines = complete_value(option->get_type_name(), word);
      if (lines.empty()) lines = {":file"};
    }
  if (lines.empty() && word.empty()) return complete_options(place);
  return lines;
}

Words all_completions(const CLI::App& app, const Words& words) {
  const std::string last = words.empty() ? "" : words.back();
  const Place place =
      place_after(app, std::span(words).first(words.empty() ? 0 : words.size() - 1));
  if (place.lost) return {};
  if (place.wants != nullptr) return complete_value(place.wants->get_type_name(), last);
  if (!last.starts_with('-') || place.options_over) return complete_plain_word(place, last);
  const std::size_t equals = last.find('=');
  if (equals == std::string::npos) return complete_options(place);
  const CLI::Option* option = place.command->get_option_no_throw(last.substr(0, equals));
  if (option == nullptr) return {};
  Words lines = complete_value(option->get_type_name(), last.substr(equals + 1));
  for (std::string& line : lines)
    if (!line.starts_with(':')) line.insert(0, last.substr(0, equals + 1));
  return lines;
}

}  // namespace

std::vector<std::string> completions(const CLI::App& app, const std::vector<std::string>& words) {
  const std::string last = words.empty() ? "" : words.back();
  Words lines = all_completions(app, words);
  std::erase_if(lines, [&](const std::string& line) {
    return !line.starts_with(':') && !line.starts_with(last);
  });
  return lines;
}

}  // namespace vapor::command
