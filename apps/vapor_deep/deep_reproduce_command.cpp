// `vapor reproduce NAME` for the experiments with networks.
#include "commands.h"

namespace vapor::command {

void add_deep_reproduce(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("reproduce", "Reproduce a table or figure of the paper");
  command->require_subcommand(1);
  command->footer(
      "Examples:\n"
      "  vapor reproduce deep-sea-net --quick\n"
      "  vapor reproduce entropy-ablation --quick\n"
      "  vapor reproduce atari --quick");
  add_reproduce_deep_sea_net(*command, action);
  add_reproduce_entropy_ablation(*command, action);
  add_reproduce_atari(*command, action);
}

}  // namespace vapor::command
