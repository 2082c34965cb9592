// The command line. Exit codes: 0 good, 1 a stated goal was not met, 2 bad input, 3 internal error.
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <iostream>
#include <new>
#include <string>
#include <vector>

#include "commands.h"
#include "vapor/core/check.h"
#include "vapor/core/error.h"
#include "vapor/core/spec.h"
#include "vapor/core/version.h"

namespace {

using namespace vapor::command;

// Errors are one line on standard error.
int fail(int code, const std::string& message) {
  std::fflush(stdout);
  fmt::print(stderr, "vapor: {}\n", message);
  return code;
}

// A word that stands where a subcommand belongs and is none gets the list of them and a suggestion.
void check_subcommands(CLI::App& app, int argc, char** argv) {
  CLI::App* at = &app;
  std::string place;
  for (int i = 1; i < argc && argv[i][0] != '-'; ++i) {
    std::vector<std::string> names;
    CLI::App* next = nullptr;
    for (CLI::App* command : at->get_subcommands([](const CLI::App*) { return true; })) {
      names.push_back(command->get_name());
      if (names.back() == argv[i]) next = command;
    }
    if (names.empty()) return;
    if (next == nullptr) throw vapor::unknown_name(place, argv[i], names);
    at = next;
    place += (place.empty() ? "" : " ") + std::string(argv[i]);
  }
}

int run(int argc, char** argv) {
  CLI::App app{
      "Exact, fast Bayesian exploration for reinforcement learning.\n"
      "Without a subcommand: solves a small problem and explains the answer."};
  app.name("vapor");
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
  Action action = run_demo;
  add_run(app, action);
  add_list(app, action);
  add_view(app, action);
  add_report(app, action);
  add_solve(app, action);
  add_generate(app, action);
  add_bench(app, action);
  add_reproduce(app, action);
  check_subcommands(app, argc, argv);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return app.exit(e);  // --help and --version
    return fail(kBadInput, fmt::format("{} (see vapor --help)", e.what()));
  }
  const int code = action();
  std::cout.flush();
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0 || !std::cout)
    return fail(kBadInput, "standard output cannot be written");
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const vapor::InputError& e) {
    return fail(kBadInput, e.what());
  } catch (const std::bad_alloc&) {
    return fail(kInternal, "out of memory");
  } catch (const std::exception& e) {
    return fail(kInternal, fmt::format("internal error: {}", e.what()));
  }
}
