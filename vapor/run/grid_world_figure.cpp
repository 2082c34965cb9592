#include "vapor/run/grid_world_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>
#include <mutex>
#include <vector>

#include "vapor/core/error.h"
#include "vapor/core/output_file.h"
#include "vapor/core/version.h"
#include "vapor/run/grid_world_seed.h"
#include "vapor/run/on_threads.h"
#include "vapor/run/sweep_data.h"
#include "vapor/record/file.h"
#include "vapor/record/run_summary.h"

namespace vapor {
namespace {

using nlohmann::ordered_json;

constexpr std::array kDistances = {"tv_state", "tv_occupancy", "weighted_kl", "bregman"};
constexpr std::int64_t kLargestSeedFile = 10'000'000;

GridWorldFigure named_figure(const char* part) {
  const ordered_json& sweep = experiment_sweep("grid-world").at(part);
  GridWorldFigure figure;
  figure.size = sweep.at("size").get<int>();
  figure.samples = sweep.at("samples").get<int>();
  figure.seeds = sweep.at("seeds").get<int>();
  figure.first_seed = sweep.at("first_seed").get<std::uint64_t>();
  figure.maps = sweep.at("maps").get<int>();
  figure.mean_scale = sweep.at("mean_scale").get<double>();
  figure.deviation_scale = sweep.at("deviation_scale").get<double>();
  return figure;
}

void validate(const GridWorldFigure& figure) {
  if (figure.size < 2 || figure.size > 50)
    throw InputError("--size", fmt::format("must be in 2..50, got {}", figure.size));
  if (figure.samples < 4 || figure.samples % 2 != 0)
    throw InputError("--samples", fmt::format("must be even and >= 4, got {}", figure.samples));
  if (figure.seeds < 1)
    throw InputError("--seeds", fmt::format("must be >= 1, got {}", figure.seeds));
  if (!(figure.mean_scale >= 0.0 && figure.mean_scale <= 1e3))
    throw InputError("--mean-scale",
                     fmt::format("must be in [0, 1000], got {}", figure.mean_scale));
  if (!(figure.deviation_scale >= 1e-3 && figure.deviation_scale <= 1e3))
    throw InputError("--deviation-scale",
                     fmt::format("must be in [0.001, 1000], got {}", figure.deviation_scale));
}

// What a seed gives, from its file or by computing it.
ordered_json findings_of_seed(const GridWorldFigure& figure, std::uint64_t seed,
                              const std::string& out) {
  const std::string path = fmt::format("{}/seed-{}.json", out, seed);
  const ordered_json settings = {{"size", figure.size},
                                 {"samples", figure.samples},
                                 {"seed", seed},
                                 {"mean_scale", figure.mean_scale},
                                 {"deviation_scale", figure.deviation_scale},
                                 {"version", kVersion}};
  if (const auto text = read_whole_file(path, kLargestSeedFile)) {
    const ordered_json kept = ordered_json::parse(*text, nullptr, /*allow_exceptions=*/false);
    if (kept.is_object() && kept.value("settings", ordered_json()) == settings &&
        kept.contains("findings"))
      return kept.at("findings");
  }
  ordered_json findings = grid_world_findings(
      {figure.size, figure.samples, seed, figure.mean_scale, figure.deviation_scale});
  const ordered_json file = {{"settings", settings}, {"findings", findings}};
  write_file(path, [&](std::ostream& stream) { stream << file.dump() << "\n"; });
  return findings;
}

// Every seed, in their order.
std::vector<ordered_json> findings_of_seeds(const GridWorldFigure& figure,
                                            const ReproductionOptions& options) {
  std::vector<ordered_json> findings(figure.seeds);
  std::mutex mutex;
  SweepProgress progress;  // guarded by mutex
  progress.step = "grid worlds";
  progress.episodes = figure.seeds;
  if (options.progress) options.progress(progress);
  on_threads(
      findings.size(), options.threads, [&] { return !options.interrupted(); },
      [&](std::size_t i, const GoOn&) {
        findings[i] = findings_of_seed(figure, figure.first_seed + i, options.out);
        const std::lock_guard lock(mutex);
        ++progress.episodes_done;
        ++progress.episodes_played;
        if (options.progress) options.progress(progress);
      });
  if (options.interrupted()) throw Interrupted{};
  return findings;
}

// Adds NAME and NAME_se: null if it is on any seed.
void add_mean(ordered_json& row, const std::string& name, const std::vector<ordered_json>& of) {
  std::vector<double> values;
  for (const ordered_json& seed : of)
    if (!seed.at(name).is_null()) values.push_back(seed.at(name).get<double>());
  const MeanAndError mean = mean_and_error(values);
  const bool all = values.size() == of.size();
  row[name] = all ? ordered_json(mean.mean) : nullptr;
  row[name + "_se"] = all ? ordered_json(mean.standard_error) : nullptr;
}

std::vector<ordered_json> rows_of_method(const std::vector<ordered_json>& seeds, std::size_t m) {
  std::vector<ordered_json> rows;
  for (const ordered_json& seed : seeds) rows.push_back(seed.at("rows").at(m));
  return rows;
}

double distance(const ordered_json& row, const char* name) {
  return row.at(name).is_null() ? std::numeric_limits<double>::infinity()
                                : row.at(name).get<double>();
}

// On how many seeds VAPOR, the first method, is closer to P(Gamma*) than a rival.
ordered_json closer_than(const std::vector<ordered_json>& seeds, std::size_t rival) {
  ordered_json row = {{"rival", seeds.front().at("rows").at(rival).at("method")}};
  for (const char* name : kDistances) {
    int closer = 0;
    for (const ordered_json& seed : seeds)
      if (distance(seed.at("rows").at(0), name) < distance(seed.at("rows").at(rival), name))
        ++closer;
    row[name] = closer;
  }
  row["seeds"] = seeds.size();
  return row;
}

// The method of the least mean, and the next.
ordered_json best_at(const ordered_json& rows, const char* name) {
  std::vector<ordered_json> order(rows.begin(), rows.end());
  std::ranges::stable_sort(order, {}, [&](const ordered_json& row) { return distance(row, name); });
  return {{"distance", name},
          {"method", order[0].at("method")},
          {"mean", order[0].at(name)},
          {"next", order[1].at("method")},
          {"next_mean", order[1].at(name)}};
}

ordered_json mean_variations(const std::vector<ordered_json>& of) {
  ordered_json row = {{"samples", of.front().at("samples")}};
  add_mean(row, "tv_state", of);
  add_mean(row, "tv_occupancy", of);
  return row;
}

void add_thompson(Findings& findings, const std::vector<ordered_json>& seeds) {
  for (std::size_t i = 0; i < seeds.front().at("thompson").size(); ++i) {
    std::vector<ordered_json> of;
    for (const ordered_json& seed : seeds) of.push_back(seed.at("thompson").at(i));
    findings["thompson"].push_back(mean_variations(of));
  }
  std::vector<ordered_json> halves;
  for (const ordered_json& seed : seeds) halves.push_back(seed.at("floor"));
  findings["floor"] = ordered_json::array({mean_variations(halves)});
}

void add_lemma(Findings& findings, const std::vector<ordered_json>& seeds) {
  const auto count = [&](const char* name) {
    return std::ranges::count_if(seeds, [&](const ordered_json& s) { return s.at(name) == true; });
  };
  double gap = 0.0;
  for (const ordered_json& seed : seeds) gap = std::max(gap, seed.at("relative_gap").get<double>());
  findings["bregman_below_bound"] = count("bregman_below_bound") == std::ssize(seeds);
  findings["kl_below_bound_seeds"] = count("kl_below_bound");
  findings["largest_relative_gap"] = gap;
}

}  // namespace

GridWorldFigure grid_world_figure() { return named_figure("full"); }

GridWorldFigure grid_world_quick() { return named_figure("quick"); }

Findings reproduce_grid_world(const GridWorldFigure& figure, const ReproductionOptions& options) {
  validate(figure);
  std::filesystem::create_directories(options.out);
  const std::vector<ordered_json> seeds = findings_of_seeds(figure, options);

  Findings findings = {{"experiment", "grid-world"}, {"rows", ordered_json::array()}};
  const std::size_t methods = seeds.front().at("rows").size();
  for (std::size_t m = 0; m < methods; ++m) {
    const std::vector<ordered_json> of = rows_of_method(seeds, m);
    ordered_json row = {{"method", of.front().at("method")}};
    for (const char* name : kDistances) add_mean(row, name, of);
    add_mean(row, "bound", of);
    findings["rows"].push_back(row);
  }
  for (std::size_t m = 1; m < methods; ++m)
    findings["closer_than"].push_back(closer_than(seeds, m));
  for (const char* name : kDistances)
    findings["best_at"].push_back(best_at(findings["rows"], name));
  add_thompson(findings, seeds);
  add_lemma(findings, seeds);
  findings["settings"] = {{"size", figure.size},
                          {"samples", figure.samples},
                          {"seeds", figure.seeds},
                          {"first_seed", figure.first_seed},
                          {"mean_scale", figure.mean_scale},
                          {"deviation_scale", figure.deviation_scale}};
  findings["maps"] = ordered_json::array();
  for (int i = 0; i < std::min(figure.maps, figure.seeds); ++i) {
    ordered_json map = {{"seed", figure.first_seed + static_cast<std::uint64_t>(i)}};
    map.update(seeds[i].at("maps"));
    findings["maps"].push_back(map);
  }
  for (const ordered_json& seed : seeds)
    for (const ordered_json& row : seed.at("rows")) findings["seed_rows"].push_back(row);
  return findings;
}

}  // namespace vapor
