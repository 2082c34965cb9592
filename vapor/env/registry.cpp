#include "vapor/env/registry.h"

#include <fmt/format.h>

#include <limits>
#include <vector>

#include "vapor/core/error.h"
#include "vapor/env/bandit.h"
#include "vapor/env/deep_sea.h"
#include "vapor/env/factored_cmdp.h"
#include "vapor/env/four_rooms.h"
#include "vapor/env/frozen_lake.h"
#include "vapor/env/grid_world.h"
#include "vapor/env/inventory.h"
#include "vapor/env/lava_grid.h"
#include "vapor/env/lazy_chain.h"
#include "vapor/env/media_streaming.h"
#include "vapor/env/random_mdp.h"
#include "vapor/env/river_swim.h"
#include "vapor/env/toy_chain.h"

namespace vapor {
namespace {

// The limits of a setting are those of the environment's own validate(); what is parsed here need
// only fit its type.
Index index_setting(Spec& spec, const char* key, Index otherwise) {
  return static_cast<Index>(spec.integer(key, otherwise, std::numeric_limits<Index>::min(),
                                         std::numeric_limits<Index>::max()));
}

double number_setting(Spec& spec, const char* key, double otherwise) {
  return spec.number(key, otherwise, std::numeric_limits<double>::lowest(),
                     std::numeric_limits<double>::max());
}

Environment make_toy_chain(Spec& spec, std::uint64_t seed) {
  ToyChainSettings settings;
  settings.length = index_setting(spec, "length", settings.length);
  const double epsilon = number_setting(spec, "epsilon", 0.0);
  if (spec.has("epsilon")) settings.epsilon = epsilon;
  const Index sign = index_setting(spec, "sign", 0);
  if (spec.has("sign")) settings.sign = sign;
  settings.one_action = spec.flag("one_action", settings.one_action);
  settings.seed = seed;
  spec.refuse_unknown_keys();
  return toy_chain(settings);
}

Environment make_deep_sea(Spec& spec, std::uint64_t seed) {
  DeepSeaSettings settings;
  settings.depth = index_setting(spec, "depth", settings.depth);
  settings.stochastic = spec.flag("stochastic", settings.stochastic);
  settings.move_cost = number_setting(spec, "move_cost", settings.move_cost);
  settings.randomise_actions = spec.flag("randomise_actions", settings.randomise_actions);
  // The run's seed is bsuite's mapping_seed, as far as its 32 bits go.
  settings.mapping_seed =
      static_cast<std::uint32_t>(spec.integer("mapping_seed", static_cast<std::uint32_t>(seed), 0,
                                              std::numeric_limits<std::uint32_t>::max()));
  spec.refuse_unknown_keys();
  return deep_sea(settings);
}

Environment make_grid_world(Spec& spec, std::uint64_t seed) {
  static const std::vector<std::string> kStarts = {"corner", "centre"};
  GridWorldSettings settings;
  settings.size = index_setting(spec, "size", settings.size);
  settings.horizon = index_setting(spec, "horizon", settings.horizon);
  settings.start = spec.choice("start", "corner", kStarts) == "corner"
                       ? GridWorldSettings::Start::kCorner
                       : GridWorldSettings::Start::kCentre;
  settings.slip = number_setting(spec, "slip", settings.slip);
  settings.stationary_prior = spec.flag("stationary_prior", settings.stationary_prior);
  settings.mean_scale = number_setting(spec, "mean_scale", settings.mean_scale);
  settings.deviation_scale = number_setting(spec, "deviation_scale", settings.deviation_scale);
  settings.noise = number_setting(spec, "noise", settings.noise);
  settings.seed = seed;
  spec.refuse_unknown_keys();
  return grid_world(settings);
}

Environment make_four_rooms(Spec& spec, std::uint64_t /*seed*/) {
  FourRoomsSettings settings;
  settings.size = index_setting(spec, "size", settings.size);
  settings.horizon = index_setting(spec, "horizon", settings.horizon);
  settings.goal = spec.flag("goal", settings.goal);
  spec.refuse_unknown_keys();
  return four_rooms(settings);
}

Environment make_lazy_chain(Spec& spec, std::uint64_t /*seed*/) {
  LazyChainSettings settings;
  settings.length = index_setting(spec, "length", settings.length);
  settings.horizon = index_setting(spec, "horizon", settings.horizon);
  settings.slip = number_setting(spec, "slip", settings.slip);
  spec.refuse_unknown_keys();
  return lazy_chain(settings);
}

Environment make_frozen_lake(Spec& spec, std::uint64_t /*seed*/) {
  FrozenLakeSettings settings;
  settings.slippery = spec.flag("slippery", settings.slippery);
  settings.horizon = index_setting(spec, "horizon", settings.horizon);
  spec.refuse_unknown_keys();
  return frozen_lake(settings);
}

Environment make_river_swim(Spec& spec, std::uint64_t /*seed*/) {
  RiverSwimSettings settings;
  settings.states = index_setting(spec, "states", settings.states);
  settings.horizon = index_setting(spec, "horizon", settings.horizon);
  settings.noise = number_setting(spec, "noise", settings.noise);
  spec.refuse_unknown_keys();
  return river_swim(settings);
}

Environment make_random_mdp(Spec& spec, std::uint64_t seed) {
  RandomMdpSettings settings;
  settings.layers = index_setting(spec, "layers", settings.layers);
  settings.states = index_setting(spec, "states", settings.states);
  settings.actions = index_setting(spec, "actions", settings.actions);
  settings.dirichlet_mass = number_setting(spec, "dirichlet_mass", settings.dirichlet_mass);
  settings.known_dynamics = spec.flag("known_dynamics", settings.known_dynamics);
  settings.seed = seed;
  spec.refuse_unknown_keys();
  return random_mdp(settings);
}

Environment make_bandit(Spec& spec, std::uint64_t seed) {
  BanditSettings settings;
  settings.arms = index_setting(spec, "arms", settings.arms);
  settings.seed = seed;
  spec.refuse_unknown_keys();
  return bandit(settings);
}

// Of the environments with a budget: a setting that is there must be above 0.
double budget_setting(Spec& spec, double otherwise) {
  const double budget = number_setting(spec, "budget", otherwise);
  if (spec.has("budget") && !(budget > 0.0))
    throw InputError("budget", fmt::format("must be above 0, got {}", budget));
  return budget;
}

Environment make_factored_cmdp(Spec& spec, std::uint64_t /*seed*/) {
  FactoredCmdpSettings settings;
  settings.horizon = index_setting(spec, "horizon", settings.horizon);
  settings.budget = budget_setting(spec, settings.budget);
  spec.refuse_unknown_keys();
  return factored_cmdp(settings);
}

Environment make_inventory(Spec& spec, std::uint64_t /*seed*/) {
  InventorySettings settings;
  settings.horizon = index_setting(spec, "horizon", settings.horizon);
  settings.budget = budget_setting(spec, settings.budget);
  spec.refuse_unknown_keys();
  return inventory(settings);
}

Environment make_media_streaming(Spec& spec, std::uint64_t /*seed*/) {
  MediaStreamingSettings settings;
  settings.buffer = index_setting(spec, "buffer", settings.buffer);
  settings.horizon = index_setting(spec, "horizon", settings.horizon);
  settings.budget = budget_setting(spec, settings.budget);
  spec.refuse_unknown_keys();
  return media_streaming(settings);
}

Environment make_lava_grid(Spec& spec, std::uint64_t /*seed*/) {
  LavaGridSettings settings;
  settings.size = index_setting(spec, "size", settings.size);
  settings.horizon = index_setting(spec, "horizon", settings.horizon);
  settings.slip = number_setting(spec, "slip", settings.slip);
  settings.budget = budget_setting(spec, settings.budget);
  spec.refuse_unknown_keys();
  return lava_grid(settings);
}

using Maker = Environment (*)(Spec&, std::uint64_t);

struct Kinds {
  std::vector<EnvironmentKind> kinds;
  std::vector<std::string> names;
  std::vector<Maker> makers;

