// The deep agents' own program, which `vapor train` hands over to. Its exit codes are those of
// `vapor`: 0 good, 2 bad input, 3 internal error.
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <new>
#include <string>

#include "commands.h"
#include "vapor/core/error.h"
#include "vapor/core/version.h"

namespace {

using namespace vapor::command;

int fail(int code, const std::string& message) {
  std::fflush(stdout);
  fmt::print(stderr, "vapor: {}\n", message);
  return code;
}

int run(int argc, char** argv) {
  CLI::App app{"VAPOR-lite and its rivals with neural networks."};
  app.name("vapor");
  app.set_version_flag("--version", std::string("vapor ") + vapor::kVersion);
  app.require_subcommand(1);
  Action action;
  add_training(app, action);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return app.exit(e);  // --help and --version
    return fail(kBadInput, fmt::format("{} (see vapor train --help)", e.what()));
  }
  const int code = action();
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
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
