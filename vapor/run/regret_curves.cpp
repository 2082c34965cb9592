#include "vapor/run/regret_curves.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "vapor/core/error.h"
#include "vapor/core/spec.h"
#include "vapor/run/sweep_data.h"
#include "vapor/record/run_summary.h"

namespace vapor {
namespace {

using nlohmann::ordered_json;

RegretStudy named_regret(const char* part) {
  const ordered_json& sweep = experiment_sweep("regret");
  const ordered_json& size = sweep.at(part);
  RegretStudy study;
  study.agents = sweep.at("agents").get<std::vector<std::string>>();
  study.dynamics = sweep.at("dynamics").get<std::vector<std::string>>();
  study.checkpoints = sweep.at("checkpoints").get<std::vector<std::int64_t>>();
  study.layers = size.at("layers").get<Index>();
  study.states = size.at("states").get<Index>();
  study.actions = size.at("actions").get<Index>();
  study.seeds = size.at("seeds").get<int>();
  study.first_seed = size.at("first_seed").get<std::uint64_t>();
  study.episodes = size.at("episodes").get<std::int64_t>();
  return study;
}

void validate(const RegretStudy& study) {
  if (study.agents.empty()) throw InputError("--agents", "must name at least one agent");
  if (study.dynamics.empty()) throw InputError("--dynamics", "must be known or unknown");
  for (const std::string& dynamics : study.dynamics)
    if (dynamics != "known" && dynamics != "unknown")
      throw InputError("--dynamics", fmt::format("must be known or unknown, got \"{}\"", dynamics));
  if (study.seeds < 1)
    throw InputError("--seeds", fmt::format("must be >= 1, got {}", study.seeds));
  if (study.episodes < 1)
    throw InputError("--episodes", fmt::format("must be >= 1, got {}", study.episodes));
}

// One curve.
struct CurveCell {
  std::string agent;
  std::string dynamics;

