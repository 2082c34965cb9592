#include "deep_commands.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <span>
#include <system_error>

#include "vapor/core/error.h"

namespace vapor::command {
namespace {

struct DeepCommand {
  const char* name;
  const char* summary;
};

constexpr std::array<DeepCommand, 1> kCommands = {{
    {"train", "Train a deep agent, and resume it"},
}};

constexpr std::array<DeepCommand, 0> kExperiments = {};

bool is_one_of(std::span<const DeepCommand> commands, const std::string& word) {
  return std::ranges::any_of(commands, [&](const DeepCommand& c) { return word == c.name; });
}

// Of words to complete the last is not yet what it will be.
bool is_deep(std::span<const std::string> words, bool last_is_unfinished) {
  if (last_is_unfinished && !words.empty()) words = words.first(words.size() - 1);
  if (!words.empty() && is_one_of(kCommands, words[0])) return true;
  return words.size() > 1 && words[0] == "reproduce" && is_one_of(kExperiments, words[1]);
}

void list(CLI::App& app, std::span<const DeepCommand> commands) {
  for (const DeepCommand& command : commands) app.add_subcommand(command.name, command.summary);
}

}  // namespace

void hand_over_if_deep(const std::vector<std::string>& words, char** argv) {
  const bool completing = words.size() > 1 && words[0] == "complete" && words[1] == "--";
  if (!is_deep(std::span(words).subspan(completing ? 2 : 0), completing)) return;
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::string program = (self.parent_path() / "vapor-deep").string();
  execv(program.c_str(), argv);
  throw InputError(words[completing ? 2 : 0],
                   fmt::format("cannot run {}: {}; build the target vapor_deep_command", program,
                               std::strerror(errno)));
}

void list_train_and_play(CLI::App& app) { list(app, kCommands); }

void list_deep_experiments(CLI::App& reproduce) { list(reproduce, kExperiments); }

}  // namespace vapor::command
