// The conjugate belief of the paper's tabular experiments (appendix I, "DeepSea (tabular)"):
// independent over pairs, mean rewards Gaussian with known noise, transitions Dirichlet with a
// symmetric prior of total mass 1 over the next layer.
//
// After n visits, each counted `repeat` times, with rewards summing to R:
//
//   reward      mean repeat R v, variance v = 1 / (1 / prior_variance + repeat n / noise_variance)
//   transition  mean (repeat counts + base) / (repeat n + 1): sparse counts plus rank one
#pragma once

#include <span>
#include <vector>

#include "vapor/belief/sigma_transform.h"
#include "vapor/mdp/episode.h"
#include "vapor/mdp/problem.h"

namespace vapor {

struct TabularBeliefSettings {
  double repeat = 1.0;          // how often each observed transition counts
  double prior_variance = 1.0;  // of a mean reward; its prior mean is 0
  double noise_variance = 1.0;  // of an observed reward
};

class TabularBelief {
 public:
  TabularBelief(Shape shape, std::vector<double> initial, const TabularBeliefSettings& settings,
                SigmaTransform transform);

  void update(const Episode& episode);

  // The problem that the belief poses now.
  Problem problem() const;

  const Shape& shape() const { return shape_; }
  std::span<const double> visits() const { return visits_; }  // by pair

 private:
  struct Successor {
    Index state = 0;
    double count = 0.0;
  };

  Shape shape_;
  std::vector<double> initial_;
  TabularBeliefSettings settings_;
  SigmaTransform transform_;
  std::vector<double> visits_;                      // by pair
  std::vector<double> reward_sum_;                  // by pair
  std::vector<std::vector<Successor>> successors_;  // by pair
};

}  // namespace vapor
