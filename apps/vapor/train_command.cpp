// `vapor train` hands over to vapor-deep.
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

#include "commands.h"
#include "vapor/core/error.h"

namespace vapor::command {
namespace {

constexpr std::array<std::string_view, 1> kDeepCommands = {"train"};

}  // namespace

void hand_over_if_deep(int argc, char** argv) {
  if (argc < 2) return;
  bool deep = false;
  for (const std::string_view name : kDeepCommands) deep = deep || name == argv[1];
  if (!deep) return;
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::string program = (self.parent_path() / "vapor-deep").string();
  execv(program.c_str(), argv);
  throw InputError("train", fmt::format("cannot run {}: {}; build the target vapor_deep_command",
                                        program, std::strerror(errno)));
}

// For the list of subcommands and the suggestions alone: hand_over_if_deep runs before the parser.
void add_train(CLI::App& app) {
  app.add_subcommand("train", "Train a deep agent, and resume it (vapor-deep)");
}

}  // namespace vapor::command
