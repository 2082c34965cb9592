#include "vapor/experiment/sweep.h"

#include <exception>
#include <mutex>
#include <set>
#include <thread>

#include "vapor/core/error.h"

namespace vapor {
namespace {

class Pool {
 public:
  Pool(const std::vector<SweepCell>& cells, const SweepOptions& options)
      : cells_(cells), options_(options), ends_(cells.size(), RunEnd::kInterrupted) {
    progress_.runs = cells.size();
    for (const SweepCell& cell : cells) progress_.episodes += cell.settings.episodes;
  }

  std::vector<RunEnd> run() {
    {
      std::vector<std::jthread> threads;
      for (int t = 1; t < options_.threads; ++t) threads.emplace_back([this] { work(); });
      work();
    }
    if (error_) std::rethrow_exception(error_);
    return ends_;
  }

 private:
  void work() {
    for (std::size_t i = next_++; i < cells_.size() && !interrupted(); i = next_++) {
      try {
        ends_[i] = make(cells_[i]);
      } catch (...) {
        const std::lock_guard lock(mutex_);
        if (!error_) error_ = std::current_exception();
        failed_ = true;
      }
    }
  }

  RunEnd make(const SweepCell& cell) {
    std::int64_t known = 0;  // episodes of this run that the progress counts
    bool opened = false;
    LoopOptions loop;
    loop.checkpoint = options_.checkpoint;
    loop.keep_going = [&](std::int64_t episodes) {
      report(episodes - known, opened ? episodes - known : 0, 0);
      known = episodes;
      opened = true;
      return !interrupted();
    };
    const RunEnd end = run_episodes(cell.settings, cell.folder, loop);
    if (end != RunEnd::kInterrupted) report(cell.settings.episodes - known, 0, 1);
    return end;
  }

  void report(std::int64_t done, std::int64_t played, std::size_t ended) {
    const std::lock_guard lock(mutex_);
    progress_.episodes_done += done;
    progress_.episodes_played += played;
    progress_.runs_ended += ended;
    if (options_.progress) options_.progress(progress_);
  }

  bool interrupted() const {
    return failed_ || (options_.interrupt != nullptr && *options_.interrupt);
  }

  const std::vector<SweepCell>& cells_;
  const SweepOptions& options_;
  std::vector<RunEnd> ends_;  // by cell, each written by the one thread that has the cell
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> failed_ = false;
  std::mutex mutex_;
  SweepProgress progress_;    // guarded by mutex_
  std::exception_ptr error_;  // guarded by mutex_
};

}  // namespace

std::vector<RunEnd> sweep(const std::vector<SweepCell>& cells, const SweepOptions& options) {
  std::set<std::string> folders;
  for (const SweepCell& cell : cells) {
    if (!folders.insert(cell.folder).second) throw InputError(cell.folder, "is asked for twice");
    expect_room_for(cell.folder, header_of(cell.settings).definition);
  }
  return Pool(cells, options).run();
}

}  // namespace vapor
