#include "vapor/env/river_swim.h"

#include <fmt/format.h>

#include <algorithm>

#include "vapor/core/error.h"
#include "vapor/env/unroll.h"

namespace vapor {
namespace {

constexpr Index kLeftward = 0, kRightward = 1;  // the actions, in order
constexpr double kSmallReward = 5.0 / 10000.0;
constexpr double kLargeReward = 0.3;  // 10000 / 10000, paid with probability 0.3

StationaryMdp river(Index states) {
  StationaryMdp mdp;
  mdp.rows = 1;
  mdp.columns = states;
  mdp.actions = 2;
  mdp.action_names = {"left", "right"};
  mdp.initial.assign(states, 0.0);
  mdp.initial[1] = mdp.initial[2] = 0.5;
  for (Index s = 0; s < states; ++s) {
    mdp.next.push_back({{std::max(s - 1, 0), 1.0}});
    if (s == 0)
      mdp.next.push_back({{s, 0.7}, {s + 1, 0.3}});
    else if (s + 1 == states)
      mdp.next.push_back({{s - 1, 0.7}, {s, 0.3}});
    else
      mdp.next.push_back({{s - 1, 0.1}, {s, 0.6}, {s + 1, 0.3}});
  }
  return mdp;
}

}  // namespace

void validate(const RiverSwimSettings& settings) {
  if (settings.states < 3 || settings.states > 1000)
    throw InputError("states", fmt::format("must be in 3..1000, got {}", settings.states));
  if (settings.horizon < 1 || settings.horizon > 10000)
    throw InputError("horizon", fmt::format("must be in 1..10000, got {}", settings.horizon));
  if (!(settings.noise >= 0.0 && settings.noise <= 1e6))
    throw InputError("noise", fmt::format("must be in [0, 1e6], got {}", settings.noise));
}

Environment river_swim(const RiverSwimSettings& settings) {
  validate(settings);
  Environment swim = unroll(river(settings.states), settings.horizon, Layers::kAll);
  const Shape& shape = swim.shape();
  swim.stationary = true;
  swim.known.reward_high = 1.0;
  swim.noise.assign(shape.pairs(), settings.noise);
  for (Index l = 0; l < shape.layers(); ++l) {
    const Range states = shape.states_of(l);
    swim.model.reward_mean[shape.pairs_of(states.first()).first() + kLeftward] = kSmallReward;
    const Index best = shape.pairs_of(states.last() - 1).first() + kRightward;
    swim.model.reward_mean[best] = kLargeReward;
    swim.goals.push_back(best);
  }
  return swim;
}

}  // namespace vapor
