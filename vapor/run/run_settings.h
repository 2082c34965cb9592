// All that defines a run. Two runs with equal settings have the same bytes.
#pragma once

#include <cstdint>
#include <string>

#include "vapor/record/run_folder.h"

namespace vapor {

enum class StopRule {
  kNever,    // after the last episode
  kSolved,   // once the goal was reached in at least a tenth of the episodes so far
  kCovered,  // once every cell and action of the environment was tried, in whatever layer
};

std::string name_of(StopRule rule);

struct RunSettings {
  std::string env;  // specs, e.g. deep_sea:depth=30
  std::string agent;
  std::string belief;  // empty: the one that fits the environment
  std::int64_t episodes = 1000;
  std::uint64_t seed = 1;
  StopRule stop = StopRule::kNever;
  std::int64_t snapshot_every = 0;  // episodes; 0: no snapshots
};

// The settings with their belief filled in. Throws InputError that names the option, e.g. --env,
// if any of them is not good; makes the environment, the belief and the agent to find out.
RunSettings complete(RunSettings settings);

// What the record of such a run says about it.
RunHeader header_of(const RunSettings& settings);

}  // namespace vapor
