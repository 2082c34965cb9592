// The parts of `vapor list`.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "action.h"

namespace vapor::command {

inline constexpr const char* kListExamples =
    "A name and settings that differ from their defaults make a spec: deep_sea:depth=20\n"
    "Examples:\n"
    "  vapor list envs\n"
    "  vapor list agents --json";

// `vapor list WHAT`: the kinds of a type (names.h).
void add_list_of(CLI::App& list, Action& action, const std::string& what, const std::string& type,
                 const std::string& help);

}  // namespace vapor::command
