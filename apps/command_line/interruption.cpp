#include "interruption.h"

#include <csignal>

#include "terminal.h"

namespace vapor::command {
namespace {

std::atomic<bool> flag = false;
std::atomic<int> signal_number = 0;
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

void on_signal(int number) {
  signal_number = number;
  flag = true;
  std::signal(number, SIG_DFL);
}

}  // namespace

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
