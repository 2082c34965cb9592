#include "vapor/deep/config.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>

#include "vapor/core/error.h"

namespace vapor::deep {
namespace {

const std::vector<std::string> kOptimismNames = {"off", "sampled", "expected", "risk-seeking",
                                                 "occupancy"};
const std::vector<std::string> kEntropyNames = {"none", "fixed", "tuned", "state-action"};
const std::vector<std::string> kUncertaintyNames = {"none", "ensemble", "counts", "rnd"};
const std::vector<std::string> kNoiseNames = {"stored", "fresh"};

constexpr std::array<std::array<const char*, 2>, 9> kAgents = {{
    {"vapor-lite", "actor-critic with optimism and entropy weighted by sigma(s, a)"},
    {"vapor-lite-closed", "the same objective maximised exactly at each state, without an actor"},
    {"actor-critic", "replay actor-critic"},
    {"actor-critic-entropy", "with a fixed scalar entropy"},
    {"optimistic-actor-critic", "with optimism sigma and no entropy"},
    {"ersac", "epistemic-risk-seeking: optimism sigma^2 / (2 tau), entropy tau, tau tuned"},
    {"soft-q", "soft Q-learning at a fixed temperature"},
    {"dqn", "double DQN, epsilon-greedy"},
    {"boot-dqn", "bootstrapped DQN with randomised priors"},
}};

template <typename Enum>
void read_choice(Spec& spec, const char* key, Enum& value, const std::vector<std::string>& names) {
  const std::string chosen = spec.choice(key, names[static_cast<std::size_t>(value)], names);
  value = static_cast<Enum>(std::find(names.begin(), names.end(), chosen) - names.begin());
}

// What is parsed need only fit its type: validate() has the limits.
void read(Spec& spec, const char* key, double& value) {
  constexpr double kMost = std::numeric_limits<double>::max();
  value = spec.number(key, value, -kMost, kMost);
}

template <typename Integer>
void read_whole(Spec& spec, const char* key, Integer& value) {
  value = static_cast<Integer>(spec.integer(key, value, std::numeric_limits<Integer>::min(),
                                            std::numeric_limits<Integer>::max()));
}

void read_learning(Spec& spec, Config& c) {
  read(spec, "discount", c.discount);
  read(spec, "lambda", c.lambda);
  read_whole(spec, "batch", c.batch_frames);
  read(spec, "replay_fraction", c.replay_fraction);
  read_whole(spec, "replay", c.replay.frames);
  read_whole(spec, "unroll", c.replay.unroll);
  read(spec, "priority_exponent", c.replay.exponent);
  read(spec, "least_priority", c.replay.least_priority);
  read_whole(spec, "hidden", c.hidden);
  read_whole(spec, "layers", c.layers);
  read(spec, "row_std", c.row_std);
  read_choice(spec, "torso", c.torso, torso_names());
  read_whole(spec, "lstm", c.lstm);
  read(spec, "critic_weight", c.critic_weight);
  read(spec, "ensemble_weight", c.ensemble_weight);
  read(spec, "gradient_norm", c.gradient_norm);
  read_whole(spec, "torch_threads", c.torch_threads);
}

// `rate` and `adam_epsilon` are for all networks, the others for one.
void read_optimisers(Spec& spec, Config& c) {
  for (AdamSettings* adam : {&c.actor, &c.critic, &c.reward}) {
    read(spec, "rate", adam->learning_rate);
    read(spec, "adam_epsilon", adam->epsilon);
  }
  read(spec, "actor_rate", c.actor.learning_rate);
  read(spec, "critic_rate", c.critic.learning_rate);
  read(spec, "ensemble_rate", c.reward.learning_rate);
  read(spec, "actor_epsilon", c.actor.epsilon);
  read(spec, "critic_epsilon", c.critic.epsilon);
  read(spec, "ensemble_epsilon", c.reward.epsilon);
}

void read_exploration(Spec& spec, Config& c) {
  read_choice(spec, "uncertainty", c.uncertainty, kUncertaintyNames);
  read_whole(spec, "heads", c.ensemble.heads);
  read(spec, "sigma_scale", c.ensemble.sigma_scale);
  read(spec, "prior_std", c.ensemble.prior_std);
  read(spec, "noise", c.ensemble.noise);
  c.ensemble.fresh_noise = spec.choice("noise_kind", c.ensemble.fresh_noise ? "fresh" : "stored",
                                       kNoiseNames) == "fresh";
  read_choice(spec, "optimism", c.objective.optimism, kOptimismNames);
  read_choice(spec, "entropy", c.objective.entropy, kEntropyNames);
  read(spec, "entropy_weight", c.objective.entropy_weight);
  read(spec, "visitation_rate", c.objective.visitation_rate);
  c.objective.entropy_in_evaluation =
      spec.flag("entropy_in_evaluation", c.objective.entropy_in_evaluation);
  read(spec, "tau", c.temperature.initial);
  read(spec, "tau_min", c.temperature.least);
  read(spec, "tau_max", c.temperature.most);
  read(spec, "tau_rate", c.temperature.step_size);
}

void read_q(Spec& spec, Config& c) {
  read_whole(spec, "q_heads", c.q.heads);
  read(spec, "temperature", c.q.temperature);
  read(spec, "prior_scale", c.q.prior_scale);
  read(spec, "mask", c.q.mask);
  read(spec, "epsilon", c.q.epsilon);
  read_whole(spec, "epsilon_frames", c.q.epsilon_frames);
  read_whole(spec, "target_period", c.q.target_period);
}

// The objectives of the paper's figures, and what Q-learners do without.
void set_objective(const std::string& agent, Config& c) {
  if (agent == "vapor-lite" || agent == "vapor-lite-closed") {
    c.ensemble.sigma_scale = 0.005;
    return;
  }
  c.ensemble.sigma_scale = 0.01;
  c.objective = {Optimism::kOff, Entropy::kNone, 0.0};
  c.uncertainty = UncertaintyKind::kNone;
  if (agent == "actor-critic-entropy") c.objective = {Optimism::kOff, Entropy::kFixed, 0.01};
  if (agent == "optimistic-actor-critic") c.objective.optimism = Optimism::kExpected;
  if (agent == "ersac") c.objective = {Optimism::kRiskSeeking, Entropy::kTuned, 1.0};
  if (c.objective.optimism != Optimism::kOff) c.uncertainty = UncertaintyKind::kEnsemble;
  if (agent == "dqn") c.q = {.epsilon = 0.01, .epsilon_frames = 100000};
  if (agent == "soft-q") c.q = {.temperature = 0.01};
  if (agent == "boot-dqn") c.q = {.heads = 10, .prior_scale = 1.0, .mask = 0.5};
}

std::map<std::string, std::string> defaults_of(const std::string& agent, const Config& config) {
  Spec spec("", agent);
  read_config(spec, config);
  return spec.defaults();
}

std::string settings_of(const std::string& agent) {
  const auto paper = defaults_of(agent, paper_config("", agent));
  const auto sea = defaults_of(agent, deep_sea_config("", agent, 10));
  std::string text;
  for (const auto& [key, value] : paper)
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", key,
                        sea.at(key) == value ? value : "that of the environment");
  return text;
}

}  // namespace

