// `vapor list`: what the names on the command line may be.
#include "commands.h"
#include "experiments/common/experiment.h"
#include "lists.h"
#include "names.h"

namespace vapor::command {
namespace {

Values all_experiments() {
  Values values = {Form::kName, {}};
  for (const experiments::Experiment& experiment : experiments::experiments())
    values.kinds.push_back({experiment.name, "", experiment.summary});
  return values;
}

}  // namespace

void add_list(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("list", "List environments, agents and beliefs by name");
  command->require_subcommand(1);
  command->footer(kListExamples);
  add_list_of(*command, action, "envs", "ENV", "The environments, with settings and defaults");
  add_list_of(*command, action, "agents", "AGENT", "The agents, with settings and defaults");
  add_list_of(*command, action, "beliefs", "BELIEF", "The beliefs, with settings and defaults");
  add_list_of(*command, action, "worlds", "WORLD",
              "The environments of vapor train, with settings");
  add_list_of(*command, action, "deep-agents", "DEEP-AGENT",
              "The agents of vapor train, with settings");
  define_type("EXPERIMENT", all_experiments);
  add_list_of(*command, action, "experiments", "EXPERIMENT", "The experiments of vapor reproduce");
}

}  // namespace vapor::command
