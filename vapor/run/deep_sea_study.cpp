#include "vapor/run/deep_sea_study.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "vapor/core/error.h"
#include "vapor/core/spec.h"
#include "vapor/run/sweep_data.h"
#include "vapor/record/run_summary.h"

namespace vapor {
namespace {

using nlohmann::ordered_json;

std::vector<BeliefSetting> named_settings(const ordered_json& sweep) {
  std::vector<BeliefSetting> settings;
  for (const auto& [name, belief] : sweep.at("settings").items())
    settings.push_back({name, belief.get<std::string>()});
  return settings;
}

DeepSeaStudy study_of(const ordered_json& part) {
  DeepSeaStudy study;
  study.depths = part.at("depths").get<std::vector<int>>();
  study.seeds = part.at("seeds").get<int>();
  study.first_seed = part.at("first_seed").get<std::uint64_t>();
  study.episodes = part.at("episodes").get<std::int64_t>();
  return study;
}

DeepSeaStudy named_deep_sea(const char* part) {
  const ordered_json& sweep = experiment_sweep("deep-sea");
  DeepSeaStudy study = study_of(sweep.at(part));
  study.settings = named_settings(sweep);
  study.agents = sweep.at("agents").get<std::vector<std::string>>();
  return study;
}

void validate(const DeepSeaStudy& study) {
  if (study.depths.empty()) throw InputError("--depths", "must name at least one depth");
  if (study.agents.empty()) throw InputError("--agents", "must name at least one agent");
  for (const int depth : study.depths)
    if (depth < 1 || depth > 1000)
      throw InputError("--depths", fmt::format("must be in 1..1000, got {}", depth));
  if (study.seeds < 1)
    throw InputError("--seeds", fmt::format("must be >= 1, got {}", study.seeds));
  if (study.episodes < 1)
    throw InputError("--episodes", fmt::format("must be >= 1, got {}", study.episodes));
}

// One line of the figure at one depth.
struct DepthCell {
  BeliefSetting setting;
  int depth = 0;
  std::string agent;

  // Runs with another cap are other runs.
  std::string folder(const std::string& out, std::int64_t cap) const {
    return fmt::format("{}/{}/depth-{}/{}/within-{}", out, folder_name(setting.name), depth,
                       folder_name(agent), cap);
  }
};

std::vector<SweepCell> runs_of(const DepthCell& cell, const DeepSeaStudy& study,
                               const std::string& out) {
  RunSettings settings;
  settings.env = fmt::format("deep_sea:depth={}", cell.depth);
  settings.agent = cell.agent;
  settings.belief = cell.setting.belief;
  settings.episodes = study.episodes;
  settings.stop = StopRule::kSolved;
  settings = complete(settings);
  std::vector<SweepCell> runs;
  for (int k = 0; k < study.seeds; ++k) {
    settings.seed = study.first_seed + static_cast<std::uint64_t>(k);
    runs.push_back(
        {settings, fmt::format("{}/seed-{}", cell.folder(out, study.episodes), settings.seed)});
  }
  return runs;
}

// Episodes, seeds that never got there being counted at the cap; nothing if none did.
struct Times {
  MeanAndError time;
  int reached = 0;
};

Times times_of(const std::vector<RunSummary>& seeds, std::int64_t cap,
               std::optional<std::int64_t> RunSummary::* when) {
  Times times;
  std::vector<double> values;
  for (const RunSummary& seed : seeds) {
    values.push_back(static_cast<double>((seed.*when).value_or(cap)));
    if (seed.*when) ++times.reached;
  }
  times.time = mean_and_error(values);
  return times;
}

ordered_json or_null(bool present, double value) { return present ? ordered_json(value) : nullptr; }

ordered_json row_of(const DepthCell& cell, const DeepSeaStudy& study, const std::string& out) {
  std::vector<RunSummary> seeds;
  std::vector<double> ms;
  for (const SweepCell& run : runs_of(cell, study, out)) {
    seeds.push_back(summarise(read_run(run.folder)));
    ms.push_back(seeds.back().ms_per_episode);
  }
  const Times first = times_of(seeds, study.episodes, &RunSummary::first_success);
  const Times solved = times_of(seeds, study.episodes, &RunSummary::solved);
  return {{"agent", cell.agent},
          {"depth", cell.depth},
          {"setting", cell.setting.name},
          {"seeds", study.seeds},
          {"first_success", or_null(first.reached > 0, first.time.mean)},
          {"found_fraction", static_cast<double>(first.reached) / study.seeds},
          {"solved", or_null(solved.reached > 0, solved.time.mean)},
          {"solved_se", or_null(solved.reached > 0, solved.time.standard_error)},
          {"solved_fraction", static_cast<double>(solved.reached) / study.seeds},
          {"ms_per_episode", mean_and_error(ms).mean},
          {"coverage_floor", 2 * cell.depth}};
}

// The slope of log time against log depth by least squares, over the depths that every seed solved.
ordered_json growth_of(const ordered_json& rows, const std::string& agent,
                       const std::string& setting) {
  std::vector<double> x, y;
  for (const ordered_json& row : rows) {
    if (row["agent"] != agent || row["setting"] != setting || row["solved_fraction"] != 1.0)
      continue;
    x.push_back(std::log(row["depth"].get<double>()));
    y.push_back(std::log(row["solved"].get<double>()));
  }
  ordered_json growth = {{"agent", agent}, {"setting", setting}, {"depths", x.size()}};
  growth["exponent"] = nullptr;
  growth["exponent_se"] = nullptr;
  if (x.size() < 3) return growth;
  const double mean_x = mean_and_error(x).mean;
  const double mean_y = mean_and_error(y).mean;
  double xx = 0.0, xy = 0.0, residual = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mean_x) * (x[i] - mean_x);
    xy += (x[i] - mean_x) * (y[i] - mean_y);
  }
  const double slope = xy / xx;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double error = y[i] - mean_y - slope * (x[i] - mean_x);
    residual += error * error;
  }
  growth["exponent"] = slope;
  growth["exponent_se"] = std::sqrt(residual / static_cast<double>(x.size() - 2) / xx);
  return growth;
}

}  // namespace

