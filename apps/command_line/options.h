// Options that behave alike in every subcommand: numbers are decimal and say their range, names are
// checked and suggested, --json and --quiet are everywhere.
#pragma once

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "names.h"
#include "terminal.h"
#include "vapor/core/error.h"
#include "vapor/core/random.h"

namespace vapor::command {

// --json and --quiet.
void add_output_flags(CLI::App& command, Output& output);

struct WholeRange {
  std::int64_t low = 0;
  std::int64_t high = std::numeric_limits<int>::max();
};

struct NumberRange {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool above_low = false;  // low itself is not in it
};

// Seeds that every reader of JSON keeps.
inline constexpr WholeRange kSeeds = {0, kLastSeed};

// Checks of the text of a number. 010 is ten: the parser alone would take it for octal.
CLI::Validator whole_in(WholeRange range);
CLI::Validator number_in(NumberRange range);

// A check of the name of a file or folder.
CLI::Validator not_empty();

// A check of a name: it is one of those of a type.
CLI::Validator name_of_type(const char* type);

// A whole number, a number, one of the names of a type, text that something else checks. Those with
// a default show it in the help; a std::optional is empty if the option is not given.
template <typename T>
CLI::Option* add_whole(CLI::App& command, const char* name, T& variable, WholeRange range,
                       const std::string& help) {
  return command.add_option(name, variable, help)->transform(whole_in(range))->type_name("N");
}

template <typename T>
CLI::Option* add_number(CLI::App& command, const char* name, T& variable, NumberRange range,
                        const std::string& help) {
  return command.add_option(name, variable, help)->transform(number_in(range))->type_name("X");
}

// An amount of memory in bytes, or with a unit: 500M, 1.5GB, 2GiB.
CLI::Option* add_bytes(CLI::App& command, const char* name, double& variable,
                       const std::string& help);

// Throws InputError that names `place`.
double parse_bytes(const vapor::Place& place, std::string_view text);

// What this machine has for a program: its memory, or what its control group may take of it.
double machine_memory();

template <typename T>
CLI::Option* add_name(CLI::App& command, const char* name, T& variable, const char* type,
                      const std::string& help) {
  return command.add_option(name, variable, help)->transform(name_of_type(type))->type_name(type);
}

template <typename T>
CLI::Option* add_text(CLI::App& command, const char* name, T& variable, const char* type,
                      const std::string& help) {
  return command.add_option(name, variable, help)->type_name(type);
}

// The name of a file or folder, where an empty one is a mistake: mostly a variable that is not set.
template <typename T>
CLI::Option* add_path(CLI::App& command, const char* name, T& variable, const char* type,
                      const std::string& help) {
  return command.add_option(name, variable, help)->transform(not_empty())->type_name(type);
}

// "20,40" as whole numbers >= 1; throws InputError that names `place`.
std::vector<int> parse_list(const std::string& place, const std::string& text);

// "vapor reproduce deep-sea --depths 20,40": what was given, as a shell reads it, without where the
// answer goes (--out, --json, --quiet) and how many threads make it.
std::string command_line_of(const CLI::App& command);

}  // namespace vapor::command
