#include "vapor/experiment/sweep.h"

#include <mutex>
#include <set>

#include "vapor/core/error.h"
#include "vapor/experiment/on_threads.h"

namespace vapor {
namespace {

class Sweep {
 public:
  Sweep(const std::vector<SweepCell>& cells, const SweepOptions& options)
      : cells_(cells), options_(options), ends_(cells.size(), RunEnd::kInterrupted) {
    progress_.runs = cells.size();
    for (const SweepCell& cell : cells) progress_.episodes += cell.settings.episodes;
  }

  std::vector<RunEnd> run() {
    const GoOn wanted = [this] { return options_.interrupt == nullptr || !*options_.interrupt; };
    on_threads(cells_.size(), options_.threads, wanted,
               [this](std::size_t i, const GoOn& go_on) { ends_[i] = make(cells_[i], go_on); });
    return ends_;
  }

 private:
  RunEnd make(const SweepCell& cell, const GoOn& go_on) {
    std::int64_t known = 0;  // episodes of this run that the progress counts
    bool opened = false;
    LoopOptions loop;
    loop.checkpoint = options_.checkpoint;
    loop.keep_going = [&](std::int64_t episodes) {
      report(episodes - known, opened ? episodes - known : 0, 0);
      known = episodes;
      opened = true;
      return go_on();
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

  const std::vector<SweepCell>& cells_;
  const SweepOptions& options_;
  std::vector<RunEnd> ends_;  // by cell, each written by the one thread that has the cell
  std::mutex mutex_;
  SweepProgress progress_;  // guarded by mutex_
};

}  // namespace

std::vector<RunEnd> sweep(const std::vector<SweepCell>& cells, const SweepOptions& options) {
  std::set<std::string> folders;
  for (const SweepCell& cell : cells) {
    if (!folders.insert(cell.folder).second) throw InputError(cell.folder, "is asked for twice");
    expect_room_for(cell.folder, header_of(cell.settings).definition);
  }
  return Sweep(cells, options).run();
}

}  // namespace vapor
