#include "vapor/deep/training_study.h"

#include <fmt/format.h>

#include <optional>

#include "vapor/core/error.h"
#include "vapor/core/spec.h"
#include "vapor/record/run_summary.h"

namespace vapor::deep {
namespace {

using nlohmann::ordered_json;

// When the seeds of a cell got somewhere.
struct Times {
  ordered_json by_seed = ordered_json::array();
  std::vector<double> capped;
  int reached = 0;

  void add(const std::optional<std::int64_t>& episode, std::int64_t cap) {
    by_seed.push_back(episode ? ordered_json(*episode) : ordered_json(nullptr));
    capped.push_back(static_cast<double>(episode.value_or(cap)));
    if (episode) ++reached;
  }

  ordered_json or_null(double value) const {
    return reached > 0 ? ordered_json(value) : ordered_json(nullptr);
  }
};

TrainingSettings settings_of(const StudyCell& cell, std::uint64_t seed) {
  return {cell.env, cell.agent, cell.episodes, seed, true};
}

}  // namespace

void validate(const TrainingStudy& study) {
  if (study.seeds < 1)
    throw InputError("--seeds", fmt::format("must be >= 1, got {}", study.seeds));
  for (const StudyCell& cell : study.cells) validate(settings_of(cell, study.first_seed));
}

std::vector<StudyRun> runs_of(const StudyCell& cell, const TrainingStudy& study,
                              const std::string& out) {
  std::vector<StudyRun> runs;
  for (int k = 0; k < study.seeds; ++k) {
    const std::uint64_t seed = study.first_seed + static_cast<std::uint64_t>(k);
    runs.push_back({settings_of(cell, seed),
                    fmt::format("{}/{}/{}/within-{}/seed-{}", out, folder_name(cell.env),
                                folder_name(cell.agent), cell.episodes, seed)});
  }
  return runs;
}

std::vector<StudyRun> runs_of(const TrainingStudy& study, const std::string& out) {
  std::vector<StudyRun> runs;
  for (const StudyCell& cell : study.cells)
    for (StudyRun& run : runs_of(cell, study, out)) runs.push_back(std::move(run));
  return runs;
}

ordered_json row_of(const StudyCell& cell, const TrainingStudy& study, const std::string& out) {
  Times first, solved;
  std::vector<double> returns, speeds;
  for (const StudyRun& run : runs_of(cell, study, out)) {
    const TrainingSummary seed = summarise_training(read_run(run.folder));
    first.add(seed.first_success, cell.episodes);
    solved.add(seed.solved, cell.episodes);
    returns.push_back(seed.mean_return);
    speeds.push_back(seed.frames_per_second);
  }
  const MeanAndError mean = mean_and_error(solved.capped);
  return {{"agent", cell.name},
          {"spec", cell.agent},
          {"env", cell.env},
          {"seeds", study.seeds},
          {"episodes", cell.episodes},
          {"solved", solved.or_null(mean.mean)},
          {"solved_se", solved.or_null(mean.standard_error)},
          {"solved_seeds", solved.reached},
          {"solved_by_seed", solved.by_seed},
          {"first_success", first.or_null(mean_and_error(first.capped).mean)},
          {"found_seeds", first.reached},
          {"first_success_by_seed", first.by_seed},
          {"mean_return", mean_and_error(returns).mean},
          {"frames_per_second", mean_and_error(speeds).mean}};
}

}  // namespace vapor::deep
