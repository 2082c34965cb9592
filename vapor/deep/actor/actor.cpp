#include "vapor/deep/actor/actor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "vapor/core/error.h"

namespace vapor::deep {

Actor::Actor(const Environment& environment, const Place& place)
    : environment_(environment), actions_(environment.shape().pairs_of(0).size()) {
  for (Index s = 0; s < observations(); ++s)
    if (environment.shape().pairs_of(s).size() != actions_)
      throw InputError(place, "its states differ in their number of actions; a network has one");
  frames_.reserve(horizon());
  pi_.resize(actions_);
}

EpisodeReport Actor::play(Agent& agent, RandomStream& random) {
  EpisodeReport report;
  frames_.clear();
  agent.begin_episode(0, random);
  Index state = first_state(environment_, random);
  while (state >= 0) {
    double sigma = 0.0;
    agent.play({&state, 1}, pi_, {&sigma, 1});
    report.sigma += sigma;
    for (const double p : pi_)
      if (p > 0.0) report.entropy -= p * std::log(p);
    const Index action = random.categorical(pi_);
    const Index pair = environment_.shape().pairs_of(state).first() + action;
    const Step step = take(environment_, pair, random);
    frames_.push_back({.observation = state,
                       .action = action,
                       .next_observation = std::max(step.next_state, 0),
                       .reward = static_cast<float>(step.reward),
                       .behaviour = static_cast<float>(pi_[action]),
                       .last = step.next_state < 0});
    report.episode_return += step.reward;
    report.success =
        report.success || std::find(environment_.goals.begin(), environment_.goals.end(), pair) !=
                              environment_.goals.end();
    state = step.next_state;
  }
  const auto frames = static_cast<double>(frames_.size());
  report.sigma /= frames;
  report.entropy /= frames;
  return report;
}

}  // namespace vapor::deep
