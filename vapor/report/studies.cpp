// Sorting runs into studies.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <compare>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "vapor/core/error.h"
#include "vapor/core/spec.h"
#include "vapor/report/study.h"
#include "vapor/report/wording.h"

namespace vapor {
namespace {

using nlohmann::ordered_json;

// Those fields of a definition that must be equal within a study, and the settings of its
// environment that must be. A setting that is a number may be the axis: its value is not here.
struct StudyKey {
  bool training = false;
  std::string environment;
  std::string stop;
  std::int64_t episodes = 0;
  std::string settings;  // "depth#,stochastic=true,"
  std::string rest;      // of the definition: fields that this library does not know

  auto operator<=>(const StudyKey&) const = default;
};

// A run by what a study asks of it.
struct Member {
  const RunDigest* run = nullptr;
  std::string agent;
  std::string belief;
  std::uint64_t seed = 0;
  std::map<std::string, double> numbers;  // the settings of the environment that are
};

using Group = std::vector<Member>;

std::optional<double> number_in(const std::string& text) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
    return std::nullopt;
  return value;
}

// Null if there is none.
ordered_json field(const Definition& definition, const char* name) {
  return definition.value(name, ordered_json());
}

std::string text_field(const Definition& definition, const char* name) {
  const ordered_json value = field(definition, name);
  if (!value.is_string()) throw InputError("definition", fmt::format("{}: must be a string", name));
  return value.get<std::string>();
}

std::uint64_t whole_field(const Definition& definition, const char* name) {
  const ordered_json value = field(definition, name);
  const bool whole =
      value.is_number_unsigned() || (value.is_number_integer() && value.get<std::int64_t>() >= 0);
  if (!whole) throw InputError("definition", fmt::format("{}: must be a whole number >= 0", name));
  return value.get<std::uint64_t>();
}

// What is left of a definition without what a study looks at. How often snapshots are taken changes
// no result; a tolerance that the agent does not name is the agent's own, and its default.
std::string rest_of(Definition definition) {
  for (const char* known :
       {"env", "agent", "belief", "episodes", "seed", "stop", "snapshot_every", "tolerance"})
    definition.erase(known);
  return definition.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

Measure measure_of(const std::string& stop) {
  if (stop == "never") return Measure::kRegret;
  if (stop == "solved") return Measure::kSolved;
  if (stop == "covered") return Measure::kCovered;
  throw InputError("definition",
                   fmt::format("stop: must be never, solved or covered, got {}", stop));
}

std::pair<StudyKey, Member> sort_in(const RunDigest& run) {
  const Definition& definition = run.run.definition;
  StudyKey key;
  Member member;
  member.run = &run;
  member.agent = text_field(definition, "agent");
  member.seed = whole_field(definition, "seed");
  const Spec env("definition: env", text_field(definition, "env"));
  key.environment = env.name();
  for (const auto& [name, value] : env.values()) {
    const std::optional<double> number = number_in(value);
    if (number) member.numbers[name] = *number;
    key.settings += fmt::format("{}{}{},", name, number ? "#" : "=", number ? "" : value);
  }
  key.training = run.is_training();
  if (!key.training || definition.contains("belief"))
    member.belief = text_field(definition, "belief");
  key.stop = text_field(definition, "stop");
  measure_of(key.stop);
  key.episodes = static_cast<std::int64_t>(whole_field(definition, "episodes"));
  key.rest = rest_of(definition);
  return {std::move(key), std::move(member)};
}

// A finished run whose rule did not stop it has as many episodes as were asked for. Another has
// lost some since, and its sums are not those of the run.
void expect_all_episodes(const StudyKey& key, const RunDigest& run) {
  const std::int64_t episodes = run.summary.episodes;
  const bool may_stop_early =
      key.stop == "covered" || (key.stop == "solved" && run.summary.solved.has_value());
  if (episodes > key.episodes || (episodes < key.episodes && !may_stop_early))
    throw InputError("episodes.csv", fmt::format("has {} of {} episodes, and run.json says "
                                                 "finished",
                                                 episodes, key.episodes));
}

// The settings that differ within the group. All of its runs have the same ones.
std::vector<std::string> varying(const Group& group) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : group.front().numbers)
    if (std::ranges::any_of(group, [&](const Member& m) { return m.numbers.at(key) != value; }))
      keys.push_back(key);
  return keys;
}

// Of settings that a sweep varied: the one with the most values is the axis of its figures, and
// each value of the others has a figure of its own.
std::string axis_of(const Group& group, const std::vector<std::string>& keys) {
  std::string axis;
  std::size_t most = 0;
  for (const std::string& key : keys) {
    std::set<double> values;
    for (const Member& member : group) values.insert(member.numbers.at(key));
    if (values.size() > most) axis = key;
    most = std::max(most, values.size());
  }
  return axis;
}

std::map<std::string, Group> parts_of(const Group& group, const std::vector<std::string>& keys,
                                      const std::string& axis) {
  std::map<std::string, Group> parts;
  for (const Member& member : group) {
    std::vector<std::string> fixed;
    for (const std::string& key : keys)
      if (key != axis) fixed.push_back(fmt::format("{}={}", key, member.numbers.at(key)));
    parts[fmt::format("{}", fmt::join(fixed, ", "))].push_back(member);
  }
  return parts;
}

