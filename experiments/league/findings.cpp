// Every agent on small worlds of all kinds, each with as many settings as the others: the setting
// is chosen on some seeds, over all worlds together, and reported on others. Regrets are counted
// between those of the optimal policy, 0, and the uniform one, 1.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

#include "experiments/common/experiment.h"
#include "experiments/common/printing.h"
#include "vapor/core/spec.h"
#include "vapor/env/registry.h"
#include "vapor/mdp/backward_induction.h"
#include "vapor/mdp/policy.h"
#include "vapor/record/run_summary.h"
#include "vapor/report/statistics.h"

namespace vapor::experiments::league {
namespace {

constexpr const char* kOurs = "vapor";

std::string name_of(const std::string& spec) { return spec.substr(0, spec.find(':')); }

// What of an agent is tuned: its spec and, where it has one, the scale of its belief.
std::string setting_of(const Cell& cell) {
  const auto& varied = cell.runs.front().varied;
  const auto scale = varied.find("scale");
  return scale == varied.end() ? cell.agent() : cell.agent() + " scale=" + scale->second;
}

// What the uniform policy loses in an episode, by environment and seed.
class UniformRegret {
 public:
  double operator()(const std::string& env, std::uint64_t seed) {
    const auto [found, is_new] = known_.try_emplace({env, seed}, 0.0);
    if (is_new) found->second = compute(env, seed);
    return found->second;
  }

 private:
  static double compute(const std::string& env, std::uint64_t seed) {
    const Problem model = make_environment(Spec(setting("env"), env), seed).model;
    const std::vector<double> optimal = backward_induction(model, model.reward_mean).policy;
    return value(model, optimal) - value(model, uniform_policy(model.shape));
  }

  static double value(const Problem& model, std::span<const double> policy) {
    const std::vector<double> occupancy = occupancy_of(model, policy);
    double sum = 0.0;
    for (std::size_t p = 0; p < occupancy.size(); ++p) sum += occupancy[p] * model.reward_mean[p];
    return sum;
  }

  std::map<std::pair<std::string, std::uint64_t>, double> known_;
};

// The runs of a cell in numbers, by seed.
struct Played {
  std::vector<double> regret;  // 0: optimal, 1: uniform
  std::vector<double> late;    // the same, of the last fifth of the episodes
  std::vector<double> ms;      // an episode
};

constexpr double kLearned = 0.1;  // a seed has learned a world if `late` is at most this

double late_regret(const RunRecord& record) {
  const std::span<const double> regret = record.episodes.column("regret");
  return mean_and_error(regret.last(std::max<std::size_t>(1, regret.size() / 5))).mean;
}

Played played(const Cell& cell, UniformRegret& uniform) {
  Played numbers;
  for (const SweepCell& run : cell.runs) {
    const RunRecord record = read_run(run.folder);
    const RunSummary summary = summarise(record);
    const double most = uniform(cell.env(), run.settings.seed);
    numbers.regret.push_back(summary.total_regret.value() / (most * static_cast<double>(cell.cap)));
    numbers.late.push_back(late_regret(record) / most);
    numbers.ms.push_back(summary.ms_per_episode);
  }
  return numbers;
}

struct Tuning {
  std::map<std::string, std::string> best;  // by name: the setting
  ordered_json rows = ordered_json::array();
};

// The setting of least mean regret over worlds and seeds.
Tuning tune(const std::vector<Cell>& cells, UniformRegret& uniform) {
  std::vector<std::pair<std::string, std::string>> order;  // name and setting
  std::map<std::string, std::vector<double>> regret;       // by setting
  for (const Cell& cell : cells) {
    const std::string setting = setting_of(cell);
    if (!regret.contains(setting)) order.emplace_back(name_of(cell.agent()), setting);
    const Played numbers = played(cell, uniform);
    regret[setting].insert(regret[setting].end(), numbers.regret.begin(), numbers.regret.end());
  }
  Tuning tuning;
  std::map<std::string, double> least;
  for (const auto& [name, setting] : order) {
    const double mean = mean_and_error(regret[setting]).mean;
    const auto [found, is_new] = least.try_emplace(name, mean);
    if (is_new || mean < found->second) found->second = mean, tuning.best[name] = setting;
    tuning.rows.push_back({{"agent", name}, {"setting", setting}, {"regret", mean}});
  }
  for (ordered_json& row : tuning.rows)
    row["chosen"] = tuning.best.at(row["agent"]) == row["setting"].get<std::string>();
  return tuning;
}

std::uint64_t given(const Study& study, const char* option, std::uint64_t otherwise) {
  const auto found = study.given.find(option);
  return found == study.given.end() ? otherwise : std::stoull(found->second);
}

// The chosen settings alone, on the seeds that are reported.
Study reported(const Study& study, const Tuning& tuning) {
  Study chosen = study;
  chosen.tables.clear();
  const std::uint64_t first = given(study, "--first-seed", 101);
  const std::uint64_t count = given(study, "--seeds", study.part == "quick" ? 2 : 10);
  for (const SweepTable& table : study.tables)
    for (const PlacedText& agent : table.agents) {
      const std::string& best = tuning.best.at(name_of(agent.text));
      const std::size_t scale = best.find(" scale=");
      if (best.substr(0, scale) != agent.text) continue;
      SweepTable one = table;
      one.agents = {agent};
      if (scale != std::string::npos) one.vary["scale"] = {best.substr(scale + 7)};
      one.seeds.clear();
      for (std::uint64_t i = 0; i < count; ++i) one.seeds.push_back(first + i);
      chosen.tables.push_back(one);
    }
  return chosen;
}

// One agent's regrets, as scores: larger is better.
struct Entrant {
  std::vector<std::string> worlds;
  std::vector<std::vector<double>> regret;  // by world, then seed
  std::vector<double> ms;

