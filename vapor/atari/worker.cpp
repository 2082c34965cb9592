#include "vapor/atari/worker.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

namespace vapor::atari {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const char* doing, int error = errno) {
  throw std::system_error(error, std::generic_category(), doing);
}

// Beside this program, or in the folder `bin` beside its own (tests, benchmarks).
fs::path find_program(const std::string& place) {
  if (const char* named = std::getenv("VAPOR_ATARI_WORKER")) {
    if (access(named, X_OK) == 0) return named;
    throw InputError(place, fmt::format("VAPOR_ATARI_WORKER names {}, which is no program", named));
  }
  const fs::path folder = fs::read_symlink("/proc/self/exe").parent_path();
  for (const fs::path& candidate :
       {folder / "vapor-atari", folder.parent_path() / "bin" / "vapor-atari"})
    if (access(candidate.c_str(), X_OK) == 0) return candidate;
  throw InputError(place,
                   fmt::format("needs the program vapor-atari, which is not in {}; install "
                               "python3-dev and pybind11-dev (scripts/setup atari) and build "
                               "again",
                               folder.string()));
}

// The settings as they were given, which the worker reads in the same way.
std::string text_of(const Spec& spec) {
  std::string text = spec.name();
  char separator = ':';
  for (const auto& [key, value] : spec.values()) {
    text += fmt::format("{}{}={}", separator, key, value);
    separator = ',';
  }
  return text;
}

// The two descriptors are inherited under their own numbers. A group of its
// own keeps Ctrl-C at the terminal from ending the worker before its parent has stopped.
pid_t spawn(const fs::path& program, std::vector<std::string> words, int socket, int memory) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, socket, socket);  // clears close-on-exec
  posix_spawn_file_actions_adddup2(&actions, memory, memory);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
  posix_spawnattr_setpgroup(&attributes, 0);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_t process = 0;
  const int error =
      posix_spawn(&process, program.c_str(), &actions, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) fail("posix_spawn vapor-atari", error);
  return process;
}

}  // namespace

Descriptor::Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  std::swap(number_, other.number_);
  return *this;
}

Descriptor::~Descriptor() {
  if (number_ >= 0) close(number_);
}

Worker::Worker(const Spec& spec, Index places) {
  start(spec, places);
  try {
    greet(spec.place(), places);
  } catch (...) {
    end_of_process();
    throw;
  }
}

Worker::~Worker() { end_of_process(); }

void Worker::start(const Spec& spec, Index places) {
  const fs::path program = find_program(spec.place());
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) fail("socketpair");
  socket_ = Descriptor(ends[0]);
  const Descriptor other_end(ends[1]);
  memory_ = Descriptor(memfd_create("vapor-atari", MFD_CLOEXEC));
  if (memory_.number() < 0) fail("memfd_create");
  process_ = spawn(program,
                   {"vapor-atari", std::to_string(other_end.number()),
                    std::to_string(memory_.number()), std::to_string(places), text_of(spec)},
                   other_end.number(), memory_.number());
}

void Worker::greet(const std::string& place, Index places) {
  Reply reply;
  std::string message;
  if (!receive_reply(socket_.number(), reply, message) ||
      (reply.outcome == Outcome::kGood && !receive_all(socket_.number(), hello_)))
    throw InputError(place, "vapor-atari did not start: it " + end_of_process());
  if (reply.outcome != Outcome::kGood) throw InputError(place, message);
  expect_hello(place, hello_, places);
  struct stat status{};
  if (fstat(memory_.number(), &status) != 0) fail("fstat");
  if (static_cast<std::uint64_t>(status.st_size) != hello_.memory_bytes)
    throw InputError(place,
                     "vapor-atari has made a memory of another size; build all programs again");
  mapping_ = Mapping(memory_.number(), hello_.memory_bytes);
  arrays_ = SharedArrays(mapping_.data(), places, hello_.shape().bytes());
}

void Worker::ask(const Request& request) {
  Reply reply;
  std::string message;
  const bool answered = process_ != 0 && send_all(socket_.number(), request) &&
                        receive_reply(socket_.number(), reply, message);
  if (answered && reply.outcome == Outcome::kGood) return;
  const std::string end = end_of_process();
  throw EnvironmentLost("the process of the game (vapor-atari) " +
                        (answered ? "failed: " + message : end));
}

// Nothing in the process is worth a polite end. Gives how it ended; one that is ending already
// keeps its own reason.
std::string Worker::end_of_process() {
  if (process_ == 0) return "has ended";
  const pid_t process = std::exchange(process_, 0);
  kill(process, SIGKILL);
  int status = 0;
  while (waitpid(process, &status, 0) < 0)
    if (errno != EINTR) return "has ended";
  if (WIFEXITED(status)) return fmt::format("ended with code {}", WEXITSTATUS(status));
  return fmt::format("was killed by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
}

}  // namespace vapor::atari
