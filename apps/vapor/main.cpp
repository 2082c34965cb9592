// The command line. Exit codes: 0 good, 1 a stated goal was not met, 2 bad input, 3 internal error.
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <iostream>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "commands.h"
#include "terminal.h"
#include "vapor/core/error.h"
#include "vapor/core/version.h"
#include "words.h"

namespace {

using namespace vapor::command;

// Errors are one line on standard error.
int fail(int code, const std::string& message) {
  std::fflush(stdout);
  fmt::print(stderr, "{} {}\n", red("vapor:"), message);
  return code;
}

// What is wrong with an option says where the options are explained.
std::string with_hint(const vapor::InputError& error, const std::string& command) {
  const bool about_words = error.place().empty() || error.place().starts_with("--");
  return about_words ? fmt::format("{}; see {} --help", error.what(), command) : error.what();
}

int print_completions(const CLI::App& app, const std::vector<std::string>& words) {
  for (const std::string& line : completions(app, words)) fmt::print("{}\n", line);
  return kGood;
}

void add_subcommands(CLI::App& app, Action& action) {
  add_tour(app, action);
  add_run(app, action);
  add_report(app, action);
  add_view(app, action);
  add_reproduce(app, action);
  add_list(app, action);
  add_solve(app, action);
  add_generate(app, action);
  add_bench(app, action);
  add_completion(app, action);
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
  } catch (const vapor::InputError& e) {
    return fail(kBadInput, with_hint(e, chosen.name));
  }
}

int run(const std::vector<std::string>& words, int argc, char** argv) {
  CLI::App app{
      "Exact, fast Bayesian exploration for reinforcement learning.\n"
      "Without a subcommand: a tour of a few minutes that ends with a report (vapor tour)."};
  app.name(program());
  app.formatter(std::make_shared<HelpFormatter>());
  app.set_version_flag("--version", std::string("vapor ") + vapor::kVersion);
  app.footer(
      "Examples:\n"
      "  vapor generate deep-sea --depth 20 --episodes 30 --out problem.json\n"
      "  vapor solve problem.json\n"
      "  vapor solve problem.json --json --certify 1e-9\n"
      "  vapor run --env deep_sea:depth=20 --agent vapor --episodes 500 --stop-when-solved\n"
      "  vapor report out/runs\n"
      "  vapor SUBCOMMAND --help");
  app.require_subcommand(0, 1);
  Action action;
  add_subcommands(app, action);
  if (words.size() > 1 && words[0] == "complete" && words[1] == "--")
    return print_completions(app, {words.begin() + 2, words.end()});
  Chosen chosen = {&app, program(), {}};
  try {
    chosen = choose(app, words);
  } catch (const vapor::InputError& e) {
    const std::string within = e.place().empty() ? "" : " " + e.place();
    return fail(kBadInput, fmt::format("{}; see {}{} --help", e.what(), program(), within));
  }
  const int code = obey(app, action, chosen, argc, argv);
  std::cout.flush();
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0 || !std::cout)
    return fail(kBadInput, "standard output cannot be written");
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run({argv + 1, argv + argc}, argc, argv);
  } catch (const std::bad_alloc&) {
    return fail(kInternal, "out of memory");
  } catch (const std::exception& e) {
    return fail(kInternal, fmt::format("internal error: {}", e.what()));
  }
}
