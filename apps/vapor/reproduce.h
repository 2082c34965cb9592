// The experiments of `vapor reproduce`; each has a file of its own that adds its subcommand.
#pragma once

#include "commands.h"
#include "reproduction.h"

namespace vapor::command {

void add_reproduce_deep_sea(CLI::App& parent, Action& action);
void add_reproduce_four_rooms(CLI::App& parent, Action& action);
void add_reproduce_grid_world(CLI::App& parent, Action& action);
void add_reproduce_regret(CLI::App& parent, Action& action);
void add_reproduce_toy_chain(CLI::App& parent, Action& action);
void add_reproduce_deep_sea_net(CLI::App& parent, Action& action);
void add_reproduce_entropy_ablation(CLI::App& parent, Action& action);
void add_reproduce_atari(CLI::App& parent, Action& action);

}  // namespace vapor::command
