#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "benchmarks/solver/solver_benchmark.h"
#include "commands.h"
#include "options.h"
#include "vapor/core/error.h"

namespace vapor::command {
namespace {

struct BenchOptions {
  std::string depths = "20,50,100";
  std::string growth_depths = "50,100,200";
  bool quick = false;
  benchmark::SolverBenchmarkSettings settings;
};

std::vector<int> depths_of(const char* place, const std::string& text) {
  std::vector<int> depths = parse_list(place, text);
  for (int depth : depths)
    if (depth < 2 || depth > 1000)
      throw InputError(place, fmt::format("must be in 2..1000, got {}", depth));
  return depths;
}

int run(const BenchOptions& options) {
  benchmark::SolverBenchmarkSettings settings = options.settings;
  settings.depths = depths_of("--depths", options.quick ? "20" : options.depths);
  settings.growth_depths =
      depths_of("--growth-depths", options.quick ? "20,40" : options.growth_depths);
  settings.few_samples = options.quick;
  return run_solver_benchmark(settings);
}

}  // namespace

void add_bench(CLI::App& app, Action& action) {
  CLI::App* bench = app.add_subcommand("bench", "Measure, side by side with the peers");
  bench->require_subcommand(1);
  const char* examples =
      "Only the ratios travel between machines. With all defaults it takes about half an hour.\n"
      "Examples:\n"
      "  vapor bench solver --quick --no-peers\n"
      "  vapor bench solver --quick\n"
      "  vapor bench solver --large --out bench.json";
  bench->footer(examples);
  auto options = std::make_shared<BenchOptions>();
  CLI::App* command = bench->add_subcommand(
      "solver", "The solver against CVXPY with ECOS, Clarabel and SCS on DeepSea posteriors");
  add_text(*command, "--depths", options->depths, "LIST", "Depths to measure")
      ->capture_default_str();
  add_text(*command, "--growth-depths", options->growth_depths, "LIST",
           "Depths of the growth table")
      ->capture_default_str();
  add_number(*command, "--scs-cap", options->settings.scs_cap, {.low = 0.0, .above_low = true},
             "Seconds that SCS may take")
      ->capture_default_str();
  add_whole(*command, "--peer-repeat", options->settings.peer_repeat, {1, 1000},
            "Timed solves of each peer")
      ->capture_default_str();
  command->add_flag("--no-peers", options->settings.no_peers, "Measure ours alone");
  command->add_flag("--large", options->settings.large, "Also solve a problem of a million pairs");
  command->add_flag("--quick", options->quick,
                    "Depth 20 only, about a minute (seconds with --no-peers)");
  add_path(*command, "--out", options->settings.out, "FILE",
           "Write everything measured to this JSON file");
  add_output_flags(*command, options->settings.output);
  command->footer(examples);
  command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace vapor::command
