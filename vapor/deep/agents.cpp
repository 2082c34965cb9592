#include "vapor/deep/agents.h"

#include <cmath>

#include "vapor/deep/actor_critic.h"
#include "vapor/deep/closed_form.h"
#include "vapor/deep/q_agent.h"
#include "vapor/deep/random_distillation.h"
#include "vapor/deep/table_network.h"

namespace vapor::deep {
namespace {

struct Builder {
  const Config& config;
  Index observations;
  Index actions;
  RandomStream random;

  TableNetworkSettings shape(Index outputs, const AdamSettings& adam) const {
    TableNetworkSettings settings;
    settings.observations = observations;
    settings.outputs = outputs;
    if (config.hidden > 0) settings.hidden.assign(config.layers, config.hidden);
    settings.row_std = config.row_std;
    settings.adam = adam;
    return settings;
  }

  std::unique_ptr<Network> network(const char* label, Index outputs,
                                   const AdamSettings& adam) const {
    return std::make_unique<TableNetwork>(shape(outputs, adam), random.split(label));
  }

  // Functions whose outputs at an observation are N(0, deviation^2) over random networks: of
  // rectified N(0, 1) rows half the square is left, hence the factor 2.
  std::unique_ptr<FrozenFunction> prior(Index outputs, double deviation) const {
    TableNetworkSettings settings = shape(outputs, {});
    settings.row_std = config.hidden > 0 ? 1.0 : deviation;
    settings.output_std = deviation * std::sqrt(2.0);
    return TableNetwork(settings, random.split("prior")).frozen();
  }

  std::unique_ptr<Uncertainty> uncertainty() const {
    if (config.uncertainty == UncertaintyKind::kNone) return nullptr;
    const RewardEnsembleSettings& e = config.ensemble;
    if (config.uncertainty == UncertaintyKind::kCounts)
      return std::make_unique<CountUncertainty>(CountSettings{e.sigma_scale, e.prior_std, e.noise},
                                                observations, actions);
    const Index outputs = actions * e.heads;
    if (config.uncertainty == UncertaintyKind::kDistillation)
      return std::make_unique<RandomDistillation>(
          RandomDistillationSettings{e.heads, e.sigma_scale}, actions,
          network("ensemble", outputs, config.reward), prior(outputs, e.prior_std));
    return std::make_unique<RewardEnsemble>(e, actions, network("ensemble", outputs, config.reward),
                                            prior(outputs, e.prior_std));
  }
};

}  // namespace

std::unique_ptr<Agent> make_table_agent(const std::string& name, const Config& config,
                                        Index observations, Index actions,
                                        const RandomStream& random) {
  const Builder build{config, observations, actions, random};
  if (name == "vapor-lite-closed")
    return std::make_unique<ClosedForm>(
        ClosedFormSettings{config.lambda, config.objective.entropy_weight,
                           config.objective.entropy_in_evaluation},
        actions, build.network("critic", 1 + actions, config.critic), build.uncertainty());
  if (name == "dqn" || name == "boot-dqn" || name == "soft-q") {
    const Index outputs = config.q.heads * actions;
    return std::make_unique<QAgent>(
        config.q, actions, build.network("critic", outputs, config.critic),
        config.q.prior_scale > 0.0 ? build.prior(outputs, 1.0) : nullptr);
  }
  return std::make_unique<ActorCritic>(
      ActorCriticSettings{config.objective, config.lambda, config.temperature}, actions,
      build.network("actor", actions, config.actor), build.network("critic", 1, config.critic),
      build.uncertainty());
}

}  // namespace vapor::deep
