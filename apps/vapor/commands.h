// The subcommands. Each adds itself to the parser and stores in `action` what to run when it was
// the one chosen; an action returns the exit code.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace vapor::command {

using Action = std::function<int()>;

inline constexpr int kGood = 0;
inline constexpr int kGoalNotMet = 1;
inline constexpr int kBadInput = 2;
inline constexpr int kInternal = 3;

void add_solve(CLI::App& app, Action& action);
void add_generate(CLI::App& app, Action& action);
void add_bench(CLI::App& app, Action& action);
void add_reproduce(CLI::App& app, Action& action);
void add_run(CLI::App& app, Action& action);
void add_report(CLI::App& app, Action& action);
void add_list(CLI::App& app, Action& action);
void add_view(CLI::App& app, Action& action);
void add_completion(CLI::App& app, Action& action);

// Also stores its action at once: it is what `vapor` does without a subcommand.
void add_tour(CLI::App& app, Action& action);

// `vapor train ARGS...` becomes the program vapor-deep, which stands beside this one: whoever does not
// train loads nothing of it. Returns only if it cannot; then it throws InputError.
void add_train(CLI::App& app);
void hand_over_if_deep(int argc, char** argv);

}  // namespace vapor::command
