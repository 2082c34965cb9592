// Builds a Problem layer by layer, first layer first; next states are numbered within their layer.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "vapor/mdp/problem.h"

namespace vapor {

// One action of a state.
struct ActionSpec {
  double reward_mean = 0.0;
  double sigma = 0.0;
  std::vector<std::pair<Index, double>> next = {};  // (state of the next layer, probability)
  double base_weight = 0.0;
};

class ProblemBuilder {
 public:
  explicit ProblemBuilder(std::vector<double> initial);

  // `base` is the base distribution over this layer's states; leave it empty if no pair of the
  // layer before has a base weight.
  ProblemBuilder& layer(std::vector<double> base = {});
  ProblemBuilder& state(std::span<const ActionSpec> actions);
  ProblemBuilder& state(std::initializer_list<ActionSpec> actions) {
    return state(std::span(actions.begin(), actions.size()));
  }

  // The finished problem, validated; throws InputError.
  Problem build();

 private:
  Problem problem_;
  std::vector<std::vector<double>> bases_;
};

}  // namespace vapor
