#include "vapor/env/random_mdp.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "vapor/core/error.h"
#include "vapor/mdp/problem_builder.h"

namespace vapor {
namespace {

constexpr double kMostTransitions = 2e7;

void check_count(const char* field, Index value) {
  if (value < 1) throw InputError(field, fmt::format("must be >= 1, got {}", value));
}

// log of a Gamma(shape, 1) number: Gamma(shape) = Gamma(shape + 1) U^(1/shape), whose second factor
// is too small for a double when the shape is.
double log_gamma_draw(double shape, RandomStream& random) {
  const double boost = std::log(1.0 - random.uniform()) / shape;
  return std::log(random.gamma(shape + 1.0)) + boost;
}

std::vector<std::pair<Index, double>> dirichlet_row(double mass, Index states,
                                                    RandomStream& random) {
  std::vector<double> log_weight(states);
  for (double& x : log_weight) x = log_gamma_draw(mass / states, random);
  const double largest = *std::max_element(log_weight.begin(), log_weight.end());
  double sum = 0.0;
  for (double x : log_weight) sum += std::exp(x - largest);
  std::vector<std::pair<Index, double>> row;
  for (Index s = 0; s < states; ++s) {
    const double p = std::exp(log_weight[s] - largest) / sum;
    if (p > 0.0) row.emplace_back(s, p);
  }
  return row;
}

}  // namespace

void validate(const RandomMdpSettings& settings) {
  check_count("layers", settings.layers);
  check_count("states", settings.states);
  check_count("actions", settings.actions);
  if (!(settings.dirichlet_mass >= 1e-3 && settings.dirichlet_mass <= 1e6))
    throw InputError("dirichlet_mass",
                     fmt::format("must be in [0.001, 1e6], got {}", settings.dirichlet_mass));
  const double transitions =
      static_cast<double>(settings.layers) * settings.states * settings.states * settings.actions;
  if (transitions > kMostTransitions)
    throw InputError("layers", fmt::format("layers x states^2 x actions must be at most {:.3g}, "
                                           "got {:.3g}",
                                           kMostTransitions, transitions));
}

Environment random_mdp(const RandomMdpSettings& settings) {
  validate(settings);
  const RandomStream random = RandomStream(settings.seed).split("random_mdp");
  RandomStream rewards = random.split("rewards");
  RandomStream dynamics = random.split("transitions");

  Environment environment;
  environment.reward_noise = RewardNoise::kBernoulli;
  environment.rows = settings.states;
  environment.columns = settings.layers;
  environment.known.reward_high = 1.0;
  environment.known.dynamics = settings.known_dynamics;
  environment.known.dirichlet_mass = settings.dirichlet_mass;
  ProblemBuilder builder(std::vector<double>(settings.states, 1.0 / settings.states));
  for (Index l = 0; l < settings.layers; ++l) {
    builder.layer();
    for (Index s = 0; s < settings.states; ++s) {
      std::vector<ActionSpec> actions(settings.actions);
      for (ActionSpec& action : actions) {
        action.reward_mean = rewards.uniform();
        if (l + 1 < settings.layers)
          action.next = dirichlet_row(settings.dirichlet_mass, settings.states, dynamics);
      }
      builder.state(actions);
      environment.cells.push_back({s, l});
    }
  }
  environment.model = builder.build();
  environment.noise.assign(environment.shape().pairs(), 0.0);
  return environment;
}

}  // namespace vapor
