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

void read_learning(Spec& spec, LearningSettings& s) {
  read(spec, "discount", s.discount);
  read(spec, "lambda", s.lambda);
  read_whole(spec, "batch", s.batch_frames);
  read(spec, "replay_fraction", s.replay_fraction);
  read_whole(spec, "replay", s.replay.frames);
  read_whole(spec, "unroll", s.replay.unroll);
  read(spec, "priority_exponent", s.replay.exponent);
  read(spec, "least_priority", s.replay.least_priority);
}

void read_network(Spec& spec, NetworkSettings& s) {
  read_whole(spec, "hidden", s.hidden);
  read_whole(spec, "layers", s.layers);
  read(spec, "row_std", s.row_std);
  read_choice(spec, "torso", s.torso, torso_names());
  read_whole(spec, "lstm", s.lstm);
  read(spec, "critic_weight", s.critic_weight);
  read(spec, "ensemble_weight", s.ensemble_weight);
  read(spec, "gradient_norm", s.gradient_norm);
  read_whole(spec, "torch_threads", s.torch_threads);
}

// `rate` and `adam_epsilon` are for all networks, the others for one.
void read_optimisers(Spec& spec, NetworkSettings& s) {
  for (AdamSettings* adam : {&s.actor, &s.critic, &s.reward}) {
    read(spec, "rate", adam->learning_rate);
    read(spec, "adam_epsilon", adam->epsilon);
  }
  read(spec, "actor_rate", s.actor.learning_rate);
  read(spec, "critic_rate", s.critic.learning_rate);
  read(spec, "ensemble_rate", s.reward.learning_rate);
  read(spec, "actor_epsilon", s.actor.epsilon);
  read(spec, "critic_epsilon", s.critic.epsilon);
  read(spec, "ensemble_epsilon", s.reward.epsilon);
}

void read_uncertainty(Spec& spec, UncertaintySettings& s) {
  read_choice(spec, "uncertainty", s.kind, kUncertaintyNames);
  read_whole(spec, "heads", s.ensemble.heads);
  read(spec, "sigma_scale", s.ensemble.sigma_scale);
  read(spec, "prior_std", s.ensemble.prior_std);
  read(spec, "noise", s.ensemble.noise);
  read_choice(spec, "noise_kind", s.ensemble.fresh_noise, kNoiseNames);
}

void read_objective(Spec& spec, ObjectiveSettings& s) {
  read_choice(spec, "optimism", s.optimism, kOptimismNames);
  read_choice(spec, "entropy", s.entropy, kEntropyNames);
  read(spec, "entropy_weight", s.entropy_weight);
  read(spec, "visitation_rate", s.visitation_rate);
  s.entropy_in_evaluation = spec.flag("entropy_in_evaluation", s.entropy_in_evaluation);
  read(spec, "tau", s.temperature.initial);
  read(spec, "tau_min", s.temperature.least);
  read(spec, "tau_max", s.temperature.most);
  read(spec, "tau_rate", s.temperature.step_size);
}

void read_q(Spec& spec, QSettings& s) {
  read_whole(spec, "q_heads", s.heads);
  read(spec, "temperature", s.temperature);
  read(spec, "prior_scale", s.prior_scale);
  read(spec, "mask", s.mask);
  read(spec, "epsilon", s.epsilon);
  read_whole(spec, "epsilon_frames", s.epsilon_frames);
  read_whole(spec, "target_period", s.target_period);
}

// The objectives of the paper's figures, and what Q-learners do without.
void set_objective(const std::string& agent, Config& c) {
  if (agent == "vapor-lite" || agent == "vapor-lite-closed") {
    c.uncertainty.ensemble.sigma_scale = 0.005;
    return;
  }
  c.uncertainty.ensemble.sigma_scale = 0.01;
  c.objective = {Optimism::kOff, Entropy::kNone, 0.0};
  c.uncertainty.kind = UncertaintyKind::kNone;
  if (agent == "actor-critic-entropy") c.objective = {Optimism::kOff, Entropy::kFixed, 0.01};
  if (agent == "optimistic-actor-critic") c.objective.optimism = Optimism::kExpected;
  if (agent == "ersac") c.objective = {Optimism::kRiskSeeking, Entropy::kTuned, 1.0};
  if (c.objective.optimism != Optimism::kOff) c.uncertainty.kind = UncertaintyKind::kEnsemble;
  if (agent == "dqn") c.q = {.epsilon = 0.01, .epsilon_frames = 100000};
  if (agent == "soft-q") c.q = {.temperature = 0.01};
  if (agent == "boot-dqn") c.q = {.heads = 10, .prior_scale = 1.0, .mask = 0.5};
}

template <typename Value>
void require(bool good, const char* field, const char* rule, const Value& value) {
  if (!good) throw InputError(field, fmt::format("must be {}, got {}", rule, value));
}

