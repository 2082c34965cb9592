#include "vapor/deep/torch/image_agents.h"

#include "vapor/core/error.h"
#include "vapor/deep/actor_critic.h"
#include "vapor/deep/closed_form.h"
#include "vapor/deep/network_parts.h"
#include "vapor/deep/q_agent.h"
#include "vapor/deep/remembered_function.h"
#include "vapor/deep/reward_ensemble.h"
#include "vapor/deep/torch/torch_network.h"

namespace vapor::deep {
namespace {

// One torso has one optimiser.
void require_equal(const AdamSettings& a, const AdamSettings& b, const char* names) {
  if (a.learning_rate != b.learning_rate || a.epsilon != b.epsilon)
    throw InputError(names, "must be equal where one torso is shared: set rate and adam_epsilon");
}

struct Builder {
  const Config& config;
  Index actions;
  RandomStream random;
  const ObservationStore& store;
  std::shared_ptr<InputBuffer> input;

  TorchNetworkSettings settings(Index outputs, const AdamSettings& adam) const {
    return {.torso = config.torso,
            .hidden = config.hidden,
            .layers = config.layers,
            .outputs = outputs,
            .adam = adam,
            .gradient_norm = config.gradient_norm};
  }

  std::unique_ptr<Network> network(Index outputs, const AdamSettings& adam) const {
    TorchNetworkSettings s = settings(outputs, adam);
    s.lstm = config.lstm;
    return std::make_unique<TorchNetwork>(s, input, random.split("network"));
  }

  // Functions whose outputs at an observation are N(0, deviation^2) over random networks. A large
  // torso gets a small one beside it: nothing is learned there.
  std::unique_ptr<FrozenFunction> prior(Index outputs, double deviation) const {
    TorchNetworkSettings s = settings(outputs, {});
    if (s.torso == Torso::kLarge) s.torso = Torso::kSmall;
    s.output_std = deviation;
    s.unit_features = true;
    auto own_input = std::make_shared<InputBuffer>(store);  // the network's graph reads the other
    return std::make_unique<RememberedFunction>(
        TorchNetwork(s, std::move(own_input), random.split("prior")).frozen(), store);
  }

  bool has_ensemble() const { return config.uncertainty != UncertaintyKind::kNone; }

  // The heads side by side, those of the ensemble last if there is one.
  std::vector<std::unique_ptr<Network>> parts(std::vector<NetworkPart> heads,
                                              const AdamSettings& adam) const {
    if (has_ensemble()) {
      require_equal(adam, config.reward, "critic_rate, ensemble_rate");
      heads.push_back({actions * config.ensemble.heads, config.ensemble_weight});
    }
    Index outputs = 0;
    for (const NetworkPart& head : heads) outputs += head.outputs;
    return split_network(network(outputs, adam), heads);
  }

  std::unique_ptr<Uncertainty> uncertainty(std::vector<std::unique_ptr<Network>>& parts) const {
    if (!has_ensemble()) return nullptr;
    const Index outputs = actions * config.ensemble.heads;
    return std::make_unique<RewardEnsemble>(config.ensemble, actions, std::move(parts.back()),
                                            prior(outputs, config.ensemble.prior_std));
  }
};

std::unique_ptr<Agent> make_closed_form(const Builder& build) {
  const Config& c = build.config;
  auto parts = build.parts({{1 + build.actions, c.critic_weight}}, c.critic);
  auto uncertainty = build.uncertainty(parts);
  return std::make_unique<ClosedForm>(
      ClosedFormSettings{c.lambda, c.objective.entropy_weight, c.objective.entropy_in_evaluation},
      build.actions, std::move(parts[0]), std::move(uncertainty));
}

std::unique_ptr<Agent> make_q_agent(const Builder& build) {
  const Config& c = build.config;
  const Index outputs = c.q.heads * build.actions;
  return std::make_unique<QAgent>(c.q, build.actions, build.network(outputs, c.critic),
                                  c.q.prior_scale > 0.0 ? build.prior(outputs, 1.0) : nullptr);
}

std::unique_ptr<Agent> make_actor_critic(const Builder& build) {
  const Config& c = build.config;
  require_equal(c.actor, c.critic, "actor_rate, critic_rate");
  auto parts = build.parts({{build.actions, 1.0}, {1, c.critic_weight}}, c.critic);
  auto uncertainty = build.uncertainty(parts);
  return std::make_unique<ActorCritic>(ActorCriticSettings{c.objective, c.lambda, c.temperature},
                                       build.actions, std::move(parts[0]), std::move(parts[1]),
                                       std::move(uncertainty));
}

}  // namespace

std::unique_ptr<Agent> make_image_agent(const std::string& name, const Config& config,
                                        const ObservationStore& store, Index actions,
                                        const RandomStream& random) {
  if (config.uncertainty == UncertaintyKind::kCounts)
    throw InputError("uncertainty",
                     "counts need observations that are known by index: choose ensemble");
  check_agent(name, config);
  set_up_torch(config.torch_threads);
  const Builder build{config, actions, random, store, std::make_shared<InputBuffer>(store)};
  if (name == "vapor-lite-closed") return make_closed_form(build);
  if (name == "dqn" || name == "boot-dqn" || name == "soft-q") return make_q_agent(build);
  return make_actor_critic(build);
}

}  // namespace vapor::deep
