// `vapor list worlds` and `vapor list deep-agents`.
#include "commands.h"
#include "lists.h"

namespace vapor::command {

void add_deep_lists(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("list", "List what deep agents are and where they train");
  command->require_subcommand(1);
  command->footer(kListExamples);
  add_list_of(*command, action, "worlds", "ENV", "The environments of vapor train, with settings");
  add_list_of(*command, action, "deep-agents", "AGENT", "The agents of vapor train, with settings");
}

}  // namespace vapor::command