void validate(const LearningSettings& s) {
  require(s.discount >= 0.0 && s.discount <= 1.0, "discount", "in [0, 1]", s.discount);
  require(s.lambda >= 0.0 && s.lambda <= 1.0, "lambda", "in [0, 1]", s.lambda);
  require(s.batch_frames >= 1 && s.batch_frames <= 1'000'000, "batch", "in 1..1000000",
          s.batch_frames);
  require(s.replay_fraction >= 0.0 && s.replay_fraction <= 0.9999, "replay_fraction",
          "in [0, 0.9999]", s.replay_fraction);
  validate(s.replay);
}

void validate(const NetworkSettings& s) {
  require(s.hidden >= 0 && s.hidden <= 16384, "hidden", "in 0..16384", s.hidden);
  require(s.layers >= 1 && s.layers <= 16, "layers", "in 1..16", s.layers);
  require(s.lstm >= 0 && s.lstm <= 16384, "lstm", "in 0..16384", s.lstm);
  require(s.row_std >= 0.0 && s.row_std <= 1e3, "row_std", "in [0, 1000]", s.row_std);
  require(s.critic_weight >= 0.0 && s.critic_weight <= 1e6, "critic_weight", "in [0, 1e6]",
          s.critic_weight);
  require(s.ensemble_weight >= 0.0 && s.ensemble_weight <= 1e6, "ensemble_weight", "in [0, 1e6]",
          s.ensemble_weight);
  require(s.gradient_norm > 0.0 && s.gradient_norm <= 1e12, "gradient_norm", "in (0, 1e12]",
          s.gradient_norm);
  require(s.torch_threads >= 1 && s.torch_threads <= 1024, "torch_threads", "in 1..1024",
          s.torch_threads);
  validate(s.actor, "actor ");
  validate(s.critic, "critic ");
  validate(s.reward, "ensemble ");
}

std::map<std::string, std::string> defaults_of(const std::string& agent, const Config& config) {
  Spec spec("", agent);
  read_config(spec, config);
  return spec.defaults();
}

}  // namespace

std::span<const AgentKind> agent_kinds() {
  static const std::vector<AgentKind> kinds = [] {
    std::vector<AgentKind> all;
    for (const auto& [name, summary] : kAgents) all.push_back({name, "", summary});
    return all;
  }();
  return kinds;
}

std::string settings_text(const std::string& agent) {
  const auto paper = defaults_of(agent, paper_config("", agent));
  const auto sea = defaults_of(agent, deep_sea_config("", agent, 10));
  std::string text;
  for (const auto& [key, value] : paper)
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", key,
                        sea.at(key) == value ? value : "that of the environment");
  return text;
}

void validate(const Config& c) {
  validate(c.learning);
  validate(c.network);
  validate(c.uncertainty.ensemble);
  make_objective(c.objective);
  validate(c.q);
}

void check_agent(const std::string& agent, const Config& c) {
  const bool closed = agent == "vapor-lite-closed";
  const bool needs_sigma = closed || c.objective.optimism != Optimism::kOff ||
                           c.objective.entropy == Entropy::kStateAction;
  if (needs_sigma && c.uncertainty.kind == UncertaintyKind::kNone)
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
  if (c.network.lstm > 0 && !has_actor)
    throw InputError("lstm", "must be 0: only agents with an actor and a critic have one");
}

Config paper_config(const Place& place, const std::string& agent) {
  std::vector<std::string> names;
  for (const auto& [name, summary] : kAgents) names.emplace_back(name);
  if (std::ranges::find(names, agent) == names.end()) throw unknown_name(place, agent, names);
  Config c;
  c.learning.replay_fraction = 0.9;
  c.learning.batch_frames = 200;  // nine sequences from the replay with every new one
  c.uncertainty.ensemble.noise = 0.1;
  c.network.actor.learning_rate = c.network.critic.learning_rate = c.network.reward.learning_rate =
      1e-4;
  set_objective(agent, c);
  return c;
}

Config deep_sea_config(const Place& place, const std::string& agent, Index depth) {
  Config c = paper_config(place, agent);
  c.learning.replay_fraction = 0.995;
  // Sequences of equal length, at most 50 frames.
  const Index parts = (depth + 49) / 50;
  c.learning.replay.unroll = (depth + parts - 1) / parts;
  c.uncertainty.ensemble.sigma_scale = 3.0;
  c.uncertainty.ensemble.noise = 0.003;
  c.learning.batch_frames = 200;
  c.network.hidden = 256;
  c.network.actor.learning_rate = 2e-3;
  c.network.actor.epsilon = 1e-5;
  c.network.critic.learning_rate = 5e-3;
  c.network.critic.epsilon = 1e-4;
  c.network.reward.learning_rate = 1e-2;
  c.network.reward.epsilon = 1e-3;
  return c;
}

Config read_config(Spec& spec, Config c) {
  read_learning(spec, c.learning);
  read_network(spec, c.network);
  read_optimisers(spec, c.network);
  read_uncertainty(spec, c.uncertainty);
  read_objective(spec, c.objective);
  read_q(spec, c.q);
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
