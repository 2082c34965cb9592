// The subcommands that are not this program's: `vapor train ARGS...` becomes the program vapor-deep,
// which stands beside it, so that whoever does not train loads nothing of it.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace vapor::command {

// Becomes vapor-deep if the words are for it, also where they are words to complete. Throws
// InputError if it cannot.
void hand_over_if_deep(const std::vector<std::string>& words, char** argv);

// For the help, the suggestions and the completion of names; never parsed.
void list_train_and_play(CLI::App& app);
void list_deep_experiments(CLI::App& reproduce);

}  // namespace vapor::command
