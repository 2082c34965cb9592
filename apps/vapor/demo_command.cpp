// `vapor` without arguments.
#include <fmt/format.h>

#include <cstdlib>
#include <string>

#include "commands.h"
#include "deep_sea_run.h"
#include "terminal.h"

namespace vapor::command {
namespace {

// One line a row of the sea, one character a cell: how likely the policy is to pass there.
void print_occupancy(const Shape& shape, const Solution& solution) {
  constexpr std::string_view kShades = " .:-=+*#%@";
  for (Index l = 0; l < shape.layers(); ++l) {
    std::string line;
    for (Index s : shape.states_of(l)) {
      double mass = 0.0;
      for (Index p : shape.pairs_of(s)) mass += solution.occupancy[p];
      line += kShades[std::min<std::size_t>(9, static_cast<std::size_t>(10.0 * mass))];
      line += ' ';
    }
    fmt::print("    {}\n", line);
  }
}

}  // namespace

int run_demo() {
  DeepSeaRunSettings settings;
  settings.depth = 12;
  settings.repeat = 10000.0;
  settings.transform = "reward-only";
  settings.variance_scale = 0.03;
  DeepSeaRun run(settings);
  while (run.episodes() < 8) run.step();

  fmt::print("{}\n", bold("A belief about DeepSea of depth 12, after 8 episodes of learning"));
  fmt::print(
      "  The treasure lies in the bottom right corner; every step goes down, left or right.\n"
      "  VAPOR asks how likely each cell is to lie on the optimal path, and goes there:\n\n");
  const Solution solution = solve(run.problem());
  print_occupancy(run.shape(), solution);
  fmt::print(
      "\n{}\n"
      "  value       {:.12f}   attained by this occupancy\n"
      "  bound       {:.12f}   no occupancy is better: dual function at the values V\n"
      "  gap         {:.1e} relative, flow residual {:.1e}\n"
      "  solved in   {} iterations, {}\n",
      bold("The certificate"), solution.value, solution.upper_bound(), solution.relative_gap(),
      solution.flow_residual, solution.iterations, duration(solution.seconds));

  while (!run.solved() && run.episodes() < 1000) run.step();
  fmt::print(
      "\n  Acting by it, the treasure was found in a tenth of all episodes after {} of them.\n",
      run.episodes());
  const char* called = std::getenv("VAPOR_PROGRAM");  // ./run sets it
  const std::string program = called != nullptr ? called : "vapor";
  fmt::print(
      "\n{}\n"
      "  {} generate deep-sea --depth 30 --episodes 40 --out problem.json\n"
      "  {} solve problem.json\n"
      "  {} --help\n",
      bold("Next"), program, program, program);
  return solution.status == Status::kSolved ? kGood : kGoalNotMet;
}

}  // namespace vapor::command
