// `vapor list`: what the names on the command line may be.
#include "commands.h"
#include "deep_commands.h"
#include "lists.h"

namespace vapor::command {

void add_list(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("list", "List environments, agents and beliefs by name");
  command->require_subcommand(1);
  command->footer(kListExamples);
  add_list_of(*command, action, "envs", "ENV", "The environments, with settings and defaults");
  add_list_of(*command, action, "agents", "AGENT", "The agents, with settings and defaults");
  add_list_of(*command, action, "beliefs", "BELIEF", "The beliefs, with settings and defaults");
  list_deep(*command, "list");
}

}  // namespace vapor::command
