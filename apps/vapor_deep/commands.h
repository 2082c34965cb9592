// The subcommands of vapor-deep, as apps/vapor/commands.h has those of vapor.
#pragma once

#include "../vapor/commands.h"

namespace vapor::command {

void add_training(CLI::App& app, Action& action);

}  // namespace vapor::command
