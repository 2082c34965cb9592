#include "vapor/deep/agents.h"

#include <fmt/format.h>

#include <cmath>

#include "vapor/core/error.h"
#include "vapor/deep/actor_critic.h"
#include "vapor/deep/closed_form.h"
#include "vapor/deep/q_agent.h"
#include "vapor/deep/uncertainty/random_distillation.h"
#include "vapor/nn/network_parts.h"
#include "vapor/nn/remembered_function.h"
#include "vapor/nn/table_network.h"
#include "vapor/nn/torch_part.h"

namespace vapor::deep {
namespace {

// What an agent learns with: a network of its own, or its outputs on a shared torso.
struct Head {
  const char* name;
  Index outputs;
  AdamSettings adam;
  double weight;  // of its loss, where a torso is shared
};

// How an agent comes by its networks.
class NetworkSource {
 public:
  virtual ~NetworkSource() = default;

  virtual std::vector<std::unique_ptr<Network>> networks(const std::vector<Head>& heads) const = 0;

  // Functions whose outputs at an observation are N(0, deviation^2) over random networks.
  virtual std::unique_ptr<FrozenFunction> prior(Index outputs, double deviation) const = 0;
};

class TableNetworks : public NetworkSource {
 public:
  TableNetworks(const NetworkSettings& settings, Index observations, const RandomStream& random)
      : settings_(settings), observations_(observations), random_(random) {}

  std::vector<std::unique_ptr<Network>> networks(const std::vector<Head>& heads) const override {
    std::vector<std::unique_ptr<Network>> made;
    for (const Head& head : heads)
      made.push_back(
          std::make_unique<TableNetwork>(shape(head.outputs, head.adam), random_.split(head.name)));
    return made;
  }

  // Of rectified N(0, 1) rows half the square is left, hence the factor 2.
  std::unique_ptr<FrozenFunction> prior(Index outputs, double deviation) const override {
    TableNetworkSettings settings = shape(outputs, {});
    settings.row_std = settings_.hidden > 0 ? 1.0 : deviation;
    settings.output_std = deviation * std::sqrt(2.0);
    return TableNetwork(settings, random_.split("prior")).frozen();
  }

 private:
  TableNetworkSettings shape(Index outputs, const AdamSettings& adam) const {
    TableNetworkSettings settings;
    settings.observations = observations_;
    settings.outputs = outputs;
    if (settings_.hidden > 0) settings.hidden.assign(settings_.layers, settings_.hidden);
    settings.row_std = settings_.row_std;
    settings.adam = adam;
    return settings;
  }

  const NetworkSettings& settings_;
  Index observations_;
  RandomStream random_;
};

class TorchNetworks : public NetworkSource {
 public:
  TorchNetworks(const NetworkSettings& settings, const ObservationStore& store,
                const RandomStream& random)
      : settings_(settings), store_(store), random_(random) {}

  // One torso has one optimiser.
  std::vector<std::unique_ptr<Network>> networks(const std::vector<Head>& heads) const override {
    std::vector<NetworkPart> parts;
    Index outputs = 0;
    for (const Head& head : heads) {
      if (!parts.empty()) require_same_adam(*(&head - 1), head);
      parts.push_back({head.outputs, head.weight});
      outputs += head.outputs;
    }
    TorchNetworkSettings settings = shape(outputs, heads.front().adam);
    settings.lstm = settings_.lstm;
    return split_network(make_torch_network(settings, store_, random_.split("network")), parts);
  }

  // A large torso gets a small one beside it: nothing is learned there.
  std::unique_ptr<FrozenFunction> prior(Index outputs, double deviation) const override {
    TorchNetworkSettings settings = shape(outputs, {});
    if (settings.torso == Torso::kLarge) settings.torso = Torso::kSmall;
    settings.output_std = deviation;
    settings.unit_features = true;
    return std::make_unique<RememberedFunction>(
        make_torch_network(settings, store_, random_.split("prior"))->frozen(), store_);
  }

 private:
  TorchNetworkSettings shape(Index outputs, const AdamSettings& adam) const {
    return {.torso = settings_.torso,
            .hidden = settings_.hidden,
            .layers = settings_.layers,
            .outputs = outputs,
            .adam = adam,
            .gradient_norm = settings_.gradient_norm,
            .threads = settings_.torch_threads};
  }

