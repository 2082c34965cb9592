#include "vapor/env/environment.h"

#include <algorithm>

#include "vapor/core/check.h"

namespace vapor {
namespace {

// Draws for one step, made only where the outcome is open, so that a deterministic environment
// leaves the stream to the actions.
bool next_state_is_open(const Transitions& P, Index pair) {
  return P.base_weight[pair] > 0.0 || P.begin[pair + 1] - P.begin[pair] > 1;
}

bool reward_is_open(const Environment& environment, Index pair) {
  if (environment.reward_noise == RewardNoise::kGaussian) return environment.noise[pair] != 0.0;
  const double mean = environment.model.reward_mean[pair];
  return mean > 0.0 && mean < 1.0;
}

double reward_of(const Environment& environment, Index pair, double noise_draw) {
  const double mean = environment.model.reward_mean[pair];
  if (environment.reward_noise == RewardNoise::kBernoulli) return noise_draw < mean ? 1.0 : 0.0;
  const double noise = environment.noise[pair];
  return noise == 0.0 ? mean : mean + noise * noise_draw;
}

// The layer after the one that a pair belongs to.
Range next_layer(const Shape& shape, Index pair) {
  Index low = 0;
  Index high = shape.layers() - 1;
  while (low < high) {
    const Index middle = low + (high - low) / 2;
    if (pair < shape.pairs_of_layer(middle).last())
      high = middle;
    else
      low = middle + 1;
  }
  return shape.states_of(low + 1);
}

// Rounding can leave the cumulative probability below `uniform` at the end: then the last state
// that has a probability is taken.
Index next_state_of(const Problem& model, Index pair, double uniform) {
  const Transitions& P = model.transitions;
  Index next = -1;
  double cumulative = 0.0;
  for (Offset k = P.begin[pair]; k < P.begin[pair + 1]; ++k) {
    if (P.probability[k] <= 0.0) continue;
    next = P.next_state[k];
    cumulative += P.probability[k];
    if (cumulative > uniform) return next;
  }
  if (P.base_weight[pair] <= 0.0) return next;
  for (Index s : next_layer(model.shape, pair)) {
    if (P.base[s] <= 0.0) continue;
    next = s;
    cumulative += P.base_weight[pair] * P.base[s];
    if (cumulative > uniform) return next;
  }
  return next;
}

}  // namespace

Index first_state(const Environment& environment, RandomStream& random) {
  const std::vector<double>& initial = environment.model.initial;
  return initial.size() == 1 ? 0 : random.categorical(initial);
}

Step take(const Environment& environment, Index pair, double uniform, double noise_draw) {
  return {.pair = pair,
          .reward = reward_of(environment, pair, noise_draw),
          .next_state = next_state_of(environment.model, pair, uniform),
          .cost = environment.cost ? environment.cost->of_pair[pair] : 0.0};
}

Step take(const Environment& environment, Index pair, RandomStream& random) {
  const double uniform =
      next_state_is_open(environment.model.transitions, pair) ? random.uniform() : 0.0;
  double noise_draw = 0.0;
  if (reward_is_open(environment, pair))
    noise_draw = environment.reward_noise == RewardNoise::kGaussian ? random.normal()  //
                                                                    : random.uniform();
  return take(environment, pair, uniform, noise_draw);
}

Episode play(const Environment& environment, std::span<const double> policy, RandomStream& random) {
  const Shape& shape = environment.shape();
  VAPOR_CHECK_EQ(policy.size(), static_cast<std::size_t>(shape.pairs()));
  Episode episode;
  episode.reserve(shape.layers());
  Index state = first_state(environment, random);
  while (state >= 0) {
    const Range pairs = shape.pairs_of(state);
    const Index action = random.categorical(policy.subspan(pairs.first(), pairs.size()));
    episode.push_back(take(environment, pairs.first() + action, random));
    state = episode.back().next_state;
  }
  return episode;
}

bool reached_goal(const Environment& environment, const Episode& episode) {
  return std::any_of(episode.begin(), episode.end(), [&](const Step& step) {
    return std::find(environment.goals.begin(), environment.goals.end(), step.pair) !=
           environment.goals.end();
  });
}

}  // namespace vapor
