// One agent in one environment, an episode at a time: what a run is before it meets a disk.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "vapor/agent/agent.h"
#include "vapor/belief/belief.h"
#include "vapor/env/environment.h"
#include "vapor/run/run_settings.h"

namespace vapor {

// What is recorded of an episode.
struct EpisodeRow {
  double total_reward = 0.0;
  double value = 0.0;   // expected return of the policy in the true model
  double regret = 0.0;  // V* - value
  bool success = false;

  // In the order of the columns after `episode`.
  std::array<double, 4> values() const { return {total_reward, value, regret, success ? 1. : 0.}; }
};

class Run {
 public:
  // The settings are complete. Episode t draws from streams that depend on the seed and on t alone.
  explicit Run(const RunSettings& settings);

  bool is_over() const;
  std::int64_t episodes() const { return episodes_; }  // that have been played

  // The next episode, in two steps: its policy, and what comes of it.
  void choose_policy();
  EpisodeRow play_episode();

  bool snapshot_is_due() const;
  std::string snapshot();       // of what the agent thinks, its policy having been chosen
  std::string drawing() const;  // of the environment

  // All that episodes change, as bytes for a checkpoint.
  std::string save();
  void restore(const std::string& state);

 private:
  bool stop_rule_holds() const;
  void mark_tried(Index pair);
  double value_of_policy();
  void archive(Archive& archive);

  RunSettings settings_;
  Environment environment_;
  RandomStream play_stream_;
  RandomStream agent_stream_;
  double optimal_value_ = 0.0;          // V* of the start
  std::vector<Index> stationary_pair_;  // by pair
  std::vector<char> untried_;           // by stationary pair: can be reached, and was not
  std::int64_t untried_count_ = 0;
  std::unique_ptr<Agent> agent_;
  std::unique_ptr<Belief> belief_;  // a copy of the agent's for snapshots; null without them
  std::span<const double> policy_;  // of the next episode

  std::int64_t episodes_ = 0;
  std::int64_t successes_ = 0;
  std::vector<std::int64_t> visits_;  // by pair
  std::vector<double> occupancy_;     // room for value_of_policy()
  std::vector<double> mass_;
};

}  // namespace vapor
