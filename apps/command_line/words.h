// The words of a command line against what the parser knows: suggestions for mistyped ones before
// it parses them, help that fits a terminal, completion of the last one.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace vapor::command {

// The subcommand that the words choose, and what is left of them.
struct Chosen {
  const CLI::App* command = nullptr;
  std::string name;  // "vapor reproduce deep-sea", by the name that the user gave the program
  std::vector<std::string> rest;
};

// Throws InputError with a suggestion if a word stands where a subcommand belongs and is none.
Chosen choose(const CLI::App& app, const std::vector<std::string>& words);

// Throws InputError with a suggestion if an option of the rest is none of the chosen command's.
void check_options(const Chosen& chosen);

// The subcommands that the help lists.
std::vector<const CLI::App*> subcommands_of(const CLI::App& command);

// Help of at most 100 columns that says the defaults, its examples with the name of the program.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_option(const CLI::Option* option, bool is_positional) const override;
  std::string make_subcommand(const CLI::App* command) const override;
  std::string make_footer(const CLI::App* command) const override;
};

// The ways to complete the last of the words, a line each: the word and, after a tab, what it is.
// A line ":file" or ":folder" asks for the shell's own. Never throws: a mistake completes nothing.
std::vector<std::string> completions(const CLI::App& app, const std::vector<std::string>& words);

}  // namespace vapor::command
