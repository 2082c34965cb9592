#include "vapor/run/on_threads.h"

#include <algorithm>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace vapor {
namespace {

// More than a few a core make nothing faster, and each takes memory of its own.
std::size_t useful(int threads) {
  const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  return static_cast<std::size_t>(std::clamp(threads, 1, 4 * cores));
}

// Beside the caller's own thread; a machine that gives no more of them does with fewer.
void start_others(std::vector<std::jthread>& others, std::size_t threads,
                  const std::function<void()>& work) {
  try {
    for (std::size_t t = 1; t < threads; ++t) others.emplace_back(work);
  } catch (const std::system_error&) {
    return;  // what is there does all of it
  }
}

}  // namespace

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
    start_others(others, std::min(count, useful(threads)), work);
    work();
  }
  if (error) std::rethrow_exception(error);
}

}  // namespace vapor
