#include "experiments/common/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "vapor/core/error.h"
#include "vapor/core/spec.h"

namespace vapor::experiments {
namespace {

constexpr std::int64_t kLastSeed = 9'000'000'000'000'000;  // every reader of JSON keeps it

using Texts = std::vector<std::string>;

std::int64_t whole_in(const std::string& option, const std::string& text, Range range) {
  const std::int64_t value = parse_integer(option, text);
  if (value < range.low || value > range.high)
    throw InputError(option,
                     fmt::format("must be in {}..{}, got {}", range.low, range.high, value));
  return value;
}

Texts split(const std::string& text) {
  Texts parts = {""};
  for (const char c : text)
    if (c == ',')
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

void vary(Study& study, const std::string& option, const std::string& key, const Texts& values) {
  for (SweepTable& table : study.tables) {
    if (!table.vary.contains(key)) continue;
    table.vary[key] = values;
    table.vary_places[key] = option;
  }
}

std::function<std::string(const Tables&)> values_of_key(const std::string& key) {
  return [key](const Tables& tables) {
    for (const SweepTable& table : tables)
      if (const auto found = table.vary.find(key); found != table.vary.end())
        return fmt::format("{}", fmt::join(found->second, ", "));
    return std::string();
  };
}

void set_seeds(SweepTable& table, std::uint64_t first, std::int64_t count) {
  table.seeds.clear();
  for (std::int64_t k = 0; k < count; ++k)
    table.seeds.push_back(first + static_cast<std::uint64_t>(k));
}

bool same_texts(const std::vector<PlacedText>& a, const std::vector<PlacedText>& b) {
  return std::ranges::equal(a, b, {}, &PlacedText::text, &PlacedText::text);
}

void choose_agents(Study& study, const std::string& option, const Texts& specs) {
  Tables chosen;
  for (SweepTable& table : study.tables) {
    table.agents.clear();
    for (const std::string& spec : specs) table.agents.push_back({spec, option});
    const auto is_same = [&](const SweepTable& other) {
      return same_texts(other.envs, table.envs) && same_texts(other.beliefs, table.beliefs);
    };
    if (std::ranges::none_of(chosen, is_same)) chosen.push_back(table);
  }
  study.tables = chosen;
}

}  // namespace

Option Option::saying(const std::string& words) const {
  Option option = *this;
  option.otherwise = [words](const Tables&) { return words; };
  return option;
}

std::vector<std::int64_t> whole_list(const std::string& option, const std::string& text,
                                     Range range) {
  std::vector<std::int64_t> numbers;
  for (const std::string& part : split(text)) numbers.push_back(whole_in(option, part, range));
  return numbers;
}

Option list_of(const std::string& name, const std::string& key, Range range,
               const std::string& help) {
  const auto apply = [=](Study& study, const std::string& text) {
    Texts values;
    for (const std::int64_t number : whole_list(name, text, range))
      values.push_back(std::to_string(number));
    vary(study, name, key, values);
  };
  return {name, "LIST", help, apply, values_of_key(key)};
}

Option whole_of(const std::string& name, const std::string& key, Range range,
                const std::string& help) {
  const auto apply = [=](Study& study, const std::string& text) {
    vary(study, name, key, {std::to_string(whole_in(name, text, range))});
  };
  return {name, "N", help, apply, values_of_key(key)};
}

Option number_of(const std::string& name, const std::string& key, double low, double high,
                 const std::string& help) {
  const auto apply = [=](Study& study, const std::string& text) {
    const double value = parse_number(name, text);
    if (!(value >= low && value <= high))
      throw InputError(name, fmt::format("must be in [{:g}, {:g}], got {}", low, high, text));
    vary(study, name, key, {text});
  };
  return {name, "X", help, apply, values_of_key(key)};
}

Option seed_count(const std::string& help, const std::string& name, Range range) {
  const auto apply = [=](Study& study, const std::string& text) {
    const std::int64_t count = whole_in(name, text, range);
    for (SweepTable& table : study.tables) set_seeds(table, table.seeds.front(), count);
  };
  return {name, "N", help, apply,
          [](const Tables& tables) { return std::to_string(tables.front().seeds.size()); }};
}

Option first_seed_option() {
  const std::string name = "--first-seed";
  const auto apply = [=](Study& study, const std::string& text) {
    const auto first = static_cast<std::uint64_t>(whole_in(name, text, {0, kLastSeed}));
    for (SweepTable& table : study.tables) set_seeds(table, first, std::ssize(table.seeds));
  };
  return {name, "N", "The first seed", apply,
          [](const Tables& tables) { return std::to_string(tables.front().seeds.front()); }};
}

Option agents_option(const std::string& type, const std::string& more_help) {
  const auto apply = [=](Study& study, const std::string& text) {
    choose_agents(study, "--agents", command::split_specs("--agents", text, type));
  };
  const auto otherwise = [](const Tables& tables) {
    Texts names;
    for (const PlacedText& agent : tables.front().agents) names.push_back(agent.text);
    return fmt::format("{}", fmt::join(names, ", "));
  };
  return {"--agents", type, kAgentsHelp + more_help, apply, otherwise};
}

Option episodes_option(const std::string& help, const std::string& name, Range range) {
  const auto apply = [=](Study& study, const std::string& text) {
    const std::int64_t episodes = whole_in(name, text, range);
    for (SweepTable& table : study.tables)
      if (table.request.episodes) table.request.episodes = episodes;
  };
  return {name, "N", help, apply, [](const Tables& tables) {
            return std::to_string(tables.front().request.episodes.value());
          }};
}

Option frames_option(const std::string& help) {
  const auto apply = [](Study& study, const std::string& text) {
    const std::int64_t frames = whole_in("--frames", text, {1, 1'000'000'000'000});
    for (SweepTable& table : study.tables)
      if (table.request.frames) table.request.frames = frames;
  };
  return {"--frames", "N", help, apply, [](const Tables& tables) {
            for (const SweepTable& table : tables)
              if (table.request.frames) return std::to_string(*table.request.frames);
            return std::string();
          }};
}

Option whole_aside(const std::string& name, Range range, const std::string& help,
                   const std::string& otherwise) {
  const auto apply = [=](Study& study, const std::string& text) {
    study.given[name] = std::to_string(whole_in(name, text, range));
  };
  return Option{name, "N", help, apply, {}}.saying(otherwise);
}

}  // namespace vapor::experiments
