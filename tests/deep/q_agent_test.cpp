// One step of Q-learning by hand. The networks are tables without hidden layers, so the value of a
// pair is a number that can be set, and a frame's gradient falls on that number alone.
#include "vapor/deep/q_agent.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "vapor/nn/table_network.h"

namespace vapor::deep {
namespace {

constexpr Index kQObservations = 3;
constexpr Index kQActions = 2;
constexpr float kGamma = 0.5F;

struct Hand {
  TableNetwork* network;  // the agent owns it
  QAgent agent;

  double value(Index observation, Index output) const {
    return network->table_row(observation)[output];
  }
};

TableNetworkSettings table(Index outputs, double deviation) {
  TableNetworkSettings settings;
  settings.observations = kQObservations;
  settings.outputs = outputs;
  settings.row_std = deviation;
  settings.adam.learning_rate = 0.01;
  return settings;
}

// `q` by observation, head and action.
Hand by_hand(const QSettings& settings, const std::vector<std::vector<float>>& q,
             std::unique_ptr<FrozenFunction> prior = nullptr) {
  auto network =
      std::make_unique<TableNetwork>(table(settings.heads * kQActions, 0.0), RandomStream(1));
  for (Index i = 0; i < kQObservations; ++i)
    std::copy(q[i].begin(), q[i].end(), network->table_row(i).begin());
  TableNetwork* seen = network.get();
  return {seen, QAgent(settings, kQActions, std::move(network), std::move(prior))};
}

Batch batch_of(const std::vector<Frame>& frames, const float* masks = nullptr) {
  Batch batch(kQObservations, 8);
  for (const Frame& frame : frames) batch.add(frame, kGamma, masks);
  batch.end_sequence(0);
  return batch;
}

// |q - target| of a batch of one frame is its sequence's priority.
double error_of(QAgent& agent, const Frame& frame, const float* masks = nullptr) {
  std::vector<double> priorities(1);
  RandomStream random(1);
  agent.learn(batch_of({frame}, masks), random, priorities);
  return priorities[0];
}

const Frame kStep = {.observation = 0, .action = 1, .next_observation = 2, .reward = 1.0F};

// The online network chooses the next action, the target network values it: here the first says
// action 0 after its step, and the second still has 4 for it, not its own maximum 8.
TEST(QAgent, TheDoubleEstimateChoosesOnlineAndValuesByTheTarget) {
  Hand hand = by_hand({.target_period = 1000}, {{0, 2}, {0, 0}, {4, 8}});
  hand.network->table_row(2)[0] = 9.0F;
  EXPECT_NEAR(error_of(hand.agent, kStep), std::abs(2.0 - (1.0 + 0.5 * 4.0)), 1e-6);
}

TEST(QAgent, NothingIsWorthAnythingAfterTheLastFrame) {
  Hand hand = by_hand({}, {{0, 2}, {0, 0}, {4, 8}});
  Frame last = kStep;
  last.last = true;
  EXPECT_NEAR(error_of(hand.agent, last), std::abs(2.0 - 1.0), 1e-6);
}

TEST(QAgent, SoftQValuesTheNextStateByItsLogSumExp) {
  const double tau = 0.5;
  Hand hand = by_hand({.temperature = tau}, {{0, 2}, {0, 0}, {0.2F, 0.4F}});
  const double next = tau * std::log(std::exp(0.2 / tau) + std::exp(0.4 / tau));
  EXPECT_NEAR(error_of(hand.agent, kStep), std::abs(2.0 - (1.0 + 0.5 * next)), 1e-6);
  std::vector<double> pi(kQActions), sigma(1);
  hand.agent.play(std::vector<Index>{2}, pi, sigma);
  EXPECT_NEAR(pi[1] / pi[0], std::exp(0.2 / tau), 1e-5);
}

// Only the value that was played moves, towards its target.
TEST(QAgent, OnlyThePairThatWasPlayedMoves) {
  Hand hand = by_hand({}, {{0, 2}, {0, 0}, {4, 8}});
  error_of(hand.agent, kStep);
  EXPECT_NEAR(hand.value(0, 1), 2.0 + 0.01, 1e-5);  // target 5; Adam's first step is the rate
  EXPECT_EQ(hand.value(0, 0), 0.0);
  EXPECT_EQ(hand.value(2, 0), 4.0);
  EXPECT_EQ(hand.value(2, 1), 8.0);
}

TEST(QAgent, TheTargetNetworkIsCopiedAtItsPeriod) {
  Hand hand = by_hand({.target_period = 2}, {{0, 2}, {0, 0}, {8, 0}});
  const auto target = [&] {
    const double q = hand.value(0, 1);
    return q + error_of(hand.agent, kStep);  // it lies above q
  };
  EXPECT_NEAR(target(), 5.0, 1e-5);
  hand.network->table_row(2)[0] = 18.0F;
  EXPECT_NEAR(target(), 5.0, 1e-5);  // the second step: copied after it
  EXPECT_NEAR(target(), 10.0, 1e-5);
}

// Heads bootstrap from themselves, each with its own prior, which is in the target too.
TEST(QAgent, EachHeadLearnsFromItselfAndItsPrior) {
  QSettings settings = {.heads = 2, .prior_scale = 3.0};
  TableNetwork drawn(table(4, 1.0), RandomStream(7));
  const std::vector<std::vector<float>> q = {{0, 2, 0, -1}, {0, 0, 0, 0}, {4, 8, 1, 0}};
  double expected = 0.0;
  for (Index h = 0; h < 2; ++h) {
    const auto total = [&](Index i, Index a) {
      return q[i][2 * h + a] + 3.0 * drawn.table_row(i)[2 * h + a];
    };
    const double target = 1.0 + 0.5 * std::max(total(2, 0), total(2, 1));
    expected += std::abs(total(0, 1) - target) / 2.0;
  }
  Hand hand = by_hand(settings, q, drawn.frozen());
  EXPECT_NEAR(error_of(hand.agent, kStep), expected, 1e-5);
}

TEST(QAgent, AMaskedHeadDoesNotLearn) {
  const std::vector<float> masks = {1.0F, 0.0F};
  Hand hand = by_hand({.heads = 2, .mask = 0.5}, {{0, 2, 0, 2}, {0, 0, 0, 0}, {4, 8, 4, 8}});
  error_of(hand.agent, kStep, masks.data());
  EXPECT_GT(hand.value(0, 1), 2.0);
  EXPECT_EQ(hand.value(0, 3), 2.0);
}

TEST(QAgent, EpsilonFallsFromOneOverItsFrames) {
  Hand hand = by_hand({.epsilon = 0.1, .epsilon_frames = 10}, {{0, 2}, {0, 0}, {0, 0}});
  std::vector<double> pi(kQActions), sigma(1);
  const auto probability_of_the_other = [&] {
    hand.agent.play(std::vector<Index>{0}, pi, sigma);
    return pi[0];
  };
  EXPECT_NEAR(probability_of_the_other(), 0.5, 1e-12);
  hand.agent.observe(std::vector<Frame>(5));
  EXPECT_NEAR(probability_of_the_other(), 0.55 / 2.0, 1e-12);
  hand.agent.observe(std::vector<Frame>(500));
  EXPECT_NEAR(probability_of_the_other(), 0.05, 1e-12);
}

}  // namespace
}  // namespace vapor::deep
