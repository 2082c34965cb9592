// The agents that keep counts of their own: shared over layers where places are stationary, and
// knowing where an episode is over.
#include <gtest/gtest.h>

#include <cmath>

#include "vapor/agent/epsilon_greedy.h"
#include "vapor/agent/optimistic_q.h"
#include "vapor/agent/ucbvi.h"

namespace vapor {
namespace {

// Layers of one place with two actions and, after the first, the end with one.
Shape exit_shape(Index layers) {
  Shape shape;
  for (Index l = 0; l < layers; ++l) {
    shape.add_layer();
    shape.add_state(2);
    if (l > 0) shape.add_state(1);
  }
  return shape;
}

Places exit_places(Index layers, bool stationary) {
  Places places{.of_state = {0}, .stationary = stationary, .is_end = {0}};
  for (Index l = 1; l < layers; ++l) {
    places.of_state.insert(places.of_state.end(), {0, 1});
    places.is_end.insert(places.is_end.end(), {0, 1});
  }
  return places;
}

// Action 0 pays 1/2 and ends the episode, action 1 pays 1/4 and stays: over 5 layers staying and
// ending with the last step is worth 1/4 * 4 + 1/2, ending at once 1/2.
Episode play_exit(const Shape& shape, std::span<const double> policy, RandomStream& random) {
  Episode episode;
  Index state = 0;
  for (Index l = 0; l < shape.layers(); ++l) {
    const Range pairs = shape.pairs_of(state);
    const Index action = random.categorical(policy.subspan(pairs.first(), 2));
    const bool last = l + 1 == shape.layers();
    const Index stays = last ? -1 : shape.states_of(l + 1).first();
    const Index next = last ? -1 : stays + 1 - action;
    episode.push_back({pairs.first() + action, action == 0 ? 0.5 : 0.25, next});
    if (action == 0) break;
    state = next;
  }
  return episode;
}

double last_return(Agent& agent, const Shape& shape, int episodes) {
  RandomStream random(1);
  double sum = 0.0;
  for (int t = 0; t < episodes; ++t) {
    const Episode episode = play_exit(shape, agent.policy(random), random);
    sum = 0.0;
    for (const Step& step : episode) sum += step.reward;
    agent.observe(episode);
  }
  return sum;
}

// Not knowing that nothing is paid after the end, both would hold an unvisited end for worth
// `high` a step and die at once, for ever: what they did in FrozenLake.
TEST(Ends, OptimistsDoNotHopeForRewardsAfterTheEnd) {
  constexpr Index layers = 5;
  const Shape shape = exit_shape(layers);
  for (bool stationary : {false, true}) {
    const Places places = exit_places(layers, stationary);
    UcbviAgent ucbvi(shape, {.scale = 0.01}, places);
    EXPECT_EQ(last_return(ucbvi, shape, 200), 1.5);
    OptimisticQAgent q(shape, {.c = 0.001}, places);
    EXPECT_EQ(last_return(q, shape, 400), 1.5);
  }
  UcbviAgent unknowing(shape, {.scale = 0.01});
  EXPECT_EQ(last_return(unknowing, shape, 200), 0.5);
}

// With scale 0 the values are those of the empirical model: one episode in the first layers tells
// of all layers.
TEST(PooledCounts, WhatUcbviSeesInOneLayerHoldsInAll) {
  const Shape shape = exit_shape(3);
  const Episode stay_stay_end = {{0 + 1, 0.25, 1}, {2 + 1, 0.25, 3}, {5, 0.5, -1}};
  UcbviAgent pooled(shape, {.scale = 0.0}, exit_places(3, true));
  UcbviAgent layered(shape, {.scale = 0.0}, exit_places(3, false));
  for (UcbviAgent* agent : {&pooled, &layered}) {
    agent->observe(stay_stay_end);
    agent->policy(RandomStream(1));
  }
  // Action 0 was seen to pay 1/2, in the last layer alone, and action 1 to pay 1/4 and stay. Where
  // action 0 leads before the last layer nobody knows: it may yet be worth 1 a step.
  EXPECT_DOUBLE_EQ(pooled.values()[3], 0.5);
  EXPECT_DOUBLE_EQ(layered.values()[3], 1.0) << "action 1 of the last layer was never tried there";
}

// Learning rate 1: Q is the last target, in every layer that has the place.
TEST(PooledCounts, QLearnersUpdateEveryLayerThatHasThePlace) {
  const Shape shape = exit_shape(3);
  EpsilonGreedyAgent agent(shape, {.epsilon = 0.0, .learning_rate = 1.0}, exit_places(3, true));
  agent.observe({{0, 0.5, 2}});  // ended at once
  const auto policy = agent.policy(RandomStream(1));
  for (Index s : {0, 1, 3}) EXPECT_EQ(policy[shape.pairs_of(s).first()], 1.0) << s;
}

}  // namespace
}  // namespace vapor
