// `vapor reproduce grid-world`.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <string>

#include "reproduce.h"
#include "vapor/run/grid_world_figure.h"

namespace vapor::command {
namespace {

using nlohmann::ordered_json;

struct GridWorldOptions {
  ExperimentOptions common;
  int size = 0, samples = 0, seeds = 0;
  std::optional<std::uint64_t> first_seed;
  std::optional<double> mean_scale, deviation_scale;
};

GridWorldFigure figure_of(const GridWorldOptions& options) {
  GridWorldFigure figure = options.common.quick ? grid_world_quick() : grid_world_figure();
  if (options.size > 0) figure.size = options.size;
  if (options.samples > 0) figure.samples = options.samples;
  if (options.seeds > 0) figure.seeds = options.seeds;
  figure.first_seed = options.first_seed.value_or(figure.first_seed);
  figure.mean_scale = options.mean_scale.value_or(figure.mean_scale);
  figure.deviation_scale = options.deviation_scale.value_or(figure.deviation_scale);
  return figure;
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

void print_grid_world(const Findings& findings) {
  for (const ordered_json& map : findings["maps"]) print_map(map);
  print_findings_table(
      findings, "rows",
      fmt::format("how far from P(Gamma*), mean over seeds {} standard error", plus_minus()));
  print_findings_table(findings, "closer_than", "on how many seeds VAPOR is closer than the rival");
  print_findings_table(findings, "best_at", "the closest method by each distance, and the next");
  print_findings_table(findings, "thompson", "the mean of so few samples against that of all");
  print_findings_table(findings, "floor", "half the samples against the other half: mere noise");
  fmt::print("Bregman form of the weighted KL below the bound on every seed: {}\n",
             findings["bregman_below_bound"].get<bool>() ? "yes" : "NO");
}

}  // namespace

void add_reproduce_grid_world(CLI::App& parent, Action& action) {
  auto options = std::make_shared<GridWorldOptions>();
  CLI::App* command = add_experiment(
      parent, "grid-world", "Figure 2: VAPOR's lambda beside the mean of Thompson sampling's",
      options->common);
  const GridWorldFigure full = grid_world_figure();
  const GridWorldFigure quick = grid_world_quick();
  add_whole(*command, "--size", options->size, {2, 50}, "Rows and columns of the grid")
      ->default_str(default_text(full.size, quick.size));
  add_whole(*command, "--samples", options->samples, {4, 10'000'000},
            "Samples of Thompson sampling, even")
      ->default_str(default_text(full.samples, quick.samples));
  add_seeds(*command, *options, full, quick, "Grid worlds");
  add_number(*command, "--mean-scale", options->mean_scale, {0.0, 1e3},
             "Standard deviation of the prior means")
      ->default_str(default_text(full.mean_scale, quick.mean_scale));
  add_number(*command, "--deviation-scale", options->deviation_scale, {1e-3, 1e3},
             "Largest prior standard deviation")
      ->default_str(default_text(full.deviation_scale, quick.deviation_scale));
  command->footer(
      "Examples:\n"
      "  vapor reproduce grid-world --quick\n"
      "  vapor reproduce grid-world --seeds 3 --samples 10000 --json\n"
      "  vapor reproduce grid-world --deviation-scale 3 --out out/experiments/grid-world-3");
  command->callback([options, &action] {
    action = [options] {
      return run_reproduction(
          "grid-world", options->common,
          [&](const ReproductionOptions& how) {
            return reproduce_grid_world(figure_of(*options), how);
          },
          print_grid_world);
    };
  });
}

}  // namespace vapor::command
