#include "vapor/run/on_threads.h"

#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace vapor {

void on_threads(std::size_t count, int threads, const GoOn& wanted,
                const std::function<void(std::size_t, const GoOn&)>& task) {
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> failed = false;
  std::mutex mutex;
  std::exception_ptr error;  // guarded by mutex
  const GoOn go_on = [&] { return !failed && wanted(); };
  const auto work = [&] {
    for (std::size_t i = next++; i < count && go_on(); i = next++) {
      try {
        task(i, go_on);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!error) error = std::current_exception();
        failed = true;
      }
    }
  };
  {
    std::vector<std::jthread> others;
    for (int t = 1; t < threads; ++t) others.emplace_back(work);
    work();
  }
  if (error) std::rethrow_exception(error);
}

}  // namespace vapor
