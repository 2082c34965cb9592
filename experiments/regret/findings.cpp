// Theorems 1 and 2 of the paper, measured: the Bayes regret of agents whose belief starts at the
// prior from which their environment is drawn, beside the bound that is proven for VAPOR.
//
// Mean rewards are Beta(1, 1) and rewards 0 or 1, so assumption 1 holds with nu = 1/2; transitions
// are Dirichlet of total mass 1, which is assumption 2. Every seed draws an MDP of its own, and all
// agents meet the same ones.
#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "experiments/common/experiment.h"
#include "experiments/common/printing.h"
#include "vapor/core/error.h"
#include "vapor/core/spec.h"
#include "vapor/record/run_summary.h"

namespace vapor::experiments::regret {
namespace {

constexpr const char* kKnown = "known_dynamics=true";  // of the environment

std::string dynamics_of(const std::string& env) {
  return env.find(kKnown) == std::string::npos ? "unknown" : "known";
}

// The bound of the lemma "generic regret bound" on N episodes of L steps,
//
//   sqrt(2 c0^2 N L S A log(S A) (1 + log N)),
//
// S the number of states of all layers together. c0^2 is nu^2 + 1 if the dynamics are known, and
// 3.6^2 (nu^2 + 1) + L^2 if not.
double bound(const Cell& cell, std::int64_t episodes) {
  constexpr double nu = 0.5;
  const auto N = static_cast<double>(episodes);
  const double L = cell.number("layers");
  const double SA = L * cell.number("states") * cell.number("actions");
  const double reward = nu * nu + 1.0;
  const double c0_squared =
      dynamics_of(cell.env()) == "known" ? reward : 3.6 * 3.6 * reward + L * L;
  return std::sqrt(2.0 * c0_squared * N * L * SA * std::log(SA) * (1.0 + std::log(N)));
}

// Which statement of the paper, by its label, proves the bound for an agent; null: none does, and
// the bound is a yardstick.
ordered_json proof_for(const std::string& agent, const std::string& dynamics) {
  if (agent == "vapor") return dynamics == "known" ? "thm_no_p_regret_bound" : "thm_regret_bound";
  if (agent == "conditional-optimality" && dynamics == "known") return "corpopregretbound";
  return nullptr;
}

// Where a curve has a row.
std::vector<std::int64_t> checkpoints(std::int64_t episodes) {
  std::vector<std::int64_t> all;
  for (const std::int64_t N : {10, 30, 100, 300, 1000, 3000, 10000, 30000, 100000})
    if (N < episodes) all.push_back(N);
  all.push_back(episodes);
  return all;
}

// regret(first episode, ..., last episode), summed.
double regret_of(std::span<const double> regret, std::int64_t first, std::int64_t last) {
  return std::accumulate(regret.begin() + (first - 1), regret.begin() + last, 0.0);
}

// The rows of a curve, one a checkpoint.
std::vector<ordered_json> rows_of(const Cell& cell) {
  const std::vector<RunRecord> seeds = cell.records();
  const std::string dynamics = dynamics_of(cell.env());
  std::vector<ordered_json> rows;
  for (const std::int64_t N : checkpoints(cell.cap)) {
    const std::int64_t tenth = std::max<std::int64_t>(1, N / 10);
    std::vector<double> total, recent;
    for (const RunRecord& seed : seeds) {
      const std::span<const double> regret = seed.episodes.column("regret");
      total.push_back(regret_of(regret, 1, N));
      recent.push_back(regret_of(regret, N - tenth + 1, N) / static_cast<double>(tenth));
    }
    const MeanAndError mean = mean_and_error(total);
    rows.push_back({{"agent", cell.agent()},
                    {"env", cell.env()},
                    {"dynamics", dynamics},
                    {"episodes", N},
                    {"seeds", cell.seeds()},
                    {"bayes_regret", mean.mean},
                    {"bayes_regret_se", mean.standard_error},
                    {"bound", bound(cell, N)},
                    {"most_possible", N * cell.number("layers")},
                    {"below_bound", mean.mean + 2.0 * mean.standard_error <= bound(cell, N)},
                    {"bound_proven_by", proof_for(cell.agent(), dynamics)},
                    {"regret_per_episode", mean.mean / static_cast<double>(N)},
                    {"regret_per_episode_last", mean_and_error(recent).mean}});
  }
  return rows;
}

// The slope of log regret against log N over the last two checkpoints: 1 for an agent that does not
// learn, 1/2 for the bound but for its logarithm.
ordered_json growth_of(const std::vector<ordered_json>& rows) {
  ordered_json growth = {{"agent", rows[0]["agent"]}, {"dynamics", rows[0]["dynamics"]}};
  growth["from"] = nullptr;
  growth["to"] = nullptr;
  growth["exponent"] = nullptr;
  if (rows.size() < 2) return growth;
  const ordered_json& before = rows[rows.size() - 2];
  const ordered_json& last = rows.back();
  const auto log_ratio = [&](const char* name) {
    return std::log(last[name].get<double>() / before[name].get<double>());
  };
  growth["from"] = before["episodes"];
  growth["to"] = last["episodes"];
  const double exponent = log_ratio("bayes_regret") / log_ratio("episodes");
  if (std::isfinite(exponent)) growth["exponent"] = exponent;
  return growth;
}

Findings findings(const Study& study, const std::vector<Cell>& cells) {
  Findings found = {{"rows", ordered_json::array()}, {"growth", ordered_json::array()}};
  // Rewards are in [0, 1]: a bound above N L says nothing, and its row proves nothing.
  bool holds = true;
  int tested = 0;
  for (const Cell& cell : cells) {
    const std::vector<ordered_json> rows = rows_of(cell);
    for (const ordered_json& row : rows) {
      found["rows"].push_back(row);
      if (row["bound_proven_by"].is_null() || row["bound"] >= row["most_possible"]) continue;
      ++tested;
      holds = holds && row["below_bound"].get<bool>();
    }
    found["growth"].push_back(growth_of(rows));
  }
  found["proven_bounds_hold"] = holds;
  found["proven_bounds_tested"] = tested;
  found["first_seed"] = first_seed(study);
  found["episodes"] = cells.front().cap;
  return found;
}

command::Values kinds_of_dynamics() {
  return {command::Form::kName, {{"known", "", "theorem 1"}, {"unknown", "", "theorem 2"}}};
}

void choose_dynamics(Study& study, const std::string& text) {
  const std::vector<std::string> names = kinds_of_dynamics().names();
  if (std::ranges::find(names, text) == names.end()) throw unknown_name("--dynamics", text, names);
  std::erase_if(study.tables, [&](const SweepTable& table) {
    return dynamics_of(table.envs.front().text) != text;
  });
}

// The rows of one kind of dynamics, without what the others say.
void print_rows_of(const Findings& found, const std::string& dynamics) {
  Findings shown = {{"experiment", dynamics + " dynamics"}, {"rows", Findings::array()}};
  for (Findings row : found["rows"]) {
    if (row["dynamics"] != dynamics) continue;
    row["proven"] = !row["bound_proven_by"].is_null();
    shown["rows"].push_back(row);
  }
  if (shown["rows"].empty()) return;
  print_findings(
      shown, "rows",
      fmt::format("theorem {}; Bayes regret, mean over {} seeds {} standard error",
                  dynamics == "known" ? 1 : 2, shown["rows"][0]["seeds"].get<int>(), plus_minus()),
      {"env", "dynamics", "seeds", "bound_proven_by", "regret_per_episode"});
}

void print(const Findings& found) {
  for (const char* dynamics : {"known", "unknown"}) print_rows_of(found, dynamics);
  fmt::print("  {}\n  {}\n",
             dim("bound: on the regret; most possible: what any agent stays below, so a larger "
                 "bound says nothing"),
             dim("proven: by the paper for this agent; else the bound is a yardstick"));
  print_findings(found, "growth", "the slope of log regret against log episodes: 1 does not learn");
}

}  // namespace

Experiment experiment() {
  Experiment experiment;
  experiment.summary = "Theorems 1 and 2: Bayes regret beside its bound";
  const Option dynamics = {
      "--dynamics",    "DYNAMICS", "Whether agents know the dynamics: known or unknown",
      choose_dynamics, {},         kinds_of_dynamics};
  experiment.options = {episodes_option("Episodes of each run"),
                        seed_count("Seeds, each with an MDP of its own drawn from the prior"),
                        first_seed_option(),
                        whole_of("--layers", "layers", {1, 1000}, "Steps of an episode"),
                        whole_of("--states", "states", {1, 1000}, "States of a layer"),
                        whole_of("--actions", "actions", {1, 1000}, "Actions of a state"),
                        agents_option(),
                        dynamics.saying("both in turn")};
  experiment.footer =
      "Examples:\n"
      "  vapor reproduce regret --quick\n"
      "  vapor reproduce regret --layers 2 --states 2 --actions 2 --out out/experiments/regret-2\n"
      "  vapor reproduce regret --dynamics known --agents vapor,thompson --seeds 100 --json";
  experiment.columns = {{"bayes_regret", in("units of reward")},
                        {"bound", {{"line", "proven bound for VAPOR"}}},
                        {"most_possible",
                         {{"unit", "units of reward"},
                          {"line", "most possible"},
                          {"about",
                           "The most possible regret is what rewards of at most 1 allow; where the "
                           "bound lies above it, it says nothing."}}},
                        {"regret_per_episode", in("units of reward")},
                        {"regret_per_episode_last", in("units of reward")}};
  experiment.findings = findings;
  experiment.print = print;
  return experiment;
}

}  // namespace vapor::experiments::regret
