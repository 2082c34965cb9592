// The command line.
#include "commands.h"
#include "program.h"

namespace {

using namespace vapor::command;

void add_subcommands(CLI::App& app, Action& action, const std::vector<std::string>& words) {
  add_tour(app, action);
  add_run(app, action);
  add_sweep(app, action);
  add_train(app, action);
  add_play(app, action);
  add_report(app, action);
  add_view(app, action);
  add_reproduce(app, action, words);
  add_list(app, action);
  add_solve(app, action);
  add_explain(app, action);
  add_generate(app, action);
  add_convert(app, action);
  add_bench(app, action);
  add_completion(app, action);
}

}  // namespace

int main(int argc, char** argv) {
  Program vapor;
  vapor.about =
      "Exact, fast Bayesian exploration for reinforcement learning.\n"
      "Without a subcommand: a tour of a few minutes that ends with a report (vapor tour).";
  vapor.footer =
      "Examples:\n"
      "  vapor generate deep-sea --depth 20 --episodes 30 --out problem.json\n"
      "  vapor solve problem.json\n"
      "  vapor solve problem.json --json --certify 1e-9\n"
      "  vapor run --env deep_sea:depth=20 --agent vapor --episodes 500 --stop-when-solved\n"
      "  vapor train --env deep_sea:depth=20 --agent vapor-lite --stop-when-solved\n"
      "  vapor report out/runs\n"
      "  vapor SUBCOMMAND --help";
  vapor.add_subcommands = add_subcommands;
  return run_program(vapor, argc, argv);
}
