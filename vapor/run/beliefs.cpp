#include "vapor/run/beliefs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "vapor/belief/finite_belief.h"
#include "vapor/belief/tabular_belief.h"
#include "vapor/core/error.h"
#include "vapor/env/stationary_pair.h"

namespace vapor {
namespace {

// A reward that is known for certain has this prior variance, since a Gaussian needs one.
constexpr double kSmallestVariance = 1e-18;

// The Dirichlet mass, and the factor on sigma_hat^2, beside rewards of unknown noise.
// docs/beliefs.md has how they were chosen.
constexpr double kMass = 0.1;
constexpr double kScale = 0.5;

const std::vector<BeliefChoice>& choices() {
  static const std::vector<BeliefChoice> all = {
      {"reward", "normal-gamma", "mean and noise unknown, the level of noise shared: Student's t"},
      {"reward", "gaussian", "N(0, variance), or what the environment publishes; noise known"},
      {"reward", "beta", "Beta(1, 1), for rewards that are 0 or 1"},
      {"counts", "auto", "pooled where the environment is stationary, else layer"},
      {"counts", "pooled", "what is seen in one layer holds in all: stationary environments"},
      {"counts", "layer", "every layer is learned on its own"},
      {"range", "auto", "known where the environment tells its range, else learned"},
      {"range", "known", "an untried pair is believed capable of the environment's range"},
      {"range", "learned", "of the range of the rewards seen so far"},
      {"transform", "reward-only", "sigma_hat^2 = sigma^2, the variance of the mean reward"},
      {"transform", "paper", "3.6^2 sigma^2 + (L-l)^2 / sum alpha"},
      {"transform", "range", "sigma^2 + (L-l)^2 / sum alpha"},
      {"transform", "dirichlet-variance", "sigma^2 + Var(P V), V of the mean model"},
      {"transform", "known", "sigma^2; refuses dynamics that are not known"},
  };
  return all;
}

// The value of a setting that is one of the choices above.
std::string chosen(Spec& spec, const char* setting, const std::string& otherwise) {
  std::vector<std::string> names;
  for (const BeliefChoice& choice : choices())
    if (choice.setting == setting) names.push_back(choice.value);
  return spec.choice(setting, otherwise, names);
}

// Whether a spec is of the time before rewards and counts were a choice, and means what it meant:
// it names a setting that NormalGammaRewards have no use for, and not its rewards.
bool is_of_old(const Spec& spec) {
  if (spec.has("reward")) return false;
  return spec.has("repeat") || spec.has("variance") || spec.has("noise") || spec.has("transform");
}

SigmaTransform transform_of(Spec& spec, const Environment& environment, double usual_scale) {
  const bool known = environment.known.dynamics;
  const std::string name = chosen(spec, "transform",
                                  known             ? "known"
                                  : is_of_old(spec) ? "paper"
                                                    : "reward-only");
  if (name == "known" && !known)
    throw InputError(spec.where("transform"),
                     "known asks for an environment whose dynamics are known");
  SigmaTransform transform =
      name == "known" ? reward_only() : named_transform(spec.where("transform"), name);
  const double scale = spec.number("scale", usual_scale, 1e-12, 1e12);
  return scale == 1.0 ? transform : scaled(std::move(transform), scale);
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

// The exact prior where the environment publishes one.
std::string default_rewards(const Spec& spec, const Environment& environment) {
  if (environment.known.reward_mean.empty() && !is_of_old(spec)) return "normal-gamma";
  return environment.reward_noise == RewardNoise::kBernoulli ? "beta" : "gaussian";
}

NormalGammaRewards normal_gamma_rewards(Spec& spec, const Environment& environment) {
  NormalGammaRewards rewards;
  const RewardRange known = {environment.known.reward_low, environment.known.reward_high};
  const bool is_known = known.size() > 0.0;
  const std::string range = chosen(spec, "range", "auto");
  if (range == "known" && !is_known)
    throw InputError(spec.where("range"), "known asks for an environment that tells its range");
  if (range != "learned" && is_known) rewards.range = known;
  rewards.first_level = spec.number("level", rewards.first_level, 1e-12, 1e12);
  rewards.first_weight = spec.number("level_weight", rewards.first_weight, 1e-12, 1e12);
  rewards.least_level = spec.number("least_level", rewards.least_level, 1e-12, 1e12);
  return rewards;
}

RewardPrior reward_prior(Spec& spec, const Environment& environment, const std::string& family) {
  if (family == "normal-gamma") return normal_gamma_rewards(spec, environment);
  if (family == "gaussian") return gaussian_rewards(spec, environment);
  if (environment.reward_noise != RewardNoise::kBernoulli)
    throw InputError(spec.where("reward"), "beta asks for rewards that are 0 or 1");
  for (const char* key : {"variance", "noise"})
    if (spec.has(key))
      throw InputError(spec.where(key),
                       "does not apply: the rewards are 0 or 1, with a Beta prior");
  return BetaRewards{};
}

DynamicsPrior dynamics_prior(Spec& spec, const Environment& environment, double usual_mass) {
  const double mass = spec.number("mass", usual_mass, 1e-6, 1e6);
  if (!environment.known.dynamics) return DirichletDynamics{mass};
  if (spec.has("mass"))
    throw InputError(spec.where("mass"), "does not apply: the dynamics are known");
  return environment.model.transitions;
}

Places counted_places(Spec& spec, const Environment& environment) {
  Places places = places_of(environment);
  const std::string counts = chosen(spec, "counts", is_of_old(spec) ? "layer" : "auto");
  if (counts == "pooled" && !places.stationary)
    throw InputError(spec.where("counts"), "pooled asks for a stationary environment");
  places.stationary = places.stationary && counts != "layer";
  return places;
}

std::unique_ptr<Belief> make_tabular(Spec& spec, const Environment& environment) {
  TabularPrior prior;
  prior.shape = environment.shape();
  prior.initial = environment.model.initial;
  const std::string family = chosen(spec, "reward", default_rewards(spec, environment));
  const bool learns_noise = family == "normal-gamma";
  prior.repeat = spec.number("repeat", 1.0, 1e-6, 1e12);
  prior.reward = reward_prior(spec, environment, family);
  prior.dynamics =
      dynamics_prior(spec, environment, learns_noise ? kMass : environment.known.dirichlet_mass);
  prior.places = counted_places(spec, environment);
  SigmaTransform transform = transform_of(spec, environment, learns_noise ? kScale : 1.0);
  spec.refuse_unknown_keys();
  return std::make_unique<TabularBelief>(std::move(prior), std::move(transform));
}

// A name for settings of `tabular`, to which a spec may add its own.
std::unique_ptr<Belief> make_named(const Spec& spec, const Environment& environment,
                                   std::map<std::string, std::string> settings) {
  for (const auto& [key, value] : spec.values()) settings[key] = value;
  std::string text = "tabular";
  for (const auto& [key, value] : settings)
    text += fmt::format("{}{}={}", text == "tabular" ? ':' : ',', key, value);
  Spec whole(spec.place(), text);
  return make_tabular(whole, environment);
}

std::unique_ptr<Belief> make_paper(Spec& spec, const Environment& environment) {
  return make_named(
      spec, environment,
      {{"repeat", "1"}, {"transform", environment.known.dynamics ? "known" : "paper"}});
}

std::unique_ptr<Belief> make_contrast(Spec& spec, const Environment& environment) {
  return make_named(spec, environment,
                    {{"repeat", "10000"}, {"variance", "0.03"}, {"transform", "reward-only"}});
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

using Maker = std::unique_ptr<Belief> (*)(Spec&, const Environment&);

struct Entry {
  BeliefKind kind;
  Maker make;
};

const std::vector<Entry>& entries() {
  static const std::vector<Entry> all = {
      {{"tabular",
        "reward=normal-gamma, counts=auto, mass=0.1, scale=0.5, range=auto, "
        "level=0.05, level_weight=0.1, least_level=1e-5, transform=reward-only, "
        "repeat=1, variance=1, noise=1",
        "independent pairs: rewards whose mean and noise are learned, Dirichlet dynamics",
        choices()},
       make_tabular},
      {{"paper", "", "tabular:repeat=1,transform=paper: the paper's constants", {}}, make_paper},
      {{"contrast",
        "",
        "tabular:repeat=10000,variance=0.03,transform=reward-only: for DeepSea without noise",
        {}},
       make_contrast},
      {{"finite", "", "one of the two models of toy_chain", {}}, make_finite},
  };
  return all;
}

}  // namespace

std::span<const BeliefKind> belief_kinds() {
  static const std::vector<BeliefKind> kinds = [] {
    std::vector<BeliefKind> all;
    for (const Entry& entry : entries()) all.push_back(entry.kind);
    return all;
  }();
  return kinds;
}

std::unique_ptr<Belief> make_belief(Spec spec, const Environment& environment) {
  std::vector<std::string> names;
  for (const Entry& entry : entries()) {
    if (entry.kind.name == spec.name()) return entry.make(spec, environment);
    names.push_back(entry.kind.name);
  }
  throw unknown_name(spec.place(), spec.name(), names);
}

std::string default_belief(const std::string& name, const Environment& environment) {
  if (name == "toy_chain") return "finite";
  // What the environment tells of its rewards is the prior itself.
  if (!environment.known.reward_mean.empty()) return "tabular:repeat=1,transform=known";
  const char* counts = environment.stationary ? "pooled" : "layer";
  const std::string belief = fmt::format("tabular:reward=normal-gamma,counts={}", counts);
  return environment.known.dynamics ? fmt::format("{},scale={}", belief, kScale)
                                    : fmt::format("{},mass={},scale={}", belief, kMass, kScale);
}

}  // namespace vapor
