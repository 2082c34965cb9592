// Problems of one structure: the episodes of a run one after another, and posteriors of many runs.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "vapor/mdp/problem.h"

namespace vapor::benchmark {

struct Series {
  std::vector<Problem> problems;
  std::vector<std::string> files;  // of each; none if no folder was given
};

// Eleven episodes in a row, from the middle of VAPOR's run on DeepSea: the first is there to be
// warm from.
Series consecutive(int depth, int repeat, const std::string& folder);

// So many posteriors of runs with different seeds, at different stages.
Series posteriors(int depth, int repeat, int count, const std::string& folder);

// Mean seconds of a problem after the first, each solved warm from the one before.
double warm_mean(std::span<const Problem> problems, double tolerance);

// Seconds of all of them, cold, by one solver on one core: the better of two goes.
double batch_seconds(std::span<const Problem> problems, double tolerance);

// Mean seconds of what is done with each problem.
double mean_seconds(std::span<const Problem> problems,
                    const std::function<void(const Problem&)>& act);

}  // namespace vapor::benchmark
