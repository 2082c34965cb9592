// Ctrl-C and kill: what runs saves its state, and the command ends with 128 + the signal. A second
// signal ends the process at once, which is safe too.
#pragma once

#include <atomic>

namespace vapor::command {

void catch_signals();

// What every command does before: a signal ends the process as if nobody had caught it, and no file
// that is half written stays behind.
void clean_up_on_signals();

// Whether a signal came since.
const std::atomic<bool>& interrupted();

// Says so, and returns the exit code.
int end_interrupted();

}  // namespace vapor::command
