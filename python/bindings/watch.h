// Whether a run goes on: asked of Python by the thread that makes it.
#pragma once

#include <nanobind/nanobind.h>

#include <chrono>
#include <exception>
#include <utility>

namespace vapor::python {

// `go_on()` is asked a few times a second; it is Python's chance to run the handlers of signals.
// `progress(...)`, unless it is None, is told everything. Either ends the run by False or by
// an exception. That is kept and not set: environments of Python are yet to be closed.
class Watch {
 public:
  Watch(nanobind::object go_on, nanobind::object progress)
      : go_on_(std::move(go_on)), progress_(std::move(progress)) {}

  template <typename... Numbers>
  bool operator()(const Numbers&... numbers) {
    const auto now = std::chrono::steady_clock::now();
    const bool due = now >= next_;
    if (!due && progress_.is_none()) return true;
    const nanobind::gil_scoped_acquire held;
    try {
      if (due) {
        next_ = now + std::chrono::milliseconds(50);
        if (!nanobind::cast<bool>(go_on_())) return false;
      }
      return progress_.is_none() || nanobind::cast<bool>(progress_(numbers...));
    } catch (...) {
      raised_ = std::current_exception();
      return false;
    }
  }

  // After the run, the interpreter held.
  void raise() const {
    if (raised_) std::rethrow_exception(raised_);
  }

 private:
  nanobind::object go_on_;
  nanobind::object progress_;
  std::chrono::steady_clock::time_point next_{};
  std::exception_ptr raised_;
};

}  // namespace vapor::python
