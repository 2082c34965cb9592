// A program as a child: this one with other words, or another `vapor`.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <optional>
#include <string>
#include <vector>

namespace vapor {

struct ChildOutcome {
  int exit_code = 0;  // 128 + signal if one ended it
  std::string out;    // its standard output
};

// Runs a program, found on the PATH unless it has a slash, to its end; standard input is empty,
// standard error is shared. Once `interrupt` is true it is sent SIGTERM.
ChildOutcome run_child(const std::string& program, const std::vector<std::string>& words,
                       const std::atomic<bool>* interrupt = nullptr);

// This program with other words.
inline ChildOutcome run_this_program(const std::vector<std::string>& words) {
  return run_child("/proc/self/exe", words);
}

// A program going on beside its parent. Standard input is empty, standard
// output goes nowhere, and what it says on standard error is kept. It stands in a process group of
// its own, so that Ctrl-C reaches it through its parent alone, and gets SIGTERM if the parent dies.
class RunningChild {
 public:
  RunningChild(const std::string& program, const std::vector<std::string>& words);
  ~RunningChild();  // SIGTERM, and waits, if it has not ended
  RunningChild(const RunningChild&) = delete;
  RunningChild& operator=(const RunningChild&) = delete;

  // A descriptor that poll() wakes up for when it may have ended.
  int wakes_on() const { return errors_from_; }

  // How it ended, or nothing while it runs. 128 + signal if one ended it.
  std::optional<int> exit_code();

  // The last line on its standard error that is not empty.
  std::string last_error() const;

  void terminate() const;

 private:
  void take_errors();

  pid_t process_ = 0;
  int errors_from_ = -1;
  std::string errors_;  // the end of what it said
  std::optional<int> exit_code_;
};

}  // namespace vapor