  static void require_same_adam(const Head& a, const Head& b) {
    if (a.adam.learning_rate != b.adam.learning_rate || a.adam.epsilon != b.adam.epsilon)
      throw InputError(fmt::format("{}_rate, {}_rate", a.name, b.name),
                       "must be equal where one torso is shared: set rate and adam_epsilon");
  }

  const NetworkSettings& settings_;
  const ObservationStore& store_;
  RandomStream random_;
};

// `observations` is their number; 0: they are arrays, which nothing can be counted by.
std::unique_ptr<Uncertainty> make_uncertainty(const Config& config, Index observations,
                                              Index actions, std::unique_ptr<Network> learned,
                                              const NetworkSource& source) {
  const RewardEnsembleSettings& e = config.uncertainty.ensemble;
  if (config.uncertainty.kind == UncertaintyKind::kCounts)
    return std::make_unique<CountUncertainty>(CountSettings{e.sigma_scale, e.prior_std, e.noise},
                                              observations, actions);
  auto prior = source.prior(actions * e.heads, e.prior_std);
  if (config.uncertainty.kind == UncertaintyKind::kDistillation)
    return std::make_unique<RandomDistillation>(RandomDistillationSettings{e.heads, e.sigma_scale},
                                                actions, std::move(learned), std::move(prior));
  return std::make_unique<RewardEnsemble>(e, actions, std::move(learned), std::move(prior));
}

std::unique_ptr<Agent> make_agent(const std::string& name, const Config& c, Index observations,
                                  Index actions, const NetworkSource& source) {
  check_agent(name, c);
  if (name == "dqn" || name == "boot-dqn" || name == "soft-q") {
    const Index outputs = c.q.heads * actions;
    auto networks = source.networks({{"critic", outputs, c.network.critic, 1.0}});
    return std::make_unique<QAgent>(c.q, actions, std::move(networks[0]),
                                    c.q.prior_scale > 0.0 ? source.prior(outputs, 1.0) : nullptr);
  }
  const bool closed = name == "vapor-lite-closed";
  std::vector<Head> heads;
  if (!closed) heads.push_back({"actor", actions, c.network.actor, 1.0});
  heads.push_back({"critic", closed ? 1 + actions : 1, c.network.critic, c.network.critic_weight});
  const bool learns_sigma = c.uncertainty.kind == UncertaintyKind::kEnsemble ||
                            c.uncertainty.kind == UncertaintyKind::kDistillation;
  if (learns_sigma)
    heads.push_back({"ensemble", actions * c.uncertainty.ensemble.heads, c.network.reward,
                     c.network.ensemble_weight});
  auto networks = source.networks(heads);
  std::unique_ptr<Uncertainty> uncertainty;
  if (c.uncertainty.kind != UncertaintyKind::kNone)
    uncertainty = make_uncertainty(c, observations, actions,
                                   learns_sigma ? std::move(networks.back()) : nullptr, source);
  if (closed)
    return std::make_unique<ClosedForm>(
        ClosedFormSettings{c.learning.lambda, c.objective.entropy_weight,
                           c.objective.entropy_in_evaluation},
        actions, std::move(networks[0]), std::move(uncertainty));
  return std::make_unique<ActorCritic>(
      ActorCriticSettings{make_objective(c.objective), c.learning.lambda}, actions,
      std::move(networks[0]), std::move(networks[1]), std::move(uncertainty));
}

}  // namespace

std::unique_ptr<Agent> make_table_agent(const std::string& name, const Config& config,
                                        Index observations, Index actions,
                                        const RandomStream& random) {
  return make_agent(name, config, observations, actions,
                    TableNetworks(config.network, observations, random));
}

std::unique_ptr<Agent> make_array_agent(const std::string& name, const Config& config,
                                        const ObservationStore& store, Index actions,
                                        const RandomStream& random) {
  if (config.uncertainty.kind == UncertaintyKind::kCounts)
    throw InputError("uncertainty",
                     "counts need observations that are known by index: choose ensemble");
  return make_agent(name, config, 0, actions, TorchNetworks(config.network, store, random));
}

}  // namespace vapor::deep
