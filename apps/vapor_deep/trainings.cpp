#include "trainings.h"

#include <set>

#include "vapor/core/error.h"

namespace vapor::command {

void make_trainings(const std::vector<deep::StudyRun>& runs, const ReproductionOptions& options) {
  std::set<std::string> folders;
  std::vector<SweepTask> tasks;
  for (const deep::StudyRun& run : runs) {
    if (!folders.insert(run.folder).second) throw InputError(run.folder, "is asked for twice");
    expect_room_for(run.folder, header_of(run.settings).definition);
    tasks.push_back({run.settings.episodes, [&run](const auto& keep_going) {
                       deep::TrainingOptions how;
                       how.keep_going = [&](std::int64_t episodes, const deep::TrainingRow*) {
                         return keep_going(episodes);
                       };
                       return train(run.settings, run.folder, how) !=
                              deep::TrainingEnd::kInterrupted;
                     }});
  }
  SweepOptions how;
  how.threads = options.threads;
  how.interrupt = options.interrupt;
  how.progress = options.progress;
  sweep_tasks(tasks, how);
  if (options.interrupted()) throw Interrupted{};
}

}  // namespace vapor::command
