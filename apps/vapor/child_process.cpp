#include "child_process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

namespace vapor::command {
namespace {

[[noreturn]] void fail(const char* doing) {
  throw std::system_error(errno, std::generic_category(), doing);
}

std::string all_of(int descriptor) {
  std::string text;
  std::array<char, 1 << 16> part;
  for (;;) {
    const ssize_t count = read(descriptor, part.data(), part.size());
    if (count > 0)
      text.append(part.data(), static_cast<std::size_t>(count));
    else if (count == 0)
      return text;
    else if (errno != EINTR)
      fail("read");
  }
}

int exit_code_of(pid_t process) {
  int status = 0;
  while (waitpid(process, &status, 0) < 0)
    if (errno != EINTR) fail("waitpid");
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

ChildOutcome run_this_program(const std::vector<std::string>& words) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) fail("pipe2");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  std::vector<std::string> kept = {"vapor"};
  kept.insert(kept.end(), words.begin(), words.end());
  std::vector<char*> argv;
  for (std::string& word : kept) argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_t process = 0;
  const int error =
      posix_spawn(&process, "/proc/self/exe", &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (error != 0) {
    errno = error;
    fail("posix_spawn");
  }
  ChildOutcome outcome;
  outcome.out = all_of(ends[0]);
  close(ends[0]);
  outcome.exit_code = exit_code_of(process);
  return outcome;
}

}  // namespace vapor::command
