#include "trainings.h"

#include <algorithm>
#include <set>

#include "vapor/core/error.h"
#include "vapor/run/worlds.h"

namespace vapor::command {
namespace {

template <typename Run>
void expect_folders(const std::vector<Run>& runs) {
  std::set<std::string> folders;
  for (const Run& run : runs) {
    if (!folders.insert(run.folder).second) throw InputError(run.folder, "is asked for twice");
    expect_room_for(run.folder, header_of(run.settings).definition);
  }
}

}  // namespace

void make_trainings(const std::vector<deep::StudyRun>& runs, const ReproductionOptions& options) {
  expect_folders(runs);
  std::vector<SweepTask> tasks;
  for (const deep::StudyRun& run : runs)
    tasks.push_back({run.settings.episodes, [&run](const auto& keep_going) {
                       deep::TrainingOptions how;
                       how.keep_going = [&](std::int64_t episodes, const deep::TrainingRow*) {
                         return keep_going(episodes);
                       };
                       return train(run.settings, run.folder, how) !=
                              deep::TrainingEnd::kInterrupted;
                     }});
  make_tasks(tasks, options);
}

void make_trainings(const std::vector<deep::GameRun>& runs, const ReproductionOptions& options) {
  for (const deep::GameRun& run : runs) validate(run.settings, deep::parts_of(run.settings.env));
  expect_folders(runs);
  std::vector<SweepTask> tasks;
  for (const deep::GameRun& run : runs)
    tasks.push_back({run.settings.frames, [&run](const auto& keep_going) {
                       deep::FrameTrainingOptions how;
                       how.keep_going = [&](const deep::FrameProgress& progress) {
                         return keep_going(std::min(progress.frames, run.settings.frames));
                       };
                       return train(run.settings, deep::parts_of(run.settings.env), run.folder,
                                    how) != deep::TrainingEnd::kInterrupted;
                     }});
  make_tasks(tasks, options);
}

}  // namespace vapor::command
