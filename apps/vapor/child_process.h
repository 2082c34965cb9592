// This program as a child of itself.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace vapor::command {

struct ChildOutcome {
  int exit_code = 0;  // 128 + signal if one ended it
  std::string out;    // its standard output
};

// Runs this program with other words; standard input is empty, standard error is shared.
ChildOutcome run_this_program(const std::vector<std::string>& words);

// This program with other words, going on beside its parent. Standard input is empty, standard
// output goes nowhere, and what it says on standard error is kept. It stands in a process group of
// its own, so that Ctrl-C reaches it through its parent alone, and gets SIGTERM if the parent dies.
class RunningChild {
 public:
  explicit RunningChild(const std::vector<std::string>& words);
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

}  // namespace vapor::command
