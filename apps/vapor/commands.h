// The subcommands. Each adds itself to the parser and stores in `action` what to run when it was
// the one chosen; an action returns the exit code.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "action.h"

namespace vapor::command {

void add_solve(CLI::App& app, Action& action);
void add_explain(CLI::App& app, Action& action);
void add_generate(CLI::App& app, Action& action);
void add_convert(CLI::App& app, Action& action);
void add_bench(CLI::App& app, Action& action);
void add_reproduce(CLI::App& app, Action& action, const std::vector<std::string>& words);
void add_run(CLI::App& app, Action& action);
void add_sweep(CLI::App& app, Action& action);
void add_train(CLI::App& app, Action& action);
void add_play(CLI::App& app, Action& action);
void add_report(CLI::App& app, Action& action);
void add_list(CLI::App& app, Action& action);
void add_view(CLI::App& app, Action& action);
void add_completion(CLI::App& app, Action& action);

// Also stores its action at once: it is what `vapor` does without a subcommand.
void add_tour(CLI::App& app, Action& action);

}  // namespace vapor::command
