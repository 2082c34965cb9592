#include "vapor/run/child_process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <functional>
#include <system_error>

namespace vapor {
namespace {

[[noreturn]] void fail(const char* doing) {
  throw std::system_error(errno, std::generic_category(), doing);
}

// What comes through the pipe until it is closed; asks `waiting` whenever a signal interrupts it.
std::string all_of(int descriptor, const std::function<void()>& waiting) {
  std::string text;
  std::array<char, 1 << 16> part;
  for (;;) {
    const ssize_t count = read(descriptor, part.data(), part.size());
    if (count > 0)
      text.append(part.data(), static_cast<std::size_t>(count));
    else if (count == 0)
      return text;
    else if (errno == EINTR)
      waiting();
    else
      fail("read");
  }
}

// Nothing if it has not ended and `options` say not to wait.
std::optional<int> exit_code_of(pid_t process, int options) {
  int status = 0;
  pid_t ended = 0;
  while ((ended = waitpid(process, &status, options)) < 0)
    if (errno != EINTR) fail("waitpid");
  if (ended == 0) return std::nullopt;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// The arguments of a program as the kernel takes them; the words live as long as this does.
class Arguments {
 public:
  Arguments(const std::string& program, const std::vector<std::string>& words)
      : words_{program == "/proc/self/exe" ? "vapor" : program} {
    words_.insert(words_.end(), words.begin(), words.end());
    for (std::string& word : words_) pointers_.push_back(word.data());
    pointers_.push_back(nullptr);
  }

  char* const* data() const { return pointers_.data(); }

 private:
  std::vector<std::string> words_;
  std::vector<char*> pointers_;
};

// What the child does between fork and exec: system calls alone, since the parent has threads.
[[noreturn]] void become(pid_t parent, int null, int errors_to, const char* program,
                         char* const* argv) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) _exit(128 + SIGTERM);  // it died before it could be told so
  dup2(null, STDIN_FILENO);
  dup2(null, STDOUT_FILENO);
  dup2(errors_to, STDERR_FILENO);
  execv(program, argv);
  _exit(126);
}

}  // namespace

ChildOutcome run_child(const std::string& program, const std::vector<std::string>& words,
                       const std::atomic<bool>* interrupt) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) fail("pipe2");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  const Arguments arguments(program, words);
  pid_t process = 0;
  const int error =
      posix_spawnp(&process, program.c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (error != 0) {
    errno = error;
    fail("posix_spawn");
  }
  ChildOutcome outcome;
  outcome.out = all_of(ends[0], [&] {
    if (interrupt != nullptr && *interrupt) kill(process, SIGTERM);
  });
  close(ends[0]);
  outcome.exit_code = *exit_code_of(process, 0);
  return outcome;
}

RunningChild::RunningChild(const std::string& program, const std::vector<std::string>& words) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) fail("pipe2");
  const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  const Arguments arguments(program, words);
  const pid_t parent = getpid();
  process_ = fork();
  if (process_ == 0) become(parent, null, ends[1], program.c_str(), arguments.data());
  const int error = errno;
  close(ends[1]);
  close(null);
  errors_from_ = ends[0];
  if (process_ < 0) {
    close(errors_from_);
    errno = error;
    fail("fork");
  }
  fcntl(errors_from_, F_SETFL, O_NONBLOCK);
}

RunningChild::~RunningChild() {
  if (!exit_code_) {
    terminate();
    exit_code_of(process_, 0);
  }
  close(errors_from_);
}

std::optional<int> RunningChild::exit_code() {
  if (!exit_code_) {
    take_errors();
    exit_code_ = exit_code_of(process_, WNOHANG);
    if (exit_code_) take_errors();
  }
  return exit_code_;
}

void RunningChild::take_errors() {
  constexpr std::size_t kKept = 1 << 16;
  std::array<char, 4096> part;
  for (;;) {
    const ssize_t count = read(errors_from_, part.data(), part.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    errors_.append(part.data(), static_cast<std::size_t>(count));
    if (errors_.size() > 2 * kKept) errors_.erase(0, errors_.size() - kKept);
  }
}

std::string RunningChild::last_error() const {
  const std::size_t end = errors_.find_last_not_of('\n');
  if (end == std::string::npos) return "";
  const std::size_t before = errors_.rfind('\n', end);
  const std::size_t begin = before == std::string::npos ? 0 : before + 1;
  return errors_.substr(begin, end + 1 - begin);
}

void RunningChild::terminate() const {
  if (!exit_code_) kill(process_, SIGTERM);
}

}  // namespace vapor
