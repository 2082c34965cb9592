// The learners that plan on counts of their own: each episode a rule maps what was seen to values,
// and the greedy policy, ties shared, is played. Counts are those of all layers where places are
// stationary, and where an episode is over values are known to be 0.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "vapor/agent/agent.h"
#include "vapor/agent/experience.h"
#include "vapor/mdp/places.h"

namespace vapor {

// What was seen, as a rule reads it.
struct CountModel {
  const Shape& shape;
  const Places& places;
  const Pools& pools;
  const Experience& seen;

  bool in_last_layer(Index pair) const { return pools.layer_of(pair) + 1 == shape.layers(); }

  // Visits that showed all that a pair has to show: reward and, before the last layer, what
  // follows.
  double count(Index pair) const {
    const Index pool = pools.of(pair);
    return in_last_layer(pair) ? seen.visits[pool] : seen.transitions(pool);
  }

  double mean_reward(Index pair) const;  // 0 before the first visit
};

// The layer after a pair's: what a backward pass hands down.
struct Ahead {
  double steps = 1.0;         // to go, this one included
  Index states = 0;           // of the next layer; 0 in the last
  std::span<const double> V;  // by state of the shape
  double V_sum = 0.0;         // over the next layer
};

// Q(s,a) = value(pair, ahead), V(s) = max_a Q(s,a), from the last layer to the first; 0 where the
// episode is over.
using PairValue = std::function<double(Index pair, const Ahead& ahead)>;
void backward_pass(const CountModel& model, const PairValue& value, std::span<double> Q);

// The Dirichlet posterior of what follows a pair, `alpha` being the prior's parameter of every
// state of the next layer. In the last layer nothing follows: mean and variance are 0.
struct DirichletAhead {
  double mass = 0.0;        // of the posterior: alpha x states + visits
  double mean = 0.0;        // of V(s') under E P
  double square_sum = 0.0;  // sum over s' of E P(s')^2
  double variance = 0.0;    // sum over s' of Var P(s')
};
DirichletAhead dirichlet_ahead(const CountModel& model, Index pair, const Ahead& ahead,
                               double alpha);

// Rewards of unknown mean and noise: normal-gamma with mean 0, kappa = beta = `beta` and alpha = 1,
// the prior of Ma and Lee (2026). `variance` is beta_n / (kappa_n alpha_n), 1 before the first
// reward.
struct CountedReward {
  double mean = 0.0;
  double variance = 1.0;
};
CountedReward counted_reward(double visits, double sum, double square_sum, double beta);
CountedReward counted_reward(const CountModel& model, Index pair, double beta);

class CountAgent final : public Agent {
 public:
  // Writes Q, by pair. `memory` is what a rule keeps from episode to episode: empty at
  // first, and part of the checkpoint.
  using Rule = std::function<void(const CountModel& model, RandomStream& random,
                                  std::vector<double>& memory, std::span<double> Q)>;

  CountAgent(const Shape& shape, Places places, Rule rule);

  std::span<const double> policy(RandomStream random) override;
  void observe(const Episode& episode) override { experience_.add(episode, pools_); }
  void archive(Archive& archive) override;

  std::span<const double> Q() const { return Q_; }  // by pair, behind the last policy

 private:
  Shape shape_;
  Places places_;
  Pools pools_;
  Rule rule_;
  Experience experience_;
  std::vector<double> memory_;
  std::vector<double> Q_;
  std::vector<double> policy_;
};

// A rule of one backward pass that needs nothing but the model.
using ValueRule = std::function<double(const CountModel& model, Index pair, const Ahead& ahead)>;
CountAgent::Rule backward_rule(ValueRule value);

}  // namespace vapor
