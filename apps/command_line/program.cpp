#include "program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <iostream>
#include <memory>
#include <new>

#include "interruption.h"
#include "terminal.h"
#include "vapor/core/error.h"
#include "vapor/core/version.h"
#include "words.h"

namespace vapor::command {
namespace {

using Words = std::vector<std::string>;

// Errors are one line on standard error.
int fail(int code, const std::string& message) {
  std::fflush(stdout);
  say(message);
  return code;
}

// The library calls a setting `env`, who typed it called it --env. What is wrong with an option
// says where the options are explained.
std::string in_words_of_the_command(const InputError& error, const std::string& command) {
  const std::string& setting = error.where().setting();
  const bool about_words =
      !setting.empty() || error.place().empty() || error.place().starts_with("--");
  std::string message = error.what();
  if (!setting.empty()) {
    std::string option = "--" + setting;
    std::ranges::replace(option, '_', '-');
    message = error.where().with_setting_as(option) + ": " + error.problem();
  }
  return about_words ? fmt::format("{}; see {} --help", message, command) : message;
}

int print_completions(const CLI::App& app, const Words& words) {
  for (const std::string& line : completions(app, words)) fmt::print("{}\n", line);
  return kGood;
}

// Parses the words and does what they ask for.
int obey(CLI::App& app, const Action& action, const Chosen& chosen, int argc, char** argv) {
  try {
    check_options(chosen);
    app.parse(argc, argv);
    return action();
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return app.exit(e);  // --help and --version
    const bool no_subcommand = chosen.rest.empty() && !subcommands_of(*chosen.command).empty();
    return fail(kBadInput,
                fmt::format("{}; see {} --help",
                            no_subcommand ? "a subcommand is missing" : e.what(), chosen.name));
  } catch (const InputError& e) {
    return fail(kBadInput, in_words_of_the_command(e, chosen.name));
  }
}

int run(const Program& program, const Words& words, int argc, char** argv) {
  CLI::App app{program.about};
  app.name(command::program());
  app.formatter(std::make_shared<HelpFormatter>());
  app.set_version_flag("--version", std::string("vapor ") + kVersion);
  app.footer(program.footer);
  app.require_subcommand(0, 1);
  Action action;
  program.add_subcommands(app, action, words);
  if (words.size() > 1 && words[0] == "complete" && words[1] == "--")
    return print_completions(app, {words.begin() + 2, words.end()});
  Chosen chosen = {&app, command::program(), {}};
  try {
    chosen = choose(app, words);
  } catch (const InputError& e) {
    const std::string within = e.place().empty() ? "" : " " + e.place();
    return fail(kBadInput,
                fmt::format("{}; see {}{} --help", e.what(), command::program(), within));
  }
  const int code = obey(app, action, chosen, argc, argv);
  std::cout.flush();
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0 || !std::cout)
    return fail(kBadInput, "standard output cannot be written");
  return code;
}

}  // namespace

int run_program(const Program& program, int argc, char** argv) {
  keep_standard_streams();
  clean_up_on_signals();
  try {
    return run(program, {argv + 1, argv + argc}, argc, argv);
  } catch (const InputError& e) {
    return fail(kBadInput, e.what());
  } catch (const std::bad_alloc&) {
    return fail(kInternal, "out of memory");
  } catch (const std::exception& e) {
    return fail(kInternal, fmt::format("internal error: {}", e.what()));
  }
}

}  // namespace vapor::command
