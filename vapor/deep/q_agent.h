// Q-learning in the same harness: DQN (Mnih et al., 2015, with the double estimate of van Hasselt
// et al., 2016), Bootstrapped DQN with randomised priors (Osband, Aslanides and Cassirer, 2018) and
// Soft Q-learning. They differ in the number of heads, in how a next state is valued and in what is
// played:
//
//   dqn       1 head, max, epsilon-greedy
//   boot-dqn  K heads with priors and masks, max, greedy for one head an episode
//   soft-q    1 head, tau log sum exp(Q / tau), the Boltzmann policy
#pragma once

#include <memory>
#include <vector>

#include "vapor/deep/agent.h"
#include "vapor/nn/network.h"

namespace vapor::deep {

struct QSettings {
  Index heads = 1;
  double temperature = 0.0;         // tau of the soft value; 0: the maximum
  double prior_scale = 0.0;         // factor of the prior functions; 0: none
  double mask = 1.0;                // probability that a head learns from a frame, in (0, 1]
  double epsilon = 0.0;             // probability of a uniform action in the end
  std::int64_t epsilon_frames = 0;  // frames over which it falls from 1
  Index target_period = 100;        // learner steps between copies to the target network, >= 1
};

// Throws InputError that names the field.
void validate(const QSettings& settings);

class QAgent : public Agent {
 public:
  // `network` and `prior`, which may be null, have heads x actions outputs.
  QAgent(const QSettings& settings, Index actions, std::unique_ptr<Network> network,
         std::unique_ptr<FrozenFunction> prior);

  void begin_episode(Index place, RandomStream& random) override;
  void play(std::span<const Index> observations, std::span<double> pi,
            std::span<double> sigma) override;
  void observe(std::span<const Frame> frames) override;
  void learn(const Batch& batch, RandomStream& random, std::span<double> priorities) override;
  Losses losses() const override { return losses_; }
  Index extras() const override { return settings_.mask < 1.0 ? settings_.heads : 0; }
  void draw_extras(std::span<float> extras, RandomStream& random) const override;
  void archive(Archive& archive) override;
  void archive_playing(Archive& archive) override;

  double epsilon() const;

 private:
  // Rows of values, the prior added where there is one; by row, head and action.
  void values(OutputFunction& network, std::span<const Index> observations, Pass pass,
              std::vector<double>& q);
  double next_value(std::size_t at);

  QSettings settings_;
  Index actions_;
  std::unique_ptr<Network> network_;
  std::unique_ptr<FrozenFunction> prior_;
  std::unique_ptr<FrozenFunction> target_;
  std::int64_t frames_ = 0;
  std::int64_t steps_ = 0;
  Losses losses_;
  std::vector<Index> head_;  // by place: the one that its episode is played by
  std::vector<double> q_, target_q_;
  std::vector<double> work_;   // by action
  std::vector<double> error_;  // by frame
};

}  // namespace vapor::deep
