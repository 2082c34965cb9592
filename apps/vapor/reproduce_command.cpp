// `vapor reproduce NAME`: a table or figure of the paper.
#include "deep_commands.h"
#include "reproduce.h"

namespace vapor::command {

void add_reproduce(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("reproduce", "Reproduce a table or figure of the paper");
  command->require_subcommand(1);
  command->footer(
      "Examples:\n"
      "  vapor reproduce toy-chain\n"
      "  vapor reproduce deep-sea --quick\n"
      "  vapor reproduce grid-world --json > grid-world.json\n"
      "What each claims, and what came out: experiments/NAME/README.md");
  add_reproduce_deep_sea(*command, action);
  add_reproduce_grid_world(*command, action);
  add_reproduce_four_rooms(*command, action);
  add_reproduce_regret(*command, action);
  add_reproduce_toy_chain(*command, action);
  list_deep(*command, "reproduce");
}

}  // namespace vapor::command
