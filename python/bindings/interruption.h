// Ctrl-C during a call that has let go of the interpreter.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <future>

namespace vapor::python {

// Asked often, it looks for signals a few times a second. Once it has said false, the caller stops
// and calls `raise_if_interrupted` with the interpreter held.
class GoOnUnlessInterrupted {
 public:
  bool operator()() {
    const auto now = std::chrono::steady_clock::now();
    if (now < next_) return true;
    next_ = now + std::chrono::milliseconds(50);
    const nanobind::gil_scoped_acquire held;
    return PyErr_CheckSignals() == 0;  // else an exception is set in this thread
  }

 private:
  std::chrono::steady_clock::time_point next_ =
      std::chrono::steady_clock::now() + std::chrono::milliseconds(50);
};

// Runs `work` on another thread while this one, the interpreter let go of, looks for Ctrl-C and
// calls `meanwhile`, the interpreter held, a few times a second. Once interrupted, or if
// `meanwhile` raises, `stop` is set, which `work` obeys.
template <typename Result>
Result interruptibly(
    const std::function<Result()>& work, std::atomic<bool>& stop,
    const std::function<void()>& meanwhile = [] {}) {
  std::future<Result> result = std::async(std::launch::async, work);
  while (result.wait_for(std::chrono::milliseconds(50)) != std::future_status::ready) {
    const nanobind::gil_scoped_acquire held;
    if (stop || PyErr_CheckSignals() != 0) {
      stop = true;
      continue;
    }
    try {
      meanwhile();
    } catch (nanobind::python_error& error) {
      error.restore();
      stop = true;
    }
  }
  return result.get();
}

inline void raise_if_interrupted() {
  if (PyErr_Occurred() != nullptr) throw nanobind::python_error();
}

}  // namespace vapor::python
