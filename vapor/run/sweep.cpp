#include "vapor/run/sweep.h"

#include <algorithm>
#include <mutex>
#include <set>

#include "vapor/core/error.h"
#include "vapor/run/on_threads.h"

namespace vapor {
namespace {

class Sweep {
 public:
  Sweep(const std::vector<SweepTask>& tasks, const SweepOptions& options)
      : tasks_(tasks), options_(options) {
    progress_.runs = tasks.size();
    progress_.step = options.step;
    for (const SweepTask& task : tasks) progress_.episodes += task.episodes;
  }

  void run() {
    const GoOn wanted = [this] { return options_.interrupt == nullptr || !*options_.interrupt; };
    on_threads(tasks_.size(), options_.threads, wanted,
               [this](std::size_t i, const GoOn& go_on) { make(tasks_[i], go_on); });
  }

 private:
  void make(const SweepTask& task, const GoOn& go_on) {
    std::int64_t known = 0;  // episodes of this run that the progress counts
    bool opened = false;
    const bool ended = task.make([&](std::int64_t episodes) {
      report(episodes - known, opened ? episodes - known : 0, 0);
      known = episodes;
      opened = true;
      return go_on();
    });
    if (ended) report(task.episodes - known, 0, 1);
  }

  void report(std::int64_t done, std::int64_t played, std::size_t ended) {
    const std::lock_guard lock(mutex_);
    progress_.episodes_done += done;
    progress_.episodes_played += played;
    progress_.runs_ended += ended;
    if (options_.progress) options_.progress(progress_);
  }

  const std::vector<SweepTask>& tasks_;
  const SweepOptions& options_;
  std::mutex mutex_;
  SweepProgress progress_;  // guarded by mutex_
};

}  // namespace

void sweep_tasks(const std::vector<SweepTask>& tasks, const SweepOptions& options) {
  Sweep(tasks, options).run();
}

std::int64_t steps_of(const RunSettings& settings) {
  return settings.by_frames ? settings.by_frames->frames : settings.episodes;
}

std::int64_t steps_of(const RunSettings& settings, const RunProgress& progress) {
  return settings.by_frames ? std::min(progress.frames, settings.by_frames->frames)
                            : progress.episodes;
}

std::vector<RunEnd> sweep(const std::vector<SweepCell>& cells, const SweepOptions& options) {
  std::set<std::string> folders;
  std::vector<RunEnd> ends(cells.size(), RunEnd::kInterrupted);  // each written by one thread
  std::vector<SweepTask> tasks;
  SweepOptions how = options;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const SweepCell& cell = cells[i];
    if (!folders.insert(cell.folder).second) throw InputError(cell.folder, "is asked for twice");
    expect_room_for(cell.folder, header_of(cell.settings).definition);
    if (cell.settings.by_frames) how.step = "frames";
    tasks.push_back({steps_of(cell.settings), [&, i](const auto& keep_going) {
                       LoopOptions loop;
                       loop.checkpoint.episodes = cells[i].checkpoint_every;
                       if (options.say) loop.say = options.say;
                       loop.keep_going = [&](const RunProgress& progress) {
                         if (options.watch) options.watch(i, progress);
                         return keep_going(steps_of(cells[i].settings, progress));
                       };
                       ends[i] = make_run(cells[i].settings, cells[i].folder, loop);
                       return ends[i] != RunEnd::kInterrupted;
                     }});
  }
  sweep_tasks(tasks, how);
  return ends;
}

}  // namespace vapor
