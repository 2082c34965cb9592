// How a report writes numbers, seeds and commands.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "vapor/core/text.h"

namespace vapor {

// A number with as many decimals as the two significant digits of its error have, and that error.
std::string rounded_to_error(double value, double error);
std::string error_text(double error);

// {101, 102, 103, 7} -> "7, 101-103".
std::string seeds_text(std::vector<std::uint64_t> seeds);

// "1 run", "3 runs".
std::string counted(std::size_t count, const std::string& what);

// "a", "a and b", "a, b and c".
std::string listed(std::span<const std::string> items);

// What tells specs that all differ from each other: the name, or the first setting, that no other
// has; the whole spec if there is none.
std::vector<std::string> short_names(std::span<const std::string> specs);

// Many commands in few lines. Parts that vary stand in braces, --env deep_sea:depth={10,20} --seed
// {101..104}, where each choice of them is one of the commands. First words, such as
// vapor.learn('CartPole-v1', are never joined.
std::vector<std::string> common_commands(std::span<const std::string> commands);

}  // namespace vapor
