// A belief of your own: arms that are alike if they stand side by side, which no table can say.
#include <cmath>
#include <cstdio>
#include <vector>

#include "vapor/agent/registry.h"
#include "vapor/belief/own_belief.h"
#include "vapor/mdp/problem_builder.h"

namespace {

constexpr int kArms = 20;
constexpr double kNoise = 0.1;  // variance of a reward about its mean

// Mean rewards are jointly Gaussian: a reward of one arm tells something about the next.
struct Neighbours {
  std::vector<double> mean = std::vector<double>(kArms, 0.0);
  std::vector<double> covariance;  // kArms x kArms

  Neighbours() {
    for (int i = 0; i < kArms; ++i)
      for (int j = 0; j < kArms; ++j)
        covariance.push_back(std::exp(-0.5 * (i - j) * (i - j) / 9.0));
  }

  vapor::Problem problem() const {
    std::vector<vapor::ActionSpec> arms;
    for (int i = 0; i < kArms; ++i)
      arms.push_back({.reward_mean = mean[i], .sigma = std::sqrt(covariance[i * kArms + i])});
    return vapor::ProblemBuilder({1.0}).layer().state(arms).build();
  }

  void update(const vapor::Episode& episode) {
    for (const vapor::Step& step : episode) {
      const double spread = covariance[step.pair * kArms + step.pair] + kNoise;
      const double surprise = step.reward - mean[step.pair];
      std::vector<double> gain;
      for (int i = 0; i < kArms; ++i) gain.push_back(covariance[step.pair * kArms + i] / spread);
      for (int i = 0; i < kArms; ++i) {
        mean[i] += gain[i] * surprise;
        for (int j = 0; j < kArms; ++j) covariance[i * kArms + j] -= gain[i] * gain[j] * spread;
      }
    }
  }
};

double truth(int arm) { return std::sin(arm / 3.0); }

}  // namespace

int main() {
  const auto agent =
      vapor::make_agent(vapor::Spec("agent", "vapor"), vapor::own_belief(Neighbours{}));
  vapor::RandomStream random(1);
  double regret = 0.0;
  for (int episode = 1; episode <= 100; ++episode) {
    const std::span<const double> policy = agent->policy(random.split(episode));
    int arm = 0;
    for (double left = random.uniform() - policy[0]; left > 0.0 && arm + 1 < kArms;)
      left -= policy[++arm];
    for (int a = 0; a < kArms; ++a) regret += policy[a] * (truth(5) - truth(a));
    agent->observe({{arm, truth(arm) + std::sqrt(kNoise) * random.normal(), -1}});
  }
  std::printf("regret of 100 episodes: %.1f\n", regret);

  // Trying each of 20 arms five times would cost 100.
  return regret < 50.0 ? 0 : 1;
}
