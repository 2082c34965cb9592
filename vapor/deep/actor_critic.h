// The Replay Actor-Critic of appendix I with an objective of its own: V-trace targets for the
// critic, and for the actor the policy gradient of the advantages plus the objective's gradient
// over all actions. Actor, critic and uncertainty are networks of
// their own or parts of one (network_parts.h).
#pragma once

#include <memory>
#include <vector>

#include "vapor/deep/agent.h"
#include "vapor/deep/objective/objective.h"
#include "vapor/deep/objective/temperature.h"
#include "vapor/deep/objective/visitation.h"
#include "vapor/deep/uncertainty/uncertainty.h"
#include "vapor/nn/network.h"

namespace vapor::deep {

struct ActorCriticSettings {
  Objective objective;
  double lambda = 0.9;  // of V-trace, in [0, 1]
};

class ActorCritic : public Agent {
 public:
  // `actor` has an output an action, `critic` has one; `uncertainty` may be null if the objective
  // does without. Recurrent ones must be parts of one network.
  ActorCritic(const ActorCriticSettings& settings, Index actions, std::unique_ptr<Network> actor,
              std::unique_ptr<Network> critic, std::unique_ptr<Uncertainty> uncertainty);

  void begin_episode(Index place, RandomStream& random) override;
  void play(std::span<const Index> observations, std::span<double> pi,
            std::span<double> sigma) override;
  void observe(std::span<const Frame> frames) override;
  void learn(const Batch& batch, RandomStream& random, std::span<double> priorities) override;
  Losses losses() const override { return losses_; }
  Index extras() const override;
  void draw_extras(std::span<float> extras, RandomStream& random) const override;
  void archive(Archive& archive) override;
  void archive_playing(Archive& archive) override;

  double tau() const { return temperature_.tau(); }

 private:
  void evaluate_rows(std::span<const Index> observations, Pass pass);
  void follow_sequences(const Batch& batch);
  void improve(const Batch& batch);
  StateView state(Index row) const;

  ActorCriticSettings settings_;
  Index actions_;
  std::unique_ptr<Network> actor_;
  std::unique_ptr<Network> critic_;
  std::unique_ptr<Uncertainty> uncertainty_;
  Temperature temperature_;
  Losses losses_;
  Visitation visitation_;

  Rows values_;                              // of the critic
  std::vector<double> pi_, log_pi_, sigma_;  // by row and action
  std::vector<double> bonus_, log_mu_;       // by row
  std::vector<double> logits_gradient_;      // by row and action
  std::vector<double> visits_;               // by row, in a batch
  std::vector<double> ratio_, reward_, value_, next_value_, target_, advantage_;  // by frame
};

}  // namespace vapor::deep
