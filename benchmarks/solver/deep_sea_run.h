// VAPOR learning DeepSea, one episode at a time: the posteriors that `generate` writes and `bench`
// times.
#pragma once

#include <string>
#include <vector>

#include "vapor/belief/tabular_belief.h"
#include "vapor/core/random.h"
#include "vapor/env/deep_sea.h"
#include "vapor/solver/solve.h"

namespace vapor::benchmark {

struct DeepSeaRunSettings {
  int depth = 20;
  double repeat = 100.0;            // m: how often each transition counts
  std::string transform = "paper";  // or reward-only
  double variance_scale = 1.0;      // of reward-only
  std::string behaviour = "vapor";  // or uniform
  std::uint64_t seed = 1;
};

class DeepSeaRun {
 public:
  explicit DeepSeaRun(const DeepSeaRunSettings& settings);

  // The problem of the next episode.
  const Problem& problem() { return belief_.problem(); }

  // Solves that problem, warm from the episode before, plays the policy and learns from it.
  const Solution& step();

  int episodes() const { return episodes_; }
  int successes() const { return successes_; }
  const Shape& shape() const { return sea_.shape(); }

 private:
  DeepSeaRunSettings settings_;
  RandomStream random_;
  Environment sea_;
  TabularBelief belief_;
  Solver solver_;
  Solution solution_;
  int episodes_ = 0;
  int successes_ = 0;
};

}  // namespace vapor::benchmark
