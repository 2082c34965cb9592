// The deep agents' own program, which `vapor` hands over to.
#include "commands.h"
#include "program.h"

namespace {

using namespace vapor::command;

void add_subcommands(CLI::App& app, Action& action) {
  add_deep_types();
  add_train(app, action);
  add_play(app, action);
  add_deep_reproduce(app, action);
  add_deep_lists(app, action);
}

}  // namespace

int main(int argc, char** argv) {
  Program deep;
  deep.about = "VAPOR-lite and its rivals with neural networks.";
  deep.footer =
      "Example:\n"
      "  vapor train --env deep_sea:depth=20 --agent vapor-lite --stop-when-solved";
  deep.add_subcommands = add_subcommands;
  return run_program(deep, argc, argv);
}
