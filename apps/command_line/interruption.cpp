#include "interruption.h"

#include <csignal>

#include "terminal.h"
#include "vapor/core/output_file.h"

namespace vapor::command {
namespace {

std::atomic<bool> flag = false;
std::atomic<int> signal_number = 0;
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

void clean_up_and_end(int number) {
  remove_temporary_files();
  std::signal(number, SIG_DFL);
  std::raise(number);
}

void on_signal(int number) {
  signal_number = number;
  flag = true;
  std::signal(number, clean_up_and_end);
}

}  // namespace

void clean_up_on_signals() {
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow (ulimit -f) is an error of its writer
  for (const int number : {SIGINT, SIGTERM, SIGHUP})
    // Who started the program may have chosen that it should not hear of them (nohup).
    if (std::signal(number, clean_up_and_end) == SIG_IGN) std::signal(number, SIG_IGN);
}

void catch_signals() {
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
}

const std::atomic<bool>& interrupted() { return flag; }

int end_interrupted() {
  tell("vapor: interrupted; the same command goes on from here\n");
  return 128 + signal_number;
}

}  // namespace vapor::command
