// Small worlds for the tests of this folder, and the simplest belief about them: known dynamics,
// independent Gaussian rewards observed with Gaussian noise.
#pragma once

#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "vapor/belief/belief.h"
#include "vapor/mdp/backward_induction.h"
#include "vapor/mdp/policy.h"
#include "vapor/mdp/problem_builder.h"

namespace vapor::test_support {

class GaussianBelief final : public Belief {
 public:
  // The prior of the rewards: means `problem.reward_mean`, deviations `problem.sigma`.
  explicit GaussianBelief(Problem problem, double noise = 0.1)
      : problem_(std::move(problem)), noise_(noise) {}

  void update(const Episode& episode) override {
    for (const Step& step : episode) {
      double& mean = problem_.reward_mean[step.pair];
      double& sigma = problem_.sigma[step.pair];
      const double gain = sigma * sigma / (sigma * sigma + noise_ * noise_);
      mean += gain * (step.reward - mean);
      sigma *= std::sqrt(1.0 - gain);
    }
  }

  const Problem& problem() override { return problem_; }

  double sample_optimal_policy(RandomStream& random, std::span<double> policy) override {
    std::vector<double> reward(problem_.reward_mean);
    for (std::size_t p = 0; p < reward.size(); ++p)
      reward[p] += problem_.sigma[p] * random.normal();
    const OptimalValues optimal = backward_induction(problem_, reward);
    std::ranges::copy(optimal.policy, policy.begin());
    double value = 0.0;
    for (std::size_t s = 0; s < problem_.initial.size(); ++s)
      value += problem_.initial[s] * optimal.V[s];
    return value;
  }

  Optimality optimality(RandomStream& random, int samples) override {
    const Shape& shape = problem_.shape;
    Optimality result;
    result.marginal.assign(shape.pairs(), 0.0);
    result.occupancy.assign(shape.pairs(), 0.0);
    std::vector<double> policy(shape.pairs()), occupancy(shape.pairs()), mass(shape.states());
    for (int i = 0; i < samples; ++i) {
      result.value += sample_optimal_policy(random, policy) / samples;
      forward_flow(problem_, policy, occupancy, mass);
      for (Index p = 0; p < shape.pairs(); ++p) {
        result.marginal[p] += policy[p] / samples;
        result.occupancy[p] += occupancy[p] / samples;
      }
    }
    return result;
  }

  void archive(Archive& archive) override {
    archive(problem_.reward_mean);
    archive(problem_.sigma);
  }

 private:
  Problem problem_;
  double noise_;
};

// One episode of a model with rewards of this Gaussian noise.
inline Episode play_model(const Problem& model, std::span<const double> policy, double noise,
                          RandomStream& random) {
  const Shape& shape = model.shape;
  Episode episode;
  Index state = random.categorical(model.initial);
  for (Index l = 0; l < shape.layers(); ++l) {
    const Range pairs = shape.pairs_of(state);
    const Index pair =
        pairs.first() + random.categorical(policy.subspan(pairs.first(), pairs.size()));
    Step step{pair, model.reward_mean[pair] + noise * random.normal(), -1};
    if (l + 1 < shape.layers()) {
      const Transitions& P = model.transitions;
      std::vector<double> row(shape.states(), 0.0);
      for (Offset k = P.begin[pair]; k < P.begin[pair + 1]; ++k)
        row[P.next_state[k]] += P.probability[k];
      for (Index s : shape.states_of(l + 1)) row[s] += P.base_weight[pair] * P.base[s];
      step.next_state = state = random.categorical(row);
    }
    episode.push_back(step);
  }
  return episode;
}

// One state, an arm for each mean.
inline Problem bandit(const std::vector<double>& mean, const std::vector<double>& sigma) {
  std::vector<ActionSpec> arms;
  for (std::size_t a = 0; a < mean.size(); ++a)
    arms.push_back({.reward_mean = mean[a], .sigma = sigma[a]});
  return ProblemBuilder({1.0}).layer().state(arms).build();
}

// DeepSea without a shuffle of the actions: action 1 goes right, costs 0.01 / depth, and pays 1
// from the last cell.
inline Problem small_deep_sea(Index depth, double sigma) {
  ProblemBuilder builder({1.0});
  for (Index l = 0; l < depth; ++l) {
    builder.layer();
    const bool last = l + 1 == depth;
    for (Index column = 0; column <= l; ++column) {
      ActionSpec left{.sigma = sigma}, right{.reward_mean = -0.01 / depth, .sigma = sigma};
      if (!last) {
        left.next = {{column > 0 ? column - 1 : 0, 1.0}};
        right.next = {{column + 1, 1.0}};
      } else if (column == l) {
        right.reward_mean += 1.0;
      }
      builder.state({left, right});
    }
  }
  return builder.build();
}

// What an agent without knowledge of the rewards starts from: means 0, these deviations.
inline std::unique_ptr<Belief> ignorant_belief(Problem model, double sigma = 1.0,
                                               double noise = 0.1) {
  std::ranges::fill(model.reward_mean, 0.0);
  std::ranges::fill(model.sigma, sigma);
  return std::make_unique<GaussianBelief>(std::move(model), noise);
}

}  // namespace vapor::test_support
