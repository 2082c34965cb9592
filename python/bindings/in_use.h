// What changes may be used by one thread at a time, although long calls let go of the interpreter.
#pragma once

#include <atomic>
#include <stdexcept>

namespace vapor::python {

// Held for the length of a call. Throws where another thread's call has not returned.
class InUse {
 public:
  explicit InUse(std::atomic<bool>& busy) : busy_(busy) {
    if (busy_.exchange(true))
      throw std::runtime_error(
          "another thread is using this object, or the belief that it learns with");
  }
  ~InUse() { busy_ = false; }
  InUse(const InUse&) = delete;
  InUse& operator=(const InUse&) = delete;

 private:
  std::atomic<bool>& busy_;
};

}  // namespace vapor::python
