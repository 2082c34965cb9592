// The subcommands of vapor-deep, as apps/vapor/commands.h has those of vapor.
#pragma once

#include <CLI/CLI.hpp>

#include "action.h"

namespace vapor::command {

// ENV, AGENT and AGENTS are those of deep agents here.
void add_deep_types();

void add_train(CLI::App& app, Action& action);
void add_play(CLI::App& app, Action& action);
void add_deep_reproduce(CLI::App& app, Action& action);
void add_reproduce_atari(CLI::App& parent, Action& action);
void add_reproduce_deep_sea_net(CLI::App& parent, Action& action);
void add_reproduce_entropy_ablation(CLI::App& parent, Action& action);
void add_deep_lists(CLI::App& app, Action& action);

}  // namespace vapor::command
