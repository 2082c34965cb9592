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

  void add(const SweepTable& table, GridCell cell) {
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

  std::vector<GridCell> cells() && { return std::move(cells_); }

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
  std::vector<GridCell> cells_;
};

// The words of `vapor run` that complete() complains of, and the places that they came from.
[[noreturn]] void complain(const InputError& error, const SweepTable& table,
                           const Combination& one) {
  const auto key_place = [&](const char* key) {
    const auto found = table.key_places.find(key);
    return found == table.key_places.end() ? table.place : found->second;
  };
  const std::map<std::string, std::string> places = {
      {"--env", one.env->place},
      {"--agent", one.agent->place},
      {"--belief", one.belief->place},
      {"--stop", key_place("stop")},
      {"--episodes", key_place("episodes")},
      {"--snapshot-every", key_place("snapshot_every")}};
  const std::string& place = error.place();
  const std::string word = place.substr(0, place.find(' '));
  const auto found = places.find(word);
  if (found == places.end()) throw InputError(one.env->place, error.what());
  // "--env deep_sea:depth: must be ..." keeps what follows the option.
  const std::string rest = std::string(error.what()).substr(word.size());
  const std::size_t begin = rest.find_first_not_of(": ");
  throw InputError(found->second, begin == std::string::npos ? "is not good" : rest.substr(begin));
}

RunSettings run_settings(const SweepTable& table, const Combination& one) {
  RunSettings settings;
  settings.env = filled_in(one.env->text, one.values);
  settings.agent = filled_in(one.agent->text, one.values);
  settings.belief = filled_in(one.belief->text, one.values);
  settings.episodes = table.episodes.value_or(settings.episodes);
  settings.seed = table.seeds.front();
  settings.stop = table.stop;
  settings.snapshot_every = table.snapshot_every;
  return settings;
}

std::string folder_above_seeds(const SweepTable& table, const std::string& env,
                               const std::string& agent, const std::string& belief) {
  std::string folder = table.name.empty() ? "" : table.name + "/";
  folder += folder_name(env) + "/" + folder_name(agent);
  return belief.empty() ? folder : folder + "+" + folder_name(belief);
}

void add_runs(const SweepTable& table, const Combination& one, CellGrid& grid) {
  RunSettings settings = run_settings(table, one);
  const std::string folder =
      folder_above_seeds(table, settings.env, settings.agent, settings.belief);
  try {
    settings = complete(settings);
  } catch (const InputError& error) {
    complain(error, table, one);
  }
  for (const std::uint64_t seed : table.seeds) {
    settings.seed = seed;
    grid.add(table, {settings, fmt::format("{}/seed-{}", folder, seed), table.checkpoint_every,
                     one.values});
  }
}

void add_trainings(const SweepTable& table, const Combination& one, CellGrid& grid) {
  TrainCellSettings settings;
  settings.env = filled_in(one.env->text, one.values);
  settings.agent = filled_in(one.agent->text, one.values);
  settings.episodes = table.episodes;
  settings.frames = table.frames;
  settings.stop_when_solved = table.stop_when_solved;
  // Its form can be checked here; what it means, by the program that trains.
  Spec(one.env->place, settings.env);
  Spec(one.agent->place, settings.agent);
  const std::string folder = folder_above_seeds(table, settings.env, settings.agent, "");
  for (const std::uint64_t seed : table.seeds) {
    settings.seed = seed;
    grid.add(table, {settings, fmt::format("{}/seed-{}", folder, seed), table.checkpoint_every,
                     one.values});
  }
}

std::vector<std::string> words_of(const RunSettings& run) {
  std::vector<std::string> words = {"run",
                                    "--env",
                                    run.env,
                                    "--agent",
                                    run.agent,
                                    "--belief",
                                    run.belief,
                                    "--episodes",
                                    std::to_string(run.episodes),
                                    "--seed",
                                    std::to_string(run.seed)};
  if (run.stop != StopRule::kNever) words.insert(words.end(), {"--stop", name_of(run.stop)});
  if (run.snapshot_every > 0)
    words.insert(words.end(), {"--snapshot-every", std::to_string(run.snapshot_every)});
  return words;
}

std::vector<std::string> words_of(const TrainCellSettings& train) {
  std::vector<std::string> words = {
      "train", "--env", train.env, "--agent", train.agent, "--seed", std::to_string(train.seed)};
  if (train.episodes) words.insert(words.end(), {"--episodes", std::to_string(*train.episodes)});
  if (train.frames) words.insert(words.end(), {"--frames", std::to_string(*train.frames)});
  if (train.stop_when_solved) words.emplace_back("--stop-when-solved");
  return words;
}

}  // namespace

const std::string& GridCell::env() const {
  return std::visit([](const auto& s) -> const std::string& { return s.env; }, settings);
}

const std::string& GridCell::agent() const {
  return std::visit([](const auto& s) -> const std::string& { return s.agent; }, settings);
}

std::uint64_t GridCell::seed() const {
  return std::visit([](const auto& s) { return s.seed; }, settings);
}

std::vector<std::string> GridCell::words() const {
  std::vector<std::string> words = std::visit([](const auto& s) { return words_of(s); }, settings);
  if (checkpoint_every > 0)
    words.insert(words.end(), {"--checkpoint-every", std::to_string(checkpoint_every)});
  return words;
}

std::vector<GridCell> cells_of(const std::vector<SweepTable>& tables) {
  CellGrid grid;
  std::vector<std::vector<Combination>> combinations;  // all, before any is made
  for (const SweepTable& table : tables) combinations.push_back(grid.combinations_of(table));
  for (std::size_t i = 0; i < tables.size(); ++i)
    for (const Combination& one : combinations[i]) {
      if (tables[i].kind == SweepKind::kRun)
        add_runs(tables[i], one, grid);
      else
        add_trainings(tables[i], one, grid);
    }
  return std::move(grid).cells();
}

}  // namespace vapor
