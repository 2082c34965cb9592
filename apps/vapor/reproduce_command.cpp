// `vapor reproduce NAME`: a table or figure of the paper.
#include <algorithm>

#include "reproduce.h"

namespace vapor::command {

void add_reproduce(CLI::App& app, Action& action, const std::vector<std::string>& words) {
  CLI::App* command = app.add_subcommand("reproduce", "Reproduce a table or figure of the paper");
  // The options of experiments show defaults from the files of their sweeps, and reading those was
  // a third of every start.
  if (std::ranges::find(words, "reproduce") == words.end()) return;
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
  add_reproduce_deep_sea_net(*command, action);
  add_reproduce_entropy_ablation(*command, action);
  add_reproduce_atari(*command, action);
}

}  // namespace vapor::command
