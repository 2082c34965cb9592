#include "vapor/mdp/random_problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "vapor/core/error.h"

namespace vapor {
namespace {

void check_count(const char* field, Index value) {
  if (value < 1) throw InputError(field, fmt::format("must be >= 1, got {}", value));
}

void check_share(const char* field, double value) {
  if (!(value >= 0.0 && value <= 1.0))
    throw InputError(field, fmt::format("must be in [0, 1], got {}", value));
}

// A random distribution, exponential weights: uniform on the simplex.
void fill_distribution(std::span<double> p, double total, RandomStream& random) {
  double sum = 0.0;
  for (double& x : p) sum += x = -std::log(1.0 - random.uniform());
  for (double& x : p) x *= total / sum;
}

double log_uniform(double low, double high, RandomStream& random) {
  return low == high ? low : std::exp(random.uniform(std::log(low), std::log(high)));
}

// `successors` distinct states of the next layer (Floyd's sampling), in order of their drawing.
void add_row(const RandomProblemSettings& settings, Index next_layer_first, RandomStream& random,
             Transitions& P) {
  const auto first = static_cast<std::ptrdiff_t>(P.next_state.size());
  const Index count = std::min(settings.successors, settings.states);
  for (Index j = settings.states - count; j < settings.states; ++j) {
    const Index drawn = next_layer_first + random.index(j + 1);
    const bool taken =
        std::find(P.next_state.begin() + first, P.next_state.end(), drawn) != P.next_state.end();
    P.next_state.push_back(taken ? next_layer_first + j : drawn);
  }
  P.probability.resize(P.next_state.size());
  fill_distribution(std::span(P.probability).subspan(first), 1.0 - settings.base_weight, random);
}

}  // namespace

void validate(const RandomProblemSettings& settings) {
  check_count("layers", settings.layers);
  check_count("states", settings.states);
  check_count("actions", settings.actions);
  check_count("successors", settings.successors);
  check_share("base_weight", settings.base_weight);
  check_share("zero_sigma_share", settings.zero_sigma_share);
  if (!(settings.reward_scale >= 0.0 && std::isfinite(settings.reward_scale)))
    throw InputError("reward_scale", fmt::format("must be >= 0, got {}", settings.reward_scale));
  if (!(settings.sigma_min > 0.0 && settings.sigma_min <= settings.sigma_max &&
        std::isfinite(settings.sigma_max)))
    throw InputError("sigma_min", fmt::format("must be in (0, sigma_max], got {} with sigma_max {}",
                                              settings.sigma_min, settings.sigma_max));
  const double pairs = static_cast<double>(settings.layers) * settings.states * settings.actions;
  if (pairs > 2e9) throw InputError("layers", fmt::format("{:.3g} pairs are too many", pairs));
}

Problem random_problem(const RandomProblemSettings& settings, RandomStream random) {
  validate(settings);
  Problem problem;
  Transitions& P = problem.transitions;
  problem.initial.resize(settings.states);
  fill_distribution(problem.initial, 1.0, random);
  P.base.assign(settings.states, 0.0);
  for (Index l = 0; l < settings.layers; ++l) {
    const bool last = l + 1 == settings.layers;
    problem.shape.add_layer();
    for (Index s = 0; s < settings.states; ++s) {
      problem.shape.add_state(settings.actions);
      for (Index a = 0; a < settings.actions; ++a) {
        problem.reward_mean.push_back(settings.reward_scale * random.normal());
        const bool zero = random.uniform() < settings.zero_sigma_share;
        problem.sigma.push_back(zero ? 0.0
                                     : log_uniform(settings.sigma_min, settings.sigma_max, random));
        P.base_weight.push_back(last ? 0.0 : settings.base_weight);
        if (!last) add_row(settings, (l + 1) * settings.states, random, P);
        P.begin.push_back(static_cast<Offset>(P.next_state.size()));
      }
    }
    if (last) break;
    P.base.resize(P.base.size() + settings.states);
    fill_distribution(std::span(P.base).last(settings.states), 1.0, random);
  }
  validate_and_normalise(problem);
  return problem;
}

}  // namespace vapor
