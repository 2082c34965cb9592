// A line of episodes.csv, of every kind of run. A kind records the columns that it knows; what a
// column means is said here, once.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "vapor/deep/agent.h"

namespace vapor {

struct EpisodeRow {
  double episode_return = 0.0;  // column `return`: the rewards of the episode, as they were paid
  double value = 0.0;           // expected return of its policy in the true model
  double regret = 0.0;          // V* - value, V* under the budget where there is one; at least 0
  bool success = false;         // the goal was reached
  std::int64_t length = 0;      // actions of the episode

  // Where there is a cost beside the reward.
  double cost = 0.0;           // of the episode, as it was paid
  double expected_cost = 0.0;  // of its policy in the true model
  double violation = 0.0;      // max(0, expected_cost - budget)

  // Of a run when the episode was over.
  std::int64_t frames = 0;          // actions played so far, over all places
  std::int64_t learner_frames = 0;  // frames learned from so far

  double sigma = 0.0;    // mean over the frames of the episode of sum_a pi_a sigma_a
  double entropy = 0.0;  // mean over its frames of the policy's entropy
  deep::Losses losses;   // columns `policy_loss`, `value_loss`, `reward_loss`: of the last step
};

struct EpisodeColumn {
  const char* name;
  double (*of)(const EpisodeRow&);
};

// Of these names, in their order. A broken invariant if there is no such column.
std::vector<EpisodeColumn> columns_named(std::span<const std::string> names);

}  // namespace vapor
