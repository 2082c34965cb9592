#include "vapor/agent/eubrl.h"

#include <algorithm>
#include <cmath>

namespace vapor {
namespace {

struct Uncertain {
  double reward = 0.0;       // mean over s' of the mean reward of (s, a, s')
  double uncertainty = 0.0;  // E
};

// The reward of (s, a, s') averaged over s' ~ E P; that of (s, a) in the last layer.
CountedReward reward_over_successors(const CountModel& model, Index pair, Index states, double mass,
                                     const EubrlSettings& settings) {
  if (states == 0) return counted_reward(model, pair, settings.beta);
  const Index pool = model.pools.of(pair);
  const auto& met = model.seen.successors[pool];
  const double unmet =
      settings.alpha / mass * std::max(0.0, states - static_cast<double>(met.size()));
  CountedReward all = {.mean = 0.0, .variance = unmet};
  for (const Experience::Successor& next : met) {
    const CountedReward one =
        counted_reward(next.count, next.reward_sum, next.reward_square_sum, settings.beta);
    const double probability = (next.count + settings.alpha) / mass;
    all.mean += probability * one.mean;
    all.variance += probability * one.variance;
  }
  return all;
}

}  // namespace

CountAgent::Rule eubrl_rule(const EubrlSettings& settings) {
  return [settings](const CountModel& model, RandomStream&, std::vector<double>& memory,
                    std::span<double> Q) {
    const Shape& shape = model.shape;
    memory.resize(1);
    std::vector<Uncertain> pairs(shape.pairs());
    const std::vector<double> none(shape.states());  // values do not matter to uncertainties
    for (Index l = 0; l < shape.layers(); ++l) {
      Ahead ahead;
      if (l + 1 < shape.layers()) ahead.states = shape.states_of(l + 1).size();
      ahead.V = none;
      for (Index s : shape.states_of(l))
        for (Index p : shape.pairs_of(s)) {
          if (model.places.ends(s)) continue;
          const DirichletAhead next = dirichlet_ahead(model, p, ahead, settings.alpha);
          const CountedReward reward =
              reward_over_successors(model, p, ahead.states, next.mass, settings);
          pairs[p] = {reward.mean,
                      settings.scale * (std::sqrt(next.variance) + std::sqrt(reward.variance))};
          memory[0] = std::max(memory[0], pairs[p].uncertainty);
        }
    }
    const auto value = [&](Index pair, const Ahead& ahead) {
      const double E = pairs[pair].uncertainty;
      const double pU = memory[0] > 0.0 ? E / memory[0] : 0.0;
      return (1.0 - pU) * pairs[pair].reward + pU * E +
             dirichlet_ahead(model, pair, ahead, settings.alpha).mean;
    };
    backward_pass(model, value, Q);
  };
}

}  // namespace vapor