DeepSeaStudy deep_sea_figure() { return named_deep_sea("full"); }

DeepSeaStudy deep_sea_quick() { return named_deep_sea("quick"); }

DeepSeaStudy deep_sea_settings_grid() {
  const ordered_json& grid = experiment_sweep("deep-sea").at("study");
  DeepSeaStudy study = study_of(grid);
  study.agents = grid.at("agents").get<std::vector<std::string>>();
  for (const auto& transform : grid.at("transform"))
    for (const auto& repeat : grid.at("repeat"))
      for (const auto& variance : grid.at("variance"))
        study.settings.push_back(deep_sea_setting(
            fmt::format("tabular:repeat={},variance={},transform={}", repeat.get<double>(),
                        variance.get<double>(), transform.get<std::string>())));
  return study;
}

BeliefSetting deep_sea_setting(const std::string& name) {
  const std::vector<BeliefSetting> named = named_settings(experiment_sweep("deep-sea"));
  std::vector<std::string> names;
  for (const BeliefSetting& setting : named) {
    if (setting.name == name) return setting;
    names.push_back(setting.name);
  }
  if (name.find(':') != std::string::npos) return {name, name};
  throw unknown_name("--setting", name, names, " or the spec of a belief");
}

Findings reproduce_deep_sea(const DeepSeaStudy& study, const ReproductionOptions& options) {
  validate(study);
  std::vector<DepthCell> cells;
  std::vector<SweepCell> runs;
  for (const BeliefSetting& setting : study.settings)
    for (const int depth : study.depths)
      for (const std::string& agent : study.agents) {
        cells.push_back({setting, depth, agent});
        for (const SweepCell& run : runs_of(cells.back(), study, options.out)) runs.push_back(run);
      }
  make_runs(runs, options);

  Findings findings = {{"experiment", "deep-sea"}, {"rows", ordered_json::array()}};
  for (const DepthCell& cell : cells) findings["rows"].push_back(row_of(cell, study, options.out));
  findings["growth"] = ordered_json::array();
  for (const BeliefSetting& setting : study.settings)
    for (const std::string& agent : study.agents)
      findings["growth"].push_back(growth_of(findings["rows"], agent, setting.name));
  for (const BeliefSetting& setting : study.settings)
    findings["settings"][setting.name] = setting.belief;
  findings["first_seed"] = study.first_seed;
  findings["episodes"] = study.episodes;
  return findings;
}

}  // namespace vapor
