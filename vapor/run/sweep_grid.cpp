#include "vapor/run/sweep_grid.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <set>
#include <utility>

#include "vapor/core/error.h"
#include "vapor/core/spec.h"

namespace vapor {
namespace {

using Assignment = std::map<std::string, std::string>;  // a value for each {name}

// One point of the grid but for its seed.
struct Combination {
  const PlacedText* env;
  const PlacedText* agent;
  const PlacedText* belief;
  Assignment values;
};

// The names between braces.
std::set<std::string> names_in(const PlacedText& spec, const SweepTable& table) {
  std::set<std::string> names;
  const std::string& text = spec.text;
  for (std::size_t at = 0; (at = text.find('{', at)) != std::string::npos;) {
    const std::size_t end = text.find('}', at);
    if (end == std::string::npos) throw InputError(spec.place, "has { without }: " + text);
    const std::string name = text.substr(at + 1, end - at - 1);
    if (!table.vary.contains(name))
      throw InputError(spec.place, fmt::format("vary has no list for {{{}}}", name));
    names.insert(name);
    at = end;
  }
  return names;
}

std::string filled_in(const std::string& spec, const Assignment& values) {
  std::string text = spec;
  for (const auto& [name, value] : values) {
    const std::string hole = "{" + name + "}";
    for (std::size_t at = 0; (at = text.find(hole, at)) != std::string::npos; at += value.size())
      text.replace(at, hole.size(), value);
  }
  return text;
}

class CellGrid {
 public:
  // All cells of the tables together are at most kMostCells.
  std::vector<Combination> combinations_of(const SweepTable& table) {
    std::set<std::string> used;
    std::vector<Combination> all;
    for (const PlacedText& env : table.envs)
      for (const PlacedText& agent : table.agents)
        for (const PlacedText& belief : table.beliefs) {
          std::set<std::string> names = names_in(env, table);
          names.merge(names_in(agent, table));
          names.merge(names_in(belief, table));
          used.insert(names.begin(), names.end());
          Combination one = {&env, &agent, &belief, {}};
          vary(table, {names.begin(), names.end()}, one, all);
        }
    for (const auto& [name, place] : table.vary_places)
      if (!used.contains(name))
        throw InputError(place, fmt::format("no spec of envs, agents or beliefs has {{{}}}", name));
    return all;
  }

  void add(const SweepTable& table, SweepCell cell) {
    const auto [known, fresh] = made_by_.emplace(cell.folder, &table);
    if (!fresh)
      throw InputError(
          table.place,
          fmt::format("{} is asked for twice{}", cell.folder,
                      known->second == &table
                          ? ""
                          : fmt::format(", also at {}; give one of the two tables a name = \"...\"",
                                        known->second->place)));
    cells_.push_back(std::move(cell));
  }

  std::vector<SweepCell> cells() && { return std::move(cells_); }

 private:
  void vary(const SweepTable& table, const std::vector<std::string>& names, Combination& one,
            std::vector<Combination>& all) {
    if (one.values.size() == names.size()) {
      count_ += static_cast<std::int64_t>(table.seeds.size());
      if (count_ > kMostCells)
        throw InputError(
            table.place,
            fmt::format("the grid has more than {} cells; use several files", kMostCells));
      all.push_back(one);
      return;
    }
    const std::string& name = names[one.values.size()];
    for (const std::string& value : table.vary.at(name)) {
      one.values[name] = value;
      vary(table, names, one, all);
    }
    one.values.erase(name);
  }

  std::int64_t count_ = 0;
  std::map<std::string, const SweepTable*> made_by_;  // by folder
  std::vector<SweepCell> cells_;
};

// What a setting of a run came from.
std::string place_of(const std::string& setting, const SweepTable& table, const Combination& one) {
  if (setting == "env") return one.env->place;
  if (setting == "agent") return one.agent->place;
  if (setting == "belief") return one.belief->place;
  const auto found = table.key_places.find(setting);
  return found == table.key_places.end() ? table.place : found->second;
}

RunSettings run_settings(const SweepTable& table, const Combination& one) {
  RunRequest request = table.request;
  request.env = filled_in(one.env->text, one.values);
  request.agent = filled_in(one.agent->text, one.values);
  if (!one.belief->text.empty()) request.belief = filled_in(one.belief->text, one.values);
  request.seed = table.seeds.front();
  try {
    return complete(settings_of(request));
  } catch (const InputError& error) {
    const std::string& setting = error.where().setting();
    if (setting.empty()) throw InputError(one.env->place, error.what());
    // What follows the name of the setting stays: "deep_sea:depth: must be ...".
    const std::string within = error.where().with_setting_as("");
    throw InputError(place_of(setting, table, one),
                     (within.empty() ? "" : within.substr(1) + ": ") + error.problem());
  }
}

std::string folder_above_seeds(const SweepTable& table, const Combination& one) {
  std::string folder = table.name.empty() ? "" : table.name + "/";
  folder += folder_name(filled_in(one.env->text, one.values)) + "/" +
            folder_name(filled_in(one.agent->text, one.values));
  const std::string belief = filled_in(one.belief->text, one.values);
  return belief.empty() ? folder : folder + "+" + folder_name(belief);
}

}  // namespace

std::vector<SweepCell> cells_of(const std::vector<SweepTable>& tables) {
  CellGrid grid;
  std::vector<std::vector<Combination>> combinations;  // all, before any is made
  for (const SweepTable& table : tables) combinations.push_back(grid.combinations_of(table));
  for (std::size_t i = 0; i < tables.size(); ++i)
    for (const Combination& one : combinations[i]) {
      RunSettings settings = run_settings(tables[i], one);
      const std::string folder = folder_above_seeds(tables[i], one);
      for (const std::uint64_t seed : tables[i].seeds) {
        settings.seed = seed;
        grid.add(tables[i], {settings, fmt::format("{}/seed-{}", folder, seed),
                             tables[i].request.checkpoint_every.value_or(0), one.values});
      }
    }
  return std::move(grid).cells();
}

}  // namespace vapor