std::span<const AgentKind> agent_kinds() {
  static const std::vector<AgentKind> kinds = [] {
    std::vector<AgentKind> all;
    for (const auto& [name, summary] : kAgents) all.push_back({name, settings_of(name), summary});
    return all;
  }();
  return kinds;
}

void validate(const Config& c) {
  const auto require = [](bool good, const char* field, const char* rule, auto value) {
    if (!good) throw InputError(field, fmt::format("must be {}, got {}", rule, value));
  };
  require(c.discount >= 0.0 && c.discount <= 1.0, "discount", "in [0, 1]", c.discount);
  require(c.lambda >= 0.0 && c.lambda <= 1.0, "lambda", "in [0, 1]", c.lambda);
  require(c.batch_frames >= 1 && c.batch_frames <= 1'000'000, "batch", "in 1..1000000",
          c.batch_frames);
  require(c.replay_fraction >= 0.0 && c.replay_fraction <= 0.9999, "replay_fraction",
          "in [0, 0.9999]", c.replay_fraction);
  require(c.hidden >= 0 && c.hidden <= 16384, "hidden", "in 0..16384", c.hidden);
  require(c.layers >= 1 && c.layers <= 16, "layers", "in 1..16", c.layers);
  require(c.lstm >= 0 && c.lstm <= 16384, "lstm", "in 0..16384", c.lstm);
  require(c.row_std >= 0.0 && c.row_std <= 1e3, "row_std", "in [0, 1000]", c.row_std);
  require(c.critic_weight >= 0.0 && c.critic_weight <= 1e6, "critic_weight", "in [0, 1e6]",
          c.critic_weight);
  require(c.ensemble_weight >= 0.0 && c.ensemble_weight <= 1e6, "ensemble_weight", "in [0, 1e6]",
          c.ensemble_weight);
  require(c.gradient_norm > 0.0 && c.gradient_norm <= 1e12, "gradient_norm", "in (0, 1e12]",
          c.gradient_norm);
  require(c.torch_threads >= 1 && c.torch_threads <= 1024, "torch_threads", "in 1..1024",
          c.torch_threads);
  validate(c.replay);
  validate(c.actor, "actor ");
  validate(c.critic, "critic ");
  validate(c.reward, "ensemble ");
  validate(c.ensemble);
  validate(c.objective);
  validate(c.temperature);
  validate(c.q);
}