void refuse_group(const StudyKey& key, const Group& group, const std::vector<std::string>& keys,
                  std::vector<LeftOut>& refused) {
  if (key.training) return;
  for (const Member& member : group)
    refused.push_back({member.run->folder,
                       fmt::format("{} vary among the runs of {} that would be one study; report "
                                   "folders in which only one of them varies",
                                   fmt::join(keys, " and "), key.environment)});
}

// The beliefs of the group. Where there are several, the agents get theirs as part of the name.
std::vector<StudyBelief> tell_beliefs_apart(Group& group) {
  std::set<std::string> distinct;
  for (const Member& member : group) distinct.insert(member.belief);
  const std::vector<std::string> specs(distinct.begin(), distinct.end());
  const std::vector<std::string> names = short_names(specs);
  std::vector<StudyBelief> beliefs;
  for (std::size_t i = 0; i < specs.size(); ++i) beliefs.push_back({specs[i], names[i]});
  if (beliefs.size() > 1)
    for (Member& member : group)
      member.agent += ", " + std::ranges::find(beliefs, member.belief, &StudyBelief::spec)->name;
  return beliefs;
}

// Takes those out that stand in another folder too.
void refuse_copies(Group& group, std::vector<LeftOut>& refused) {
  std::map<std::tuple<std::string, std::uint64_t, std::map<std::string, double>>, std::string> seen;
  std::erase_if(group, [&](const Member& m) {
    const auto [first, is_new] = seen.try_emplace({m.agent, m.seed, m.numbers}, m.run->folder);
    if (!is_new)
      refused.push_back({m.run->folder, "has the definition and the seed of " + first->second +
                                            "; a run counts once"});
    return !is_new;
  });
}

// The longest folder that holds both.
std::string common_folder(const std::filesystem::path& a, const std::filesystem::path& b) {
  std::filesystem::path common;
  for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end() && *i == *j; ++i, ++j)
    common /= *i;
  return common.string();
}

// Of finished runs, each there once, of which at most the setting `axis` varies.
Study study_of(const StudyKey& key, const Group& group, const std::string& axis) {
  Study study;
  study.environment = key.environment;
  study.axis = axis;
  study.trainings = key.training;
  study.stop = key.stop;
  study.episodes = key.episodes;
  study.measure = measure_of(key.stop);
  study.folder = group.front().run->folder;
  const std::string env = text_field(group.front().run->run.definition, "env");
  std::map<std::string, std::map<double, std::map<std::uint64_t, const RunDigest*>>, ByRank>
      by_agent;
  std::set<double> numbers;
  const auto name = [&](double number) { return axis.empty() ? env : fmt::format("{}", number); };
  for (const Member& member : group) {
    const double number = axis.empty() ? 0.0 : member.numbers.at(axis);
    numbers.insert(number);
    by_agent[member.agent][number][member.seed] = member.run;
    study.folder = common_folder(study.folder, member.run->folder);
  }
  for (const double number : numbers) study.tasks.push_back(name(number));
  for (const auto& [agent, by_number] : by_agent) {
    study.agents.push_back(agent);
    for (const auto& [number, by_seed] : by_number) {
      StudyCell& cell = study.cells.emplace_back(StudyCell{agent, name(number), number, {}});
      for (const auto& [seed, run] : by_seed) cell.seeds.push_back(run);
    }
  }
  return study;
}

}  // namespace

Studies studies_of(std::span<const RunDigest> runs) {
  Studies result;
  std::map<StudyKey, Group> finished;
  std::map<StudyKey, Group> unfinished;
  for (const RunDigest& run : runs) {
    if (run.is_training() && field(run.run.definition, "stop") != "solved") continue;
    try {
      auto [key, member] = sort_in(run);
      if (run.run.finished) expect_all_episodes(key, run);
      (run.run.finished ? finished : unfinished)[key].push_back(std::move(member));
    } catch (const InputError& e) {
      result.refused.push_back({run.folder, e.what()});
    }
  }
  for (auto& [key, group] : finished) {
    const Group& others = unfinished[key];
    const std::vector<std::string> keys = varying(group);
    const bool one_sweep =
        std::ranges::all_of(group, [](const Member& member) { return member.run->of_a_sweep; });
    if (keys.size() > 1 && !one_sweep) {
      refuse_group(key, group, keys, result.refused);
      refuse_group(key, others, keys, result.refused);
      continue;
    }
    const std::vector<StudyBelief> beliefs = tell_beliefs_apart(group);
    refuse_copies(group, result.refused);
    const std::string axis = axis_of(group, keys);
    for (const auto& [fixed, part] : parts_of(group, keys, axis)) {
      Study study = study_of(key, part, axis);
      study.fixed = fixed;
      study.beliefs = beliefs;
      study.unfinished = others.size();
      for (const Member& member : others)
        study.folder = common_folder(study.folder, member.run->folder);
      result.studies.push_back(std::move(study));
    }
  }
  for (const auto& [key, group] : unfinished)
    for (const Member& member : group)
      if (!finished.contains(key) && !key.training)
        result.refused.push_back({member.run->folder, "is not finished, nor is any run like it"});
  std::ranges::sort(result.refused);
  return result;
}

}  // namespace vapor
