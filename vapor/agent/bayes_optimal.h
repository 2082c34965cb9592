// The Bayes-optimal learner (first row of table 1), exact where a belief is small enough to plan
// over: finitely many models whose rewards are seen without noise, so that an observation rules
// models out or says nothing, and the belief is the set B of models that are left.
//
// With n episodes to go, W_0 = 0 and W_n(B) = sum_s rho(s) U_n(s, B),
//
//   U_n(s, B) = max_a E[ r + U_n(s', B') | B ],   W_{n-1}(B') in place of U_n after the last layer,
//
// over what taking a may show: reward, next state, and B' of the models that agree. The plan learns
// within the episode too, while a policy of this library is fixed by state before it starts: the
// two are the same unless the plan wants different actions in one state depending on what the
// episode has shown so far. That is refused when it happens; in the toy chain it cannot.
//
// Throws InputError if rewards have noise, if models of the same rewards and next states give them
// different probabilities (beliefs would not stay finite), or if there are more than 64 models or
// 4096 beliefs.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "vapor/agent/agent.h"
#include "vapor/belief/finite_belief.h"

namespace vapor {

class BayesOptimalAgent final : public Agent {
 public:
  // Optimal for a life of `episodes` episodes; after that, for each next one alone.
  // `belief` is over finitely many models.
  BayesOptimalAgent(std::unique_ptr<Belief> belief, std::int64_t episodes);

  std::span<const double> policy(RandomStream random) override;
  void observe(const Episode& episode) override;
  void archive(Archive& archive) override;

  // The expected return of all episodes to go.
  double value() const { return W_[episodes_to_go()][current_belief()]; }

 private:
  using ModelSet = std::uint64_t;  // bit m: model m is possible
  struct Outcome {
    double probability = 0.0;
    double reward = 0.0;
    Index next_state = -1;
    ModelSet models = 0;
    Index belief = 0;  // where `models` stands in beliefs_
  };

  std::vector<Outcome> outcomes_of(ModelSet models, Index layer, Index pair) const;
  void add_beliefs();
  Index number_of(ModelSet models);
  void plan_episode(std::int64_t to_go);
  double action_value(Index belief, Index pair, const std::vector<double>& W_next) const;
  std::int64_t episodes_to_go() const;
  Index current_belief() const;

  std::unique_ptr<Belief> owned_;
  FiniteBelief* belief_;  // the same
  std::int64_t episodes_;
  std::int64_t observed_ = 0;
  std::vector<double> weights_;                 // by model, of the prior
  std::vector<ModelSet> beliefs_;               // all that can arise
  std::vector<std::vector<Outcome>> outcomes_;  // by belief x pair
  std::vector<std::vector<double>> W_;          // by episodes to go, by belief
  std::vector<double> U_;                       // by belief x state, of the episode planned last
  std::vector<Index> best_;                     // by belief x state: the maximising pair
  std::vector<double> policy_;
};

}  // namespace vapor
