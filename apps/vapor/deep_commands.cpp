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
  const char* parent;  // "" for vapor itself
  const char* name;
  const char* summary;
};

constexpr std::array kCommands = {
    DeepCommand{"", "train", "Train a deep agent, and resume it"},
    DeepCommand{"", "play", "Watch a trained policy, or save a film of it"},
    DeepCommand{"reproduce", "deep-sea-net", "Appendix I: DeepSea with networks, to depth 100"},
    DeepCommand{"reproduce", "entropy-ablation",
                "Appendix I: four policy losses that differ in their entropy"},
    DeepCommand{"reproduce", "atari", "Figure 4: replay actor-critic agents in Atari games"},
    DeepCommand{"list", "worlds", "The environments of vapor train, with settings"},
    DeepCommand{"list", "deep-agents", "The agents of vapor train, with settings"},
};

bool is_one_of(const std::string& parent, const std::string& word) {
  return std::ranges::any_of(
      kCommands, [&](const DeepCommand& c) { return c.parent == parent && c.name == word; });
}

// Of words to complete the last is not yet what it will be.
bool is_deep(std::span<const std::string> words, bool last_is_unfinished) {
  if (last_is_unfinished && !words.empty()) words = words.first(words.size() - 1);
  if (!words.empty() && is_one_of("", words[0])) return true;
  return words.size() > 1 && is_one_of(words[0], words[1]);
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

void list_deep(CLI::App& app, const std::string& parent) {
  for (const DeepCommand& command : kCommands)
    if (command.parent == parent) app.add_subcommand(command.name, command.summary);
}

}  // namespace vapor::command
