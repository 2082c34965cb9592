#include "vapor/env/deep_sea.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "vapor/core/error.h"
#include "vapor/mdp/problem_builder.h"

namespace vapor {
namespace {

constexpr Index kLargestDepth = 2000;  // four million pairs

// NumPy's RandomState.rand(): 53 bits of two draws of the Mersenne Twister.
double legacy_uniform(std::mt19937& twister) {
  const auto a = static_cast<double>(twister() >> 5);
  const auto b = static_cast<double>(twister() >> 6);
  return (a * 67108864.0 + b) / 9007199254740992.0;
}

ActionSpec left(Index column, bool last_row) {
  ActionSpec action;
  if (!last_row) action.next = {{std::max(column - 1, 0), 1.0}};
  return action;
}

ActionSpec right(const DeepSeaSettings& settings, Index column, bool last_row) {
  ActionSpec action;
  action.reward_mean = -settings.move_cost / settings.depth;
  if (column + 1 == settings.depth) action.reward_mean = 1.0 - settings.move_cost / settings.depth;
  if (last_row) return action;
  // Staying comes first: bsuite moves if its uniform number is > 1 / size, and `take` stays if it
  // is < 1 / depth.
  const double failure = settings.stochastic ? 1.0 / settings.depth : 0.0;
  if (failure > 0.0) action.next.emplace_back(column, failure);
  action.next.emplace_back(column + 1, 1.0 - failure);
  return action;
}

}  // namespace

void validate(const DeepSeaSettings& settings) {
  if (settings.depth < 1 || settings.depth > kLargestDepth)
    throw InputError("depth",
                     fmt::format("must be in 1..{}, got {}", kLargestDepth, settings.depth));
  if (!(settings.move_cost >= 0.0 && settings.move_cost <= 1e6))
    throw InputError("move_cost", fmt::format("must be in [0, 1e6], got {}", settings.move_cost));
}

// bsuite draws Binomial(1, 1/2) for every cell of the square, by inversion: 1 if a uniform number
// is > 1/2. The cells above the diagonal are drawn and not used.
std::vector<Index> right_actions(const DeepSeaSettings& settings) {
  validate(settings);
  std::vector<Index> actions;
  std::mt19937 twister(settings.mapping_seed);
  for (Index row = 0; row < settings.depth; ++row)
    for (Index column = 0; column < settings.depth; ++column) {
      const bool drawn = !settings.randomise_actions || legacy_uniform(twister) > 0.5;
      if (column <= row) actions.push_back(drawn ? 1 : 0);
    }
  return actions;
}

std::vector<double> always_right(const DeepSeaSettings& settings) {
  std::vector<double> policy;
  for (Index right : right_actions(settings)) {
    policy.push_back(right == 0 ? 1.0 : 0.0);
    policy.push_back(right == 1 ? 1.0 : 0.0);
  }
  return policy;
}

Environment deep_sea(const DeepSeaSettings& settings) {
  const std::vector<Index> right_action = right_actions(settings);
  Environment sea;
  sea.rows = sea.columns = settings.depth;
  ProblemBuilder builder({1.0});
  for (Index row = 0; row < settings.depth; ++row) {
    builder.layer();
    const bool last = row + 1 == settings.depth;
    for (Index column = 0; column <= row; ++column) {
      const Index right_is = right_action[sea.cells.size()];
      std::vector<ActionSpec> actions(2);
      actions[right_is] = right(settings, column, last);
      actions[1 - right_is] = left(column, last);
      builder.state(actions);
      sea.cells.push_back({row, column});
      const bool noisy =
          settings.stochastic && last && (column == 0 || column + 1 == settings.depth);
      sea.noise.insert(sea.noise.end(), 2, noisy ? 1.0 : 0.0);
    }
  }
  sea.model = builder.build();
  sea.known.reward_low = -settings.move_cost / settings.depth;
  sea.known.reward_high = 1.0;
  const Index corner = sea.shape().states() - 1;
  sea.goals = {sea.shape().pairs_of(corner).first() + right_action[corner]};
  return sea;
}

}  // namespace vapor
