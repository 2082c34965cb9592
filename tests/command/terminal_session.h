// A program on a pseudo-terminal: what it shows there, and what is typed to it.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <string>
#include <vector>

namespace vapor::test_support {

// Which streams are the terminal; the other goes to a file.
enum class OnTerminal { kBoth, kOut, kErr };

class TerminalSession {
 public:
  // `variables` are all there is in the environment, e.g. "TERM=xterm".
  TerminalSession(std::vector<std::string> words, std::vector<std::string> variables,
                  OnTerminal streams = OnTerminal::kBoth, const std::string& other = "/dev/null") {
    master_ = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    EXPECT_EQ(grantpt(master_), 0);
    EXPECT_EQ(unlockpt(master_), 0);
    const std::string slave = ptsname(master_);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    const auto open = [&](int stream, bool terminal) {
      posix_spawn_file_actions_addopen(&actions, stream, terminal ? slave.c_str() : other.c_str(),
                                       O_RDWR | O_CREAT, 0600);
    };
    open(0, true);
    open(1, streams != OnTerminal::kErr);
    open(2, streams != OnTerminal::kOut);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
    std::vector<char*> argv = pointers(words);
    std::vector<char*> environment = pointers(variables);
    EXPECT_EQ(
        posix_spawnp(&process_, argv[0], &actions, &attributes, argv.data(), environment.data()), 0)
        << words[0];
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
  }

  ~TerminalSession() {
    if (process_ != 0) {
      kill(process_, SIGKILL);
      waitpid(process_, nullptr, 0);
    }
    close(master_);
  }
  TerminalSession(const TerminalSession&) = delete;
  TerminalSession& operator=(const TerminalSession&) = delete;

  void type(const std::string& text) const {
    EXPECT_EQ(write(master_, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }

  // Everything shown so far, once it has the text or the program is over.
  const std::string& shown_until(const std::string& text) {
    char buffer[4096];
    while (shown_.find(text) == std::string::npos) {
      const ssize_t count = read(master_, buffer, sizeof buffer);
      if (count <= 0) break;  // EIO: the program has closed the terminal
      shown_.append(buffer, static_cast<std::size_t>(count));
    }
    return shown_;
  }

  // Everything it ever shows.
  const std::string& shown() {
    shown_until("\x04 never");
    int status = 0;
    EXPECT_EQ(waitpid(process_, &status, 0), process_);
    process_ = 0;
    exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return shown_;
  }
  int exit_code() const { return exit_code_; }

 private:
  static std::vector<char*> pointers(std::vector<std::string>& words) {
    std::vector<char*> all;
    for (std::string& word : words) all.push_back(word.data());
    all.push_back(nullptr);
    return all;
  }

  int master_ = -1;
  pid_t process_ = 0;
  int exit_code_ = -1;
  std::string shown_;
};

}  // namespace vapor::test_support
