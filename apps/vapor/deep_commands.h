// The subcommands that are not this program's: `vapor train ARGS...` becomes the program
// vapor-deep, which stands beside it, so that whoever does not train loads nothing of it.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace vapor::command {

// Becomes vapor-deep if the words are for it, also where they are words to complete. Throws
// InputError if it cannot.
void hand_over_if_deep(const std::vector<std::string>& words, char** argv);

// Adds those that stand below `parent` ("" for vapor itself) for the help, the suggestions and the
// completion of names; they are never parsed.
void list_deep(CLI::App& app, const std::string& parent);

}  // namespace vapor::command
