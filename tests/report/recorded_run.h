// Small runs on disk, written as `vapor run` writes them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "vapor/record/run_folder.h"

namespace vapor::test_support {

struct RecordedRun {
  std::string env = "deep_sea:depth=10";
  std::string agent = "vapor";
  std::string belief = "tabular";
  std::int64_t episodes = 4;
  std::uint64_t seed = 1;
  std::string stop = "never";
  std::int64_t snapshot_every = 0;
  std::int64_t played = 4;      // episodes that are there
  std::int64_t success_at = 0;  // the one episode that reached the goal; 0: none
  bool finished = true;
};

inline RunHeader header_of(const RecordedRun& run) {
  RunHeader header;
  header.definition = {{"env", run.env},
                       {"agent", run.agent},
                       {"belief", run.belief},
                       {"episodes", run.episodes},
                       {"seed", run.seed},
                       {"stop", run.stop},
                       {"snapshot_every", run.snapshot_every}};
  header.command = "vapor run --env " + run.env;
  header.columns = {"episode", "return", "value", "regret", "success"};
  return header;
}

// Episode t has the value t and the regret 10 t + seed.
inline void write_run(const std::string& folder, const RecordedRun& run) {
  RunFolder record(folder, header_of(run));
  for (std::int64_t t = 1; t <= run.played; ++t) {
    const auto value = static_cast<double>(t);
    const double regret = 10.0 * value + static_cast<double>(run.seed);
    const double success = t == run.success_at ? 1.0 : 0.0;
    record.append(std::vector{1.0, value, regret, success}, 0.001);
  }
  if (run.snapshot_every > 0) record.write_snapshot("drawing.json", "{}");
  if (run.finished)
    record.finish();
  else
    record.save("state");
}

// Small trainings on disk, written as `vapor train` writes them.
struct RecordedTraining {
  std::string env = "deep_sea:depth=10";
  std::string agent = "vapor-lite";
  std::int64_t cap = 4;              // of episodes; of frames, if `ends` are given
  std::vector<double> returns = {};  // of the episodes that are there; > 0: reached the goal
  std::vector<double> ends = {};     // frames so far at their ends; empty: a training by episodes
  std::uint64_t seed = 1;
  std::string stop = "never";
  bool finished = true;
};

inline RunHeader training_header(const RecordedTraining& training) {
  const bool by_frames = !training.ends.empty();
  RunHeader header;
  header.definition = {{"env", training.env},
                       {"agent", training.agent},
                       {by_frames ? "frames" : "episodes", training.cap},
                       {"seed", training.seed}};
  if (by_frames)
    header.definition["places"] = 8;
  else
    header.definition["stop"] = training.stop;
  header.command = "vapor train --env " + training.env + " --seed " + std::to_string(training.seed);
  header.columns = {"episode", "return", by_frames ? "length" : "success", "frames",
                    "learner_frames"};
  return header;
}

inline void write_training(const std::string& folder, const RecordedTraining& training) {
  const bool by_frames = !training.ends.empty();
  RunFolder record(folder, training_header(training));
  for (std::size_t i = 0; i < training.returns.size(); ++i) {
    const double success = training.returns[i] > 0.0 ? 1.0 : 0.0;
    record.append(std::vector{training.returns[i], by_frames ? 10.0 : success,
                              by_frames ? training.ends[i] : 10.0, 100.0},
                  0.001);
  }
  if (training.finished)
    record.finish();
  else
    record.save("state");
}

}  // namespace vapor::test_support
