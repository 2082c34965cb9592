// Seeded hard problems: every feature that has broken a solver, alone and together.
#pragma once

#include <algorithm>
#include <cmath>

#include "vapor/core/random.h"
#include "vapor/mdp/problem.h"
#include "vapor/mdp/problem_builder.h"

namespace vapor {

// Sigma as one of the regimes: one size for all, six orders apart, sixteen orders apart, mostly 0.
class StressSigma {
 public:
  explicit StressSigma(RandomStream& random)
      : regime_(random.index(6)), scale_(std::pow(10.0, random.uniform(-8.0, 8.0))) {}

  double draw(RandomStream& random) const {
    switch (regime_) {
      case 0:
        return scale_;
      case 1:
        return std::pow(10.0, random.uniform(-8.0, 8.0));
      case 2:
        return random.uniform() < 0.5 ? 0.0 : std::pow(10.0, random.uniform(-3.0, 1.0));
      case 3:
        return std::pow(10.0, random.uniform(-3.0, 1.0));
      case 4:
        return random.uniform() < 0.5 ? 1.0 : 1e-2;  // visited and not
      default:
        return random.uniform() < 0.9 ? 0.0 : 1.0;
    }
  }

 private:
  int regime_;
  double scale_;
};

// One random problem: 1 to 300 layers, 1 to 12 states, 1 to 6 actions (ragged), deterministic,
// sparse, nearly deterministic or base transitions, ties, unreachable states, tiny probabilities.
inline Problem stress_problem(std::uint64_t seed) {
  RandomStream random = RandomStream(seed).split("stress");
  const bool deep = random.uniform() < 0.15;
  const Index layers = 1 + (deep ? random.index(300) : random.index(12));
  const Index most_states = 1 + random.index(deep ? 4 : 12);
  const Index most_actions = 1 + random.index(6);
  const bool ties = random.uniform() < 0.25;
  const double reward_scale = random.uniform() < 0.2 ? 0.0 : std::pow(10.0, random.uniform(-3, 3));
  const int kind = random.index(5);
  const StressSigma sigma(random);

  std::vector<Index> states(layers);
  for (Index& n : states) n = 1 + random.index(most_states);
  std::vector<double> initial(states[0]);
  for (double& p : initial) p = random.uniform() < 0.5 ? 0.0 : random.uniform();
  initial[0] += 0.1;
  const auto normalise = [](std::vector<double>& p) {
    double sum = 0.0;
    for (double x : p) sum += x;
    for (double& x : p) x /= sum;
  };
  normalise(initial);

  ProblemBuilder builder(initial);
  for (Index l = 0; l < layers; ++l) {
    std::vector<double> base(states[l]);
    for (double& p : base) p = kind == 3 ? 1.0 : random.uniform();
    normalise(base);
    builder.layer(l > 0 ? base : std::vector<double>{});
    const double shared_sigma = sigma.draw(random);
    for (Index s = 0; s < states[l]; ++s) {
      const Index actions = 1 + random.index(most_actions);
      std::vector<ActionSpec> specs(actions);
      for (ActionSpec& action : specs) {
        action.reward_mean = ties ? reward_scale * random.index(2) : reward_scale * random.normal();
        action.sigma = ties ? shared_sigma : sigma.draw(random);
        if (l + 1 == layers) continue;
        const Index next = states[l + 1];
        const Index target = random.index(next);
        switch (kind) {
          case 0:  // deterministic
            action.next = {{target, 1.0}};
            break;
          case 1:  // nearly deterministic
            action.next = {{target, 1.0 - 1e-6}, {random.index(next), 1e-6}};
            break;
          case 2: {  // dense
            std::vector<double> row(next);
            for (double& p : row) p = random.uniform();
            normalise(row);
            for (Index t = 0; t < next; ++t) action.next.emplace_back(t, row[t]);
            break;
          }
          case 3:  // a posterior: unvisited, or visited with a small base weight
            if (random.uniform() < 0.5) {
              action.base_weight = 1.0;
            } else {
              action.base_weight = 1.0 / (1.0 + 100.0 * (1 + random.index(50)));
              action.next = {{target, 1.0 - action.base_weight}};
            }
            break;
          default:  // two successors, one of them tiny
            action.base_weight = 1e-9;
            action.next = {{target, 1.0 - 1e-9}};
        }
      }
      builder.state(specs);
    }
  }
  return builder.build();
}

}  // namespace vapor
