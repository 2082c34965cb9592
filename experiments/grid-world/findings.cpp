// Figure 2 of the paper: how well VAPOR's lambda approximates P(Gamma*) in grid worlds with known
// dynamics and random rewards. P(Gamma*) is estimated by the mean of Thompson sampling's occupancy
// measures (lemma_TS_lambda). The figure shows maps of L^-1 sum_{l,a} lambda_l(s,a); beside them
// stand distances, for VAPOR and for rivals, over more seeds.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <mutex>

#include "experiments/common/experiment.h"
#include "experiments/common/printing.h"
#include "experiments/grid-world/world.h"
#include "vapor/core/error.h"
#include "vapor/core/output_file.h"
#include "vapor/core/spec.h"
#include "vapor/core/version.h"
#include "vapor/record/file.h"
#include "vapor/run/on_threads.h"

namespace vapor::experiments::grid_world {
namespace {

constexpr std::array kDistances = {"tv_state", "tv_occupancy", "weighted_kl", "bregman"};
constexpr std::int64_t kLargestSeedFile = 10'000'000;

GridWorldSeed settings_of(const SweepTable& table, std::uint64_t seed) {
  const auto value = [&](const char* name) {
    return parse_number(name, table.vary.at(name).front());
  };
  return {static_cast<int>(value("size")), static_cast<int>(table.request.episodes.value()), seed,
          value("mean_scale"), value("deviation_scale")};
}

// What a seed gives is kept in OUT/seed-S.json and taken from there if its settings are the same; a
// file of other settings is replaced.
ordered_json findings_of_seed(const GridWorldSeed& world, const std::string& out) {
  const std::string path = fmt::format("{}/seed-{}.json", out, world.seed);
  const ordered_json settings = {{"size", world.size},
                                 {"samples", world.samples},
                                 {"seed", world.seed},
                                 {"mean_scale", world.mean_scale},
                                 {"deviation_scale", world.deviation_scale},
                                 {"draws", "by layer, shared"},
                                 {"version", kVersion}};
  if (const auto text = read_whole_file(path, kLargestSeedFile)) {
    const ordered_json kept = ordered_json::parse(*text, nullptr, /*allow_exceptions=*/false);
    if (kept.is_object() && kept.value("settings", ordered_json()) == settings &&
        kept.contains("findings"))
      return kept.at("findings");
  }
  ordered_json findings = grid_world_findings(world);
  const ordered_json file = {{"settings", settings}, {"findings", findings}};
  write_file(path, [&](std::ostream& stream) { stream << file.dump() << "\n"; });
  return findings;
}

// Every seed, in their order.
std::vector<ordered_json> findings_of_seeds(const SweepTable& table,
                                            const ReproductionOptions& options) {
  std::vector<ordered_json> findings(table.seeds.size());
  std::mutex mutex;
  SweepProgress progress;  // guarded by mutex
  progress.step = "grid worlds";
  progress.episodes = std::ssize(findings);
  if (options.progress) options.progress(progress);
  on_threads(
      findings.size(), options.threads, [&] { return !options.interrupted(); },
      [&](std::size_t i, const GoOn&) {
        findings[i] = findings_of_seed(settings_of(table, table.seeds[i]), options.out);
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
  experiments::add_mean(row, name, values, values.size() == of.size());
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

// Against one reward draw for all steps: the distances, on how many seeds VAPOR is closer, and by
// how much the method's bound on E V* fails on the seed where it is worst (0: it holds on all).
void add_shared(Findings& findings, const std::vector<ordered_json>& seeds) {
  const std::size_t methods = seeds.front().at("shared_rows").size();
  for (std::size_t m = 0; m < methods; ++m) {
    std::vector<ordered_json> of;
    double failure = 0.0;
    int closer = 0;
    for (const ordered_json& seed : seeds) {
      of.push_back(seed.at("shared_rows").at(m));
      const ordered_json& bound = of.back().at("bound");
      if (!bound.is_null()) failure = std::max(failure, -bound.get<double>());
      closer +=
          distance(seed.at("shared_rows").at(0), "tv_state") < distance(of.back(), "tv_state");
    }
    ordered_json row = {{"method", of.front().at("method")}};
    for (const char* name : {"tv_state", "tv_occupancy", "bound"}) add_mean(row, name, of);
    row["vapor_closer"] = m == 0 ? ordered_json(nullptr) : ordered_json(closer);
    row["bound_fails_by"] =
        of.front().at("bound").is_null() ? ordered_json(nullptr) : ordered_json(failure);
    findings["shared"].push_back(row);
  }
}

Findings compute(const Study& study, const ReproductionOptions& options) {
  const SweepTable& table = study.tables.front();
  const GridWorldSeed world = settings_of(table, first_seed(study));
  std::filesystem::create_directories(options.out);
  const std::vector<ordered_json> seeds = findings_of_seeds(table, options);

  Findings findings = {{"rows", ordered_json::array()}};
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
  add_shared(findings, seeds);
  add_thompson(findings, seeds);
  add_lemma(findings, seeds);
  findings["settings"] = {{"size", world.size},
                          {"samples", world.samples},
                          {"seeds", seeds.size()},
                          {"first_seed", world.seed},
                          {"mean_scale", world.mean_scale},
                          {"deviation_scale", world.deviation_scale}};
  findings["maps"] = ordered_json::array();
  findings["columns"]["maps"] = {
      {"title", "VAPOR's occupancy beside P(\u0393*)"},
      {"caption",
       fmt::format("P(\u0393*), the probability that a pair lies on the optimal path, is the mean "
                   "occupancy of Thompson sampling over {} samples.",
                   world.samples)}};
  const std::size_t maps = study.part == "quick" ? 1 : 3;
  for (std::size_t i = 0; i < std::min(maps, seeds.size()); ++i) {
    ordered_json map = {{"seed", table.seeds[i]}};
    map.update(seeds[i].at("maps"));
    findings["maps"].push_back(map);
  }
  for (const ordered_json& seed : seeds)
    for (const ordered_json& row : seed.at("rows")) findings["seed_rows"].push_back(row);
  return findings;
}

double largest(const ordered_json& map) {
  double most = 0.0;
  for (const ordered_json& row : map)
    for (const ordered_json& p : row) most = std::max(most, p.get<double>());
  return most;
}

// A row of a map, two characters a cell. Shades go with the root: most of a map is near 0.
std::string shaded(const ordered_json& row, double most) {
  constexpr std::array kShades = {"  ", "░░", "▒▒", "▓▓", "██"};
  std::string line;
  for (const ordered_json& p : row) {
    const double part = std::sqrt(p.get<double>() / most) * kShades.size();
    line += kShades[std::min(static_cast<std::size_t>(part), kShades.size() - 1)];
  }
  return line;
}

void print_map(const ordered_json& map) {
  const ordered_json& left = map["vapor"];
  const ordered_json& right = map["thompson"];
  const double most = std::max(largest(left), largest(right));
  fmt::print("{}\n", bold(fmt::format("seed {}", map["seed"].get<std::uint64_t>())));
  const std::size_t width = std::max<std::size_t>(2 * left.size(), 5);
  fmt::print("   {:<{}}   {}\n", "vapor", width, "thompson");
  for (std::size_t r = 0; r < left.size(); ++r)
    fmt::print("  |{}|{:{}} |{}|\n", shaded(left[r], most), "", width - 2 * left.size(),
               shaded(right[r], most));
  fmt::print("  {}\n", dim(fmt::format("  to ░ 1/25, ▒ 4/25, ▓ 9/25, █ 16/25 of {:.3g}", most)));
}

void print(const Findings& findings) {
  for (const ordered_json& map : findings["maps"]) print_map(map);
  print_findings(
      findings, "rows",
      fmt::format("how far from P(Gamma*), mean over seeds {} standard error", plus_minus()));
  print_findings(findings, "shared", "the same with one reward draw for all steps");
  print_findings(findings, "closer_than", "on how many seeds VAPOR is closer than the rival");
  print_findings(findings, "best_at", "the closest method by each distance, and the next");
  print_findings(findings, "thompson", "the mean of so few samples against that of all");
  print_findings(findings, "floor", "half the samples against the other half: mere noise");
  fmt::print("Bregman form of the weighted KL below the bound on every seed: {}\n",
             findings["bregman_below_bound"].get<bool>() ? "yes" : "NO");
}

}  // namespace

Experiment experiment() {
  Experiment experiment;
  experiment.summary = "Figure 2: VAPOR's lambda beside the mean of Thompson sampling's";
  Option samples =
      episodes_option("Samples of Thompson sampling, even", "--samples", {4, 10'000'000});
  samples.apply = [whole = samples.apply](Study& study, const std::string& text) {
    whole(study, text);
    if (study.tables.front().request.episodes.value() % 2 != 0)
      throw InputError("--samples", "must be even, got " + text);
  };
  experiment.options = {
      whole_of("--size", "size", {2, 50}, "Rows and columns of the grid"),
      samples,
      seed_count("Grid worlds"),
      first_seed_option(),
      number_of("--mean-scale", "mean_scale", 0.0, 1e3, "Standard deviation of the prior means"),
      number_of("--deviation-scale", "deviation_scale", 1e-3, 1e3,
                "Largest prior standard deviation")};
  experiment.footer =
      "Examples:\n"
      "  vapor reproduce grid-world --quick\n"
      "  vapor reproduce grid-world --seeds 3 --samples 10000 --json\n"
      "  vapor reproduce grid-world --deviation-scale 3 --out out/experiments/grid-world-3";
  experiment.columns = {{"vapor", {{"title", "VAPOR"}}}, {"thompson", {{"title", "P(\u0393*)"}}}};
  experiment.compute = compute;
  experiment.print = print;
  return experiment;
}

}  // namespace vapor::experiments::grid_world