  Scores scores(const std::string& name) const {
    std::vector<std::vector<double>> negated = regret;
    for (auto& world : negated)
      for (double& r : world) r = -r;
    return {name, worlds, negated};
  }
};

ordered_json row_of(const std::string& name, const std::string& setting, const Entrant& entrant,
                    const Scores& ours) {
  const Scores own = entrant.scores(name);
  const auto iqm = [](const Scores& scores) { return -interquartile_mean(scores); };
  const Interval interval = bootstrap(own, iqm);
  double worst = -std::numeric_limits<double>::infinity();
  std::string where;
  for (std::size_t w = 0; w < entrant.worlds.size(); ++w)
    if (const double mean = mean_and_error(entrant.regret[w]).mean; mean > worst)
      worst = mean, where = entrant.worlds[w];
  ordered_json row = {{"agent", name},           {"setting", setting},        {"iqm", iqm(own)},
                      {"iqm_low", interval.low}, {"iqm_high", interval.high}, {"mean", -mean(own)}};
  row["vapor_better"] = row["vapor_better_low"] = row["vapor_better_high"] = nullptr;
  if (name != kOurs) {
    const Interval better = bootstrap(ours, own, probability_of_improvement);
    row["vapor_better"] = probability_of_improvement(ours, own);
    row["vapor_better_low"] = better.low;
    row["vapor_better_high"] = better.high;
  }
  row["worst"] = worst;
  row["worst_in"] = where;
  row["ms_per_episode"] = mean_and_error(entrant.ms).mean;
  return row;
}

// Who is first, and where VAPOR is.
std::string headline_of(const ordered_json& rows) {
  std::size_t place = 0;
  while (rows[place]["agent"] != kOurs) ++place;
  const double ours = rows[place]["iqm"];
  if (place == 0)
    return fmt::format(
        "VAPOR has the least interquartile mean regret of {} agents, {:.3f} of the uniform "
        "policy's; next is {} with {:.3f}.",
        rows.size(), ours, rows[1]["agent"].get<std::string>(), rows[1]["iqm"].get<double>());
  return fmt::format(
      "{} has the least interquartile mean regret of {} agents, {:.3f} of the uniform policy's; "
      "VAPOR is number {} with {:.3f}.",
      rows[0]["agent"].get<std::string>(), rows.size(), rows[0]["iqm"].get<double>(), place + 1,
      ours);
}

Findings compute(const Study& study, const ReproductionOptions& options) {
  UniformRegret uniform;
  std::vector<Cell> cells = cells_of(study, options.out);
  make(cells, options);
  const Tuning tuning = tune(cells, uniform);
  const std::vector<Cell> chosen = cells_of(reported(study, tuning), options.out);
  cells.insert(cells.end(), chosen.begin(), chosen.end());
  make(cells, options);  // all of them, so that the manifest has them; the first are made

  std::vector<std::string> names;
  std::map<std::string, Entrant> entrants;
  Findings found = {{"rows", ordered_json::array()}, {"by_world", ordered_json::array()}};
  for (const Cell& cell : sorted_by(chosen, {&Cell::env})) {
    const std::string name = name_of(cell.agent());
    if (!entrants.contains(name)) names.push_back(name);
    const Played numbers = played(cell, uniform);
    Entrant& entrant = entrants[name];
    entrant.worlds.push_back(cell.env());
    entrant.regret.push_back(numbers.regret);
    entrant.ms.insert(entrant.ms.end(), numbers.ms.begin(), numbers.ms.end());
    ordered_json row = {{"env", cell.env()}, {"agent", name}, {"episodes", cell.cap}};
    add_mean(row, "regret", numbers.regret);
    row["worst_seed"] = std::ranges::max(numbers.regret);
    row["learned_seeds"] =
        std::ranges::count_if(numbers.late, [](double late) { return late <= kLearned; });
    row["seeds"] = numbers.late.size();
    found["by_world"].push_back(row);
  }
  const Scores ours = entrants.at(kOurs).scores(kOurs);
  std::vector<ordered_json> rows;
  for (const std::string& name : names)
    rows.push_back(row_of(name, tuning.best.at(name), entrants.at(name), ours));
  std::ranges::stable_sort(rows, {},
                           [](const ordered_json& row) { return row["iqm"].get<double>(); });
  for (const ordered_json& row : rows) found["rows"].push_back(row);
  found["headline"] = headline_of(found["rows"]);
  found["tuning"] = tuning.rows;
  found["tuning_seeds"] = study.tables.front().seeds;
  found["seeds"] = chosen.front().seeds();
  found["first_seed"] = chosen.front().runs.front().settings.seed;
  return found;
}

void print(const Findings& found) {
  fmt::print("{}\n", found["headline"].get<std::string>());
  print_findings(found, "rows", "regret over that of the uniform policy, all worlds",
                 {"iqm_low", "iqm_high", "vapor_better_low", "vapor_better_high", "worst_in"});
  print_findings(found, "by_world", "the same by world, mean ± standard error", {"episodes"});
}

}  // namespace

Experiment experiment() {
  Experiment experiment;
  experiment.summary = "The league: every agent, tuned alike, on worlds of all kinds";
  experiment.options = {
      whole_aside("--seeds", {1, 10'000}, "Seeds that are reported", "10, quick 2"),
      whole_aside("--first-seed", {0}, "The first of them; 201 and on are for tuning", "101"),
      episodes_option("Episodes of each run").saying("those of experiments/league/sweep.toml")};
  experiment.footer =
      "Examples:\n"
      "  vapor reproduce league --quick\n"
      "  vapor reproduce league --seeds 2";
  experiment.columns = {{"ms_per_episode", {{"title", "milliseconds an episode"}}},
                        {"vapor_better", {{"title", "P(VAPOR is better)"}}},
                        {"iqm", {{"title", "interquartile mean"}}}};
  experiment.compute = compute;
  experiment.print = print;
  return experiment;
}

}  // namespace vapor::experiments::league
