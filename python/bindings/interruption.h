// What can end a call that has let go of the interpreter: Ctrl-C, or a function of the user's.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <exception>
#include <functional>
#include <future>

namespace vapor::python {

// What was raised is kept, not set, so that the call can end in order: `raise` it afterwards.
class Interruption {
 public:
  // Asked often; looks for signals a few times a second.
  bool go_on() {
    const auto now = std::chrono::steady_clock::now();
    if (now < next_) return true;
    next_ = now + std::chrono::milliseconds(50);
    return kept([] {
      if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
      return true;
    });
  }

  // What a user's function says, which may be None: to go on, unless it returns False.
  template <typename... Arguments>
  bool ask(const nanobind::object& function, const Arguments&... arguments) {
    if (function.is_none()) return true;
    return kept([&] {
      const nanobind::object answer = function(arguments...);
      if (answer.is_none()) return true;
      if (!nanobind::isinstance<nanobind::bool_>(answer))
        throw nanobind::type_error("a progress function must return True, False or None");
      return nanobind::cast<bool>(answer);
    });
  }

  bool has_raised() const { return raised_ != nullptr; }

  // With the interpreter held.
  void raise() const {
    if (raised_) std::rethrow_exception(raised_);
  }

 private:
  template <typename Question>
  bool kept(const Question& question) {
    const nanobind::gil_scoped_acquire held;
    try {
      return question();
    } catch (...) {
      raised_ = std::current_exception();
      return false;
    }
  }

  std::chrono::steady_clock::time_point next_ =
      std::chrono::steady_clock::now() + std::chrono::milliseconds(50);
  std::exception_ptr raised_;
};

// Runs `work` on another thread while this one, the interpreter let go of, asks `go_on` a few times
// a second, and once more at the end. False sets `stop`, which `work` obeys.
template <typename Result>
Result watched(const std::function<Result()>& work, std::atomic<bool>& stop,
               const std::function<bool()>& go_on) {
  std::future<Result> result = std::async(std::launch::async, work);
  while (result.wait_for(std::chrono::milliseconds(50)) != std::future_status::ready)
    if (!stop && !go_on()) stop = true;
  if (!stop) go_on();
  return result.get();
}

}  // namespace vapor::python
