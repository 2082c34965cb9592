// Independent tasks on a few threads.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>

namespace vapor {

// Whether to go on: false once a task has failed, or the caller's `wanted` is.
using GoOn = std::function<bool()>;

// On at most `threads` threads, this one among them, and no more than four a core. Calls task(i,
// go_on) for i = 0, ..., count - 1, each once, while `wanted` is true. The first exception of a
// task stops the others, which ask `go_on`, and is thrown when all have returned.
void on_threads(std::size_t count, int threads, const GoOn& wanted,
                const std::function<void(std::size_t, const GoOn&)>& task);

}  // namespace vapor