  bool known() const { return dynamics == "known"; }
};

std::vector<SweepCell> runs_of(const CurveCell& cell, const RegretStudy& study,
                               const std::string& out) {
  RunSettings settings;
  settings.env =
      fmt::format("random_mdp:layers={},states={},actions={}{}", study.layers, study.states,
                  study.actions, cell.known() ? ",known_dynamics=true" : "");
  settings.agent = cell.agent;
  settings.belief = fmt::format("tabular:repeat=1,transform={}", cell.known() ? "known" : "paper");
  settings.episodes = study.episodes;
  settings = complete(settings);
  std::vector<SweepCell> runs;
  for (int k = 0; k < study.seeds; ++k) {
    settings.seed = study.first_seed + static_cast<std::uint64_t>(k);
    runs.push_back({settings, fmt::format("{}/{}/{}/within-{}/seed-{}", out, cell.dynamics,
                                          folder_name(cell.agent), study.episodes, settings.seed)});
  }
  return runs;
}

std::vector<std::int64_t> checkpoints_of(const RegretStudy& study) {
  std::vector<std::int64_t> checkpoints;
  for (const std::int64_t episodes : study.checkpoints)
    if (episodes < study.episodes) checkpoints.push_back(episodes);
  checkpoints.push_back(study.episodes);
  return checkpoints;
}

// Which statement of the paper, by its label, proves the bound for this agent; null: none does, and
// the bound is a yardstick.
ordered_json proof_for(const CurveCell& cell) {
  const ordered_json& proofs = experiment_sweep("regret").at("bound");
  if (!proofs.contains(cell.agent) || !proofs.at(cell.agent).contains(cell.dynamics))
    return nullptr;
  return proofs.at(cell.agent).at(cell.dynamics);
}

// regret(first episode, ..., last episode), summed.
double regret_of(std::span<const double> regret, std::int64_t first, std::int64_t last) {
  return std::accumulate(regret.begin() + (first - 1), regret.begin() + last, 0.0);
}

// The rows of a curve, one a checkpoint, from the records of its seeds.
std::vector<ordered_json> rows_of(const CurveCell& cell, const RegretStudy& study,
                                  const std::string& out) {
  std::vector<RunRecord> seeds;
  for (const SweepCell& run : runs_of(cell, study, out)) seeds.push_back(read_run(run.folder));
  const RegretBound bound = {.layers = study.layers,
                             .states = study.layers * study.states,
                             .actions = study.actions,
                             .known_dynamics = cell.known()};
  std::vector<ordered_json> rows;
  for (const std::int64_t N : checkpoints_of(study)) {
    const std::int64_t tenth = std::max<std::int64_t>(1, N / 10);
    std::vector<double> total, recent;
    for (const RunRecord& seed : seeds) {
      const std::span<const double> regret = seed.episodes.column("regret");
      total.push_back(regret_of(regret, 1, N));
      recent.push_back(regret_of(regret, N - tenth + 1, N) / static_cast<double>(tenth));
    }
    const MeanAndError mean = mean_and_error(total);
    rows.push_back({{"agent", cell.agent},
                    {"dynamics", cell.dynamics},
                    {"episodes", N},
                    {"seeds", study.seeds},
                    {"bayes_regret", mean.mean},
                    {"bayes_regret_se", mean.standard_error},
                    {"bound", bound.at(N)},
                    {"most_possible", N * study.layers},
                    {"below_bound", mean.mean + 2.0 * mean.standard_error <= bound.at(N)},
                    {"bound_proven_by", proof_for(cell)},
                    {"regret_per_episode", mean.mean / static_cast<double>(N)},
                    {"regret_per_episode_last", mean_and_error(recent).mean}});
  }
  return rows;
}

// The slope of log regret against log N over the last two checkpoints: 1 for an agent that does not
// learn, 1/2 for the bound but for its logarithm.
ordered_json growth_of(const CurveCell& cell, const std::vector<ordered_json>& rows) {
  ordered_json growth = {{"agent", cell.agent}, {"dynamics", cell.dynamics}};
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

}  // namespace

RegretStudy regret_study() { return named_regret("full"); }

RegretStudy regret_quick() { return named_regret("quick"); }

double RegretBound::at(std::int64_t episodes) const {
  const auto N = static_cast<double>(episodes);
  const double L = layers;
  const double SA = static_cast<double>(states) * actions;
  const double reward = nu * nu + 1.0;
  const double c0_squared = known_dynamics ? reward : 3.6 * 3.6 * reward + L * L;
  return std::sqrt(2.0 * c0_squared * N * L * SA * std::log(SA) * (1.0 + std::log(N)));
}

Findings reproduce_regret(const RegretStudy& study, const ReproductionOptions& options) {
  validate(study);
  std::vector<CurveCell> cells;
  std::vector<SweepCell> runs;
  for (const std::string& dynamics : study.dynamics)
    for (const std::string& agent : study.agents) {
      cells.push_back({agent, dynamics});
      for (const SweepCell& run : runs_of(cells.back(), study, options.out)) runs.push_back(run);
    }
  make_runs(runs, options);

  Findings findings = {{"experiment", "regret"}, {"rows", ordered_json::array()}};
  // Rewards are in [0, 1]: a bound above N L says nothing, and its row proves nothing.
  bool holds = true;
  int tested = 0;
  findings["growth"] = ordered_json::array();
  for (const CurveCell& cell : cells) {
    const std::vector<ordered_json> rows = rows_of(cell, study, options.out);
    for (const ordered_json& row : rows) {
      findings["rows"].push_back(row);
      if (row["bound_proven_by"].is_null() || row["bound"] >= row["most_possible"]) continue;
      ++tested;
      holds = holds && row["below_bound"].get<bool>();
    }
    findings["growth"].push_back(growth_of(cell, rows));
  }
  findings["proven_bounds_hold"] = holds;
  findings["proven_bounds_tested"] = tested;
  findings["env"] = fmt::format("random_mdp:layers={},states={},actions={}", study.layers,
                                study.states, study.actions);
  findings["first_seed"] = study.first_seed;
  findings["episodes"] = study.episodes;
  return findings;
}

}  // namespace vapor