void check_agent(const std::string& agent, const Config& c) {
  const bool closed = agent == "vapor-lite-closed";
  const bool needs_sigma = closed || c.objective.optimism != Optimism::kOff ||
                           c.objective.entropy == Entropy::kStateAction;
  if (needs_sigma && c.uncertainty == UncertaintyKind::kNone)
    throw InputError("uncertainty", "none goes with optimism=off and an entropy without sigma");
  if (closed && c.objective.optimism != Optimism::kExpected)
    throw InputError("optimism", "must be expected for the closed form, which maximises just that");
  if (closed && c.objective.entropy != Entropy::kStateAction)
    throw InputError("entropy",
                     "must be state-action for the closed form, which maximises just that");
  const bool weighted =
      c.objective.entropy == Entropy::kFixed || c.objective.entropy == Entropy::kStateAction;
  if (weighted && c.objective.entropy_weight <= 0.0)
    throw InputError("entropy_weight", closed ? "must be > 0 for the closed form"
                                              : "must be > 0, or say entropy=none");
  const bool has_actor = !closed && agent != "dqn" && agent != "boot-dqn" && agent != "soft-q";
  if (c.lstm > 0 && !has_actor)
    throw InputError("lstm", "must be 0: only agents with an actor and a critic have one");
}

Config paper_config(const Place& place, const std::string& agent) {
  std::vector<std::string> names;
  for (const auto& [name, summary] : kAgents) names.emplace_back(name);
  if (std::ranges::find(names, agent) == names.end()) throw unknown_name(place, agent, names);
  Config c;
  c.replay_fraction = 0.9;
  c.batch_frames = 200;  // nine sequences from the replay with every new one
  c.ensemble.noise = 0.1;
  c.actor.learning_rate = c.critic.learning_rate = c.reward.learning_rate = 1e-4;
  set_objective(agent, c);
  return c;
}

Config deep_sea_config(const Place& place, const std::string& agent, Index depth) {
  Config c = paper_config(place, agent);
  c.replay_fraction = 0.995;
  // Sequences of equal length, at most 50 frames.
  const Index parts = (depth + 49) / 50;
  c.replay.unroll = (depth + parts - 1) / parts;
  c.ensemble.sigma_scale = 3.0;
  c.ensemble.noise = 0.003;
  c.batch_frames = 200;
  c.hidden = 256;
  c.actor.learning_rate = 2e-3;
  c.actor.epsilon = 1e-5;
  c.critic.learning_rate = 5e-3;
  c.critic.epsilon = 1e-4;
  c.reward.learning_rate = 1e-2;
  c.reward.epsilon = 1e-3;
  return c;
}

Config read_config(Spec& spec, Config c) {
  read_learning(spec, c);
  read_optimisers(spec, c);
  read_exploration(spec, c);
  read_q(spec, c);
  spec.refuse_unknown_keys();
  try {
    validate(c);
    check_agent(spec.name(), c);
  } catch (const InputError& error) {
    throw InputError(spec.where(error.place()), error.problem());
  }
  return c;
}

}  // namespace vapor::deep
