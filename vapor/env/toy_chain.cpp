#include "vapor/env/toy_chain.h"

#include <fmt/format.h>

#include "vapor/core/error.h"
#include "vapor/mdp/problem_builder.h"

namespace vapor {
namespace {

constexpr Index kLongestChain = 100000;
constexpr Index kChain = 0;  // rows of the drawing, and positions in a layer
constexpr Index kAbsorbing = 1;

int drawn_sign(const ToyChainSettings& settings) {
  return RandomStream(settings.seed).split("toy_chain sign").index(2) == 0 ? -1 : 1;
}

std::vector<ActionSpec> same_actions(const ToyChainSettings& settings, const ActionSpec& action) {
  return std::vector<ActionSpec>(settings.one_action ? 1 : 2, action);
}

}  // namespace

void validate(const ToyChainSettings& settings) {
  if (settings.length < 2 || settings.length > kLongestChain)
    throw InputError("length",
                     fmt::format("must be in 2..{}, got {}", kLongestChain, settings.length));
  if (settings.epsilon && !(*settings.epsilon >= 0.0 && *settings.epsilon <= 1e6))
    throw InputError("epsilon", fmt::format("must be in [0, 1e6], got {}", *settings.epsilon));
  if (settings.sign && *settings.sign != 1 && *settings.sign != -1)
    throw InputError("sign", fmt::format("must be 1 or -1, got {}", *settings.sign));
}

Environment toy_chain(const ToyChainSettings& settings) {
  validate(settings);
  const Index L = settings.length;
  // epsilon L << 1 (section 3.2); table 1 needs epsilon (L - 1) < 0.3.
  const double epsilon = settings.epsilon.value_or(0.1 / L);
  const int sign = settings.sign ? *settings.sign : drawn_sign(settings);
  const ActionSpec down = {.next = {{kAbsorbing, 1.0}}};
  const ActionSpec right = {.reward_mean = -epsilon, .next = {{kChain, 1.0}}};

  Environment chain;
  chain.rows = 2;
  chain.columns = L;
  ProblemBuilder builder({1.0});
  for (Index l = 0; l < L; ++l) {
    builder.layer();
    const bool last = l + 1 == L;
    if (last)
      builder.state(same_actions(settings, {.reward_mean = static_cast<double>(sign)}));
    else
      builder.state({down, right});
    chain.cells.push_back({kChain, l});
    if (l == 0) continue;
    builder.state(same_actions(settings, last ? ActionSpec{} : down));
    chain.cells.push_back({kAbsorbing, l});
  }
  chain.model = builder.build();

  const Shape& shape = chain.shape();
  chain.noise.assign(shape.pairs(), 0.0);
  chain.known.dynamics = true;
  chain.known.reward_low = -1.0;
  chain.known.reward_high = 1.0;
  chain.known.reward_mean = chain.model.reward_mean;
  chain.known.reward_variance.assign(shape.pairs(), 0.0);
  for (Index p : shape.pairs_of(shape.states_of(L - 1).first() + kChain)) {
    chain.goals.push_back(p);
    chain.known.reward_mean[p] = 0.0;
    chain.known.reward_variance[p] = 1.0;
  }
  return chain;
}

ToyChainPair toy_chain_pair(const ToyChainSettings& settings) {
  ToyChainSettings plus = settings;
  ToyChainSettings minus = settings;
  plus.sign = 1;
  minus.sign = -1;
  return {toy_chain(plus), toy_chain(minus)};
}

}  // namespace vapor
