#include "vapor/env/lazy_chain.h"

#include <fmt/format.h>

#include "vapor/core/error.h"
#include "vapor/env/unroll.h"

namespace vapor {
namespace {

constexpr Index kNothing = 2, kLazyActions = 3;  // after left and right

StationaryMdp chain_of(const LazyChainSettings& settings) {
  const Index n = settings.length;
  StationaryMdp mdp;
  mdp.rows = 1;
  mdp.columns = 2 * n + 1;
  mdp.actions = kLazyActions;
  mdp.initial.assign(mdp.columns, 0.0);
  mdp.initial[n] = 1.0;
  for (Index cell = 0; cell < mdp.columns; ++cell)
    for (Index action = 0; action < kLazyActions; ++action) {
      const bool stays = cell == 0 || cell == 2 * n || action == kNothing;
      const Index step = action == 0 ? -1 : 1;
      if (stays)
        mdp.next.push_back({{cell, 1.0}});
      else if (settings.slip == 0.0)
        mdp.next.push_back({{cell + step, 1.0}});
      else
        mdp.next.push_back({{cell + step, 1.0 - settings.slip}, {cell - step, settings.slip}});
    }
  return mdp;
}

}  // namespace

void validate(const LazyChainSettings& settings) {
  if (settings.length < 1 || settings.length > 1000)
    throw InputError("length", fmt::format("must be in 1..1000, got {}", settings.length));
  if (settings.horizon < 0 || settings.horizon > 10000)
    throw InputError("horizon", fmt::format("must be in 0..10000, got {}", settings.horizon));
  if (!(settings.slip >= 0.0 && settings.slip <= 1.0))
    throw InputError("slip", fmt::format("must be in [0, 1], got {}", settings.slip));
}

Environment lazy_chain(const LazyChainSettings& settings) {
  validate(settings);
  const Index n = settings.length;
  const StationaryMdp mdp = chain_of(settings);
  Environment chain = unroll(mdp, settings.horizon == 0 ? 2 * n : settings.horizon, Layers::kAll);
  const Shape& shape = chain.shape();
  const double unit = 2.0 * n - 1.0;
  chain.stationary = true;
  chain.known.reward_low = -1.0 / unit;
  chain.known.reward_high = 1.0;
  chain.noise.assign(shape.pairs(), 0.0);
  for (Index l = 0; l < shape.layers(); ++l)
    for (Index s : shape.states_of(l)) {
      const Index cell = cell_of(chain, s);
      if (cell == 0 || cell == 2 * n) continue;
      for (Index action = 0; action < kNothing; ++action) {
        const Index pair = shape.pairs_of(s).first() + action;
        double mean = 0.0;
        for (const auto& [next, probability] : mdp.next[cell * kLazyActions + action])
          mean += probability * (next == 0 ? n - 1.0 : next == 2 * n ? unit : -1.0);
        chain.model.reward_mean[pair] = mean / unit;
        if (cell == 2 * n - 1 && action == 1) chain.goals.push_back(pair);
      }
    }
  return chain;
}

}  // namespace vapor
