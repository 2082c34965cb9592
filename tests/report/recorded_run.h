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

}  // namespace vapor::test_support
