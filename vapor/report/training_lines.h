// Trainings that may stand in one line of a figure: those of an agent in an environment that differ
// in their seeds alone.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "vapor/report/collection.h"

namespace vapor {

struct TrainingLine {
  std::string panel;  // the environment
  std::string
      agent;  // with the settings of the training that tell it from other lines of the agent
  std::vector<const RunDigest*> seeds;  // by seed, none empty
};

// Of the trainings among the runs that have this axis, by environment and then by agent. Adds to
// `refused` those that cannot be drawn: copies, such as have no episode yet, and such as do not say
// what they are.
std::vector<TrainingLine> training_lines(std::span<const RunDigest> runs, bool by_frames,
                                         std::vector<LeftOut>& refused);

}  // namespace vapor