  void add(Maker make, std::string name, std::string settings, std::string summary) {
    names.push_back(name);
    makers.push_back(make);
    kinds.push_back({std::move(name), std::move(settings), std::move(summary)});
  }
};

const Kinds& all_kinds() {
  static const Kinds all = [] {
    Kinds k;
    k.add(make_toy_chain, "toy_chain",
          "length=10, epsilon=0.1/length, sign=drawn from the seed, one_action=false",
          "figure 1's chain: one uncertain reward, +1 or -1, at its end");
    k.add(make_deep_sea, "deep_sea",
          "depth=10, stochastic=false, move_cost=0.01, randomise_actions=true, "
          "mapping_seed=the seed",
          "bsuite's DeepSea: one treasure, reached only by always going right");
    k.add(make_grid_world, "grid_world",
          "size=10, horizon=2 size, start=corner, slip=0, stationary_prior=true, mean_scale=1, "
          "deviation_scale=1, noise=1",
          "an open square with known dynamics and rewards drawn from a known prior");
    k.add(make_four_rooms, "four_rooms", "size=9, horizon=2 size, goal=false",
          "four rooms with doors, no rewards: cover every action of every cell");
    k.add(make_lazy_chain, "lazy_chain", "length=8, horizon=2 length, slip=0",
          "every step costs, and only one of two ends is worth the way");
    k.add(make_frozen_lake, "frozen_lake", "slippery=true, horizon=20",
          "Gymnasium's FrozenLake: over the ice to the goal, past four holes");
    k.add(make_river_swim, "river_swim", "states=6, horizon=20, noise=0",
          "swim against the current to a large reward, or stay at a small one");
    k.add(make_random_mdp, "random_mdp",
          "layers=5, states=5, actions=3, dirichlet_mass=1, known_dynamics=false",
          "drawn from the prior of the regret experiment");
    k.add(make_bandit, "bandit", "arms=10", "one state whose arms pay 0 or 1");
    k.add(make_factored_cmdp, "factored_cmdp", "horizon=6, budget=horizon/2",
          "a ring of three states: moving pays and costs, under a budget");
    k.add(make_inventory, "inventory", "horizon=7, budget=horizon/2",
          "order for a store of five items, under a budget");
    k.add(make_media_streaming, "media_streaming", "buffer=10, horizon=10, budget=horizon/2",
          "keep a buffer from running empty; the fast server costs, under a budget");
    k.add(make_lava_grid, "lava_grid", "size=5, horizon=3 size, slip=0.1, budget=0.5",
          "a goal behind lava: over it, along it or around it, under a budget");
    return k;
  }();
  return all;
}

}  // namespace

std::span<const EnvironmentKind> environment_kinds() { return all_kinds().kinds; }

Environment make_environment(const Spec& named, std::uint64_t seed) {
  Spec spec = named;  // which learns its known keys while it is read
  const Kinds& all = all_kinds();
  for (std::size_t i = 0; i < all.names.size(); ++i) {
    if (all.names[i] != spec.name()) continue;
    try {
      return all.makers[i](spec, seed);
    } catch (const InputError& error) {
      // A setting that validate() refused is named by its field alone: say whose it is.
      if (error.place().starts_with(spec.place().text())) throw;
      throw InputError(spec.where(error.place()), error.problem());
    }
  }
  throw unknown_name(spec.place(), spec.name(), all.names);
}

}  // namespace vapor
