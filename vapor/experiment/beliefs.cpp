#include "vapor/experiment/beliefs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "vapor/belief/finite_belief.h"
#include "vapor/belief/tabular_belief.h"
#include "vapor/core/error.h"

namespace vapor {
namespace {

// A reward that is known for certain has this prior variance, since a Gaussian needs one.
constexpr double kSmallestVariance = 1e-18;

std::string where(const Spec& spec, const char* key) {
  return fmt::format("{} {}:{}", spec.place(), spec.name(), key);
}

SigmaTransform transform_of(Spec& spec, const Environment& environment) {
  static const std::array<std::string, 5> names = {"paper", "reward-only", "range",
                                                   "dirichlet-variance", "known"};
  const bool known = environment.known.dynamics;
  const std::string name = spec.choice("transform", known ? "known" : "paper", names);
  if (name == "known" && !known)
    throw InputError(where(spec, "transform"),
                     "known asks for an environment whose dynamics are known");
  if (name == "paper") return paper_transform();
  if (name == "range") return reward_only() + range_bound();
  if (name == "dirichlet-variance") return reward_only() + value_variance();
  return reward_only();
}

// The variance of an observed reward: the environment's where it publishes the prior of its
// rewards, else 1 as in the paper.
double default_noise_variance(const Environment& environment) {
  if (environment.known.reward_mean.empty() || environment.noise.empty()) return 1.0;
  const double noise = *std::max_element(environment.noise.begin(), environment.noise.end());
  return noise > 0.0 ? noise * noise : 1.0;
}

// `variance` scales the variances of the prior and of the noise alike, so that the posterior
// variance after n visits is variance / (1 + m n) under a unit prior.
GaussianRewards gaussian_rewards(Spec& spec, const Environment& environment) {
  const double variance = spec.number("variance", 1.0, 1e-12, 1e12);
  const double noise = spec.number("noise", default_noise_variance(environment), 1e-12, 1e12);
  GaussianRewards rewards;
  rewards.noise_variance = variance * noise;
  rewards.variance = {variance};
  if (environment.known.reward_mean.empty()) return rewards;
  rewards.mean = environment.known.reward_mean;
  rewards.variance = environment.known.reward_variance;
  for (double& v : rewards.variance) v = std::max(variance * v, kSmallestVariance);
  return rewards;
}

RewardPrior reward_prior(Spec& spec, const Environment& environment) {
  if (environment.reward_noise == RewardNoise::kGaussian)
    return gaussian_rewards(spec, environment);
  for (const char* key : {"variance", "noise"})
    if (spec.has(key))
      throw InputError(where(spec, key),
                       "does not apply: the rewards are 0 or 1, with a Beta prior");
  return BetaRewards{};
}

DynamicsPrior dynamics_prior(Spec& spec, const Environment& environment) {
  const double mass = spec.number("mass", environment.known.dirichlet_mass, 1e-6, 1e6);
  if (!environment.known.dynamics) return DirichletDynamics{mass};
  if (spec.has("mass"))
    throw InputError(where(spec, "mass"), "does not apply: the dynamics are known");
  return environment.model.transitions;
}

std::unique_ptr<Belief> make_tabular(Spec& spec, const Environment& environment) {
  TabularPrior prior;
  prior.shape = environment.shape();
  prior.initial = environment.model.initial;
  prior.repeat = spec.number("repeat", 1.0, 1e-6, 1e12);
  prior.reward = reward_prior(spec, environment);
  prior.dynamics = dynamics_prior(spec, environment);
  SigmaTransform transform = transform_of(spec, environment);
  spec.refuse_unknown_keys();
  return std::make_unique<TabularBelief>(std::move(prior), std::move(transform));
}

// The model in which every uncertain reward lies `deviations` standard deviations off its mean.
Problem shifted_model(const Environment& environment, double deviations) {
  Problem model = environment.model;
  for (Index p = 0; p < model.shape.pairs(); ++p)
    model.reward_mean[p] = environment.known.reward_mean[p] +
                           deviations * std::sqrt(environment.known.reward_variance[p]);
  return model;
}

// Two models with equal weights. For the toy chain these are M+ and M-.
std::unique_ptr<Belief> make_finite(Spec& spec, const Environment& environment) {
  spec.refuse_unknown_keys();
  bool fits = environment.known.dynamics && !environment.known.reward_mean.empty() &&
              environment.reward_noise == RewardNoise::kGaussian &&
              std::all_of(environment.noise.begin(), environment.noise.end(),
                          [](double noise) { return noise == 0.0; });
  std::vector<FiniteModel> models;
  bool has_truth = false;
  for (const double deviations : {1.0, -1.0}) {
    if (!fits) break;
    models.push_back({shifted_model(environment, deviations), 0.5});
    has_truth = has_truth || models.back().problem.reward_mean == environment.model.reward_mean;
  }
  if (!fits || !has_truth)
    throw InputError(spec.place(), "finite fits toy_chain only, whose two models it holds");
  return std::make_unique<FiniteBelief>(std::move(models));
}

}  // namespace

std::span<const BeliefKind> belief_kinds() {
  static const std::vector<BeliefKind> kinds = {
      {"tabular", "repeat=1, variance=1, noise=1, mass=1, transform=paper",
       "independent pairs: Gaussian or Beta rewards, Dirichlet dynamics where they are unknown"},
      {"finite", "", "one of the two models of toy_chain"},
  };
  return kinds;
}

std::unique_ptr<Belief> make_belief(Spec spec, const Environment& environment) {
  if (spec.name() == "tabular") return make_tabular(spec, environment);
  if (spec.name() == "finite") return make_finite(spec, environment);
  std::vector<std::string> names;
  for (const BeliefKind& kind : belief_kinds()) names.push_back(kind.name);
  throw unknown_name(spec.place(), spec.name(), names);
}

std::string default_belief(const std::string& name, const Environment& environment) {
  if (name == "toy_chain") return "finite";
  // At this contrast between visited and unvisited pairs the agents show the order of the paper,
  // which they do not at the paper's own constants.
  if (name == "deep_sea") return "tabular:repeat=10000,variance=0.03,transform=reward-only";
  return environment.known.dynamics ? "tabular:repeat=1,transform=known"
                                    : "tabular:repeat=1,transform=paper";
}

}  // namespace vapor
