#include "vapor/run/loop.h"

#include <fmt/format.h>

#include "vapor/core/check.h"
#include "vapor/core/clock.h"
#include "vapor/core/error.h"
#include "vapor/run/run.h"

namespace vapor {
namespace {

void restore(Run& run, const RunFolder& record) {
  if (record.state().empty()) return;
  try {
    run.restore(record.state());
  } catch (const InputError&) {
    throw InputError(record.path() + "/checkpoint",
                     "is of another build; delete it to run from the start");
  }
  VAPOR_CHECK_EQ(run.episodes(), record.episodes());
}

void write_snapshot(Run& run, RunFolder& record) {
  if (run.episodes() == 0) record.write_snapshot("drawing.json", run.drawing());
  record.write_snapshot(fmt::format("{:09}.json", run.episodes()), run.snapshot());
}

// One more, of what all episodes have taught.
void write_last_snapshot(Run& run, RunFolder& record) {
  run.choose_policy();
  write_snapshot(run, record);
}

}  // namespace

RunEnd run_episodes(const RunSettings& settings, const std::string& folder,
                    const LoopOptions& options) {
  RunFolder record(folder, header_of(settings), options.checkpoint);
  if (record.finished()) return RunEnd::kWasFinished;
  Run run(settings);
  restore(run, record);
  bool going = options.keep_going(run.episodes());
  while (going && !run.is_over()) {
    const auto begin = Clock::now();
    run.choose_policy();
    if (run.snapshot_is_due()) write_snapshot(run, record);
    const EpisodeRow row = run.play_episode();
    record.append(row.values(), seconds_since(begin));
    going = options.keep_going(run.episodes());
    if (!going || record.checkpoint_due()) record.save(run.save());
  }
  if (!run.is_over()) return RunEnd::kInterrupted;
  if (settings.snapshot_every > 0) write_last_snapshot(run, record);
  record.finish();
  return RunEnd::kFinished;
}

}  // namespace vapor
