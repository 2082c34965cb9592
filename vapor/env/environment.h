// An environment: a layered MDP that can be played. Its true model is part of it, so that regret is
// computed and not estimated; no agent sees the model.
//
// Each file of this folder makes one kind of environment, as a function of its settings.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "vapor/core/random.h"
#include "vapor/mdp/cost.h"
#include "vapor/mdp/episode.h"
#include "vapor/mdp/problem.h"

namespace vapor {

// Where a state is drawn: in a grid, or a node of the layered graph.
struct Cell {
  Index row = 0;
  Index column = 0;
};

enum class RewardNoise {
  kGaussian,   // mean + noise * N(0, 1)
  kBernoulli,  // 1 with probability mean, else 0
};

// What agents are told before the first episode.
struct PublicKnowledge {
  bool dynamics = false;                // the transitions of the model
  std::vector<double> reward_mean;      // by pair, mean and variance of the prior of the true mean
  std::vector<double> reward_variance;  // rewards; empty: nothing is known
  double dirichlet_mass = 1.0;          // of the prior of a pair's transitions
  // Between what all mean rewards lie, which untried pairs are believed capable of; low = high:
  // nothing is known.
  double reward_low = 0.0, reward_high = 0.0;
};

struct Environment {
  Problem model;  // true transitions and mean rewards; all sigmas 0
  RewardNoise reward_noise = RewardNoise::kGaussian;
  std::vector<double> noise;  // by pair: the standard deviation of Gaussian noise
  std::vector<Index> goals;   // pairs; an episode that takes one of them is a success
  std::optional<Cost> cost;   // beside the reward; none: nothing costs anything
  PublicKnowledge known;
  std::vector<Cell> cells;      // by state
  Index rows = 0, columns = 0;  // of the drawing
  // What each action is called, "left"; empty: nothing, as where actions mean another thing
  // elsewhere.
  std::vector<std::string> action_names;

  // Whether a cell pays and leads on alike in every layer that has it, so that what is seen in one
  // layer holds in all. Vacuous, and false, where no cell stands in two layers.
  bool stationary = false;

  const Shape& shape() const { return model.shape; }
};

// The first state of an episode.
Index first_state(const Environment& environment, RandomStream& random);

// Takes a pair. A next state is the first, in the order of the transitions (sparse ones first, then
// the base), at which the cumulative probability exceeds `uniform`. `noise_draw` is standard normal
// for Gaussian rewards, uniform for Bernoulli rewards.
Step take(const Environment& environment, Index pair, double uniform, double noise_draw);
Step take(const Environment& environment, Index pair, RandomStream& random);

// Plays one episode under a policy, a table by pair.
Episode play(const Environment& environment, std::span<const double> policy, RandomStream& random);

// Whether the episode took a goal.
bool reached_goal(const Environment& environment, const Episode& episode);

}  // namespace vapor
