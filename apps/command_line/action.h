// What a subcommand does when it was the one chosen; its result is the exit code.
#pragma once

#include <functional>

namespace vapor::command {

using Action = std::function<int()>;

inline constexpr int kGood = 0;
inline constexpr int kGoalNotMet = 1;
inline constexpr int kBadInput = 2;
inline constexpr int kInternal = 3;

}  // namespace vapor::command
