// `vapor run`: an agent in an environment, a folder a seed; the same command again goes on where
// the last one was stopped.
#include <memory>
#include <string>

#include "commands.h"
#include "options.h"
#include "run_job.h"

namespace vapor::command {

void add_run(CLI::App& app, Action& action) {
  auto words = std::make_shared<RunWords>();
  RunRequest& request = words->request;
  CLI::App* command = app.add_subcommand("run", "Run an agent in an environment, and resume it");
  add_text(*command, "--env", request.env, "ENV",
           "Environment, a name with settings: see vapor list envs")
      ->required();
  add_text(*command, "--agent", request.agent, "AGENT",
           "Agent, a name with settings: see vapor list agents")
      ->required();
  add_text(*command, "--belief", request.belief, "BELIEF",
           "Belief, a name with settings: see vapor list beliefs")
      ->default_str("the one that fits the environment");
  add_run_words(*command, *words,
                "never, solved (the goal in a tenth of the episodes so far) or covered (every cell "
                "and action tried)");
  add_whole(*command, "--snapshot-every", request.snapshot_every, {0, 1'000'000'000},
            "Episodes between snapshots for the viewer; 0: none")
      ->default_str("0");
  add_output_flags(*command, words->output);
  command->footer(
      "The table has, for each seed: the episodes played; the first that reached the goal (first\n"
      "success); the first at which a tenth had (solved; never, if the last policy is worth less\n"
      "than half of the optimum); the regret of all; the mean return; the\n"
      "expected return of the last policy (last value); the wall time. - is: never happened.\n"
      "The same command again goes on with an unfinished run and leaves a finished one alone.\n"
      "Exit code: 0 finished, 2 bad input, 3 internal error, 130 interrupted (Ctrl-C).\n"
      "Examples:\n"
      "  vapor run --env deep_sea:depth=20 --agent vapor --episodes 500 --stop-when-solved\n"
      "  vapor run --env deep_sea:depth=20 --agent thompson --seeds 10 --out runs/thompson --json\n"
      "  vapor run --env grid_world --agent vapor --episodes 200 --snapshot-every 20");
  command->callback([words, &action] { action = [words] { return make_runs(*words); }; });
}

}  // namespace vapor::command
