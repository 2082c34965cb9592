// The loop of an experiment: an agent plays its episodes, and the record can be killed at any
// moment and taken up again.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "vapor/run/run_settings.h"
#include "vapor/record/run_folder.h"

namespace vapor {

enum class RunEnd {
  kFinished,     // all episodes are played, or the stop rule holds
  kWasFinished,  // before the call: nothing was done
  kInterrupted,  // by the caller; the same call goes on from there
};

struct LoopOptions {
  CheckpointPeriod checkpoint;

  // Called with the number of episodes of the record, first when it is opened, then after each one;
  // false interrupts.
  std::function<bool(std::int64_t)> keep_going = [](std::int64_t) { return true; };
};

// Makes the run of these settings, which are complete, in a folder of its own, or goes on with it
// there. Throws InputError as RunFolder does.
RunEnd run_episodes(const RunSettings& settings, const std::string& folder,
                    const LoopOptions& options = {});

}  // namespace vapor
