// The few numbers that a run of an agent in an environment comes down to, from its record alone.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "vapor/record/run_record.h"

namespace vapor {

struct RunSummary {
  std::int64_t episodes = 0;
  std::optional<std::int64_t> first_success;  // the first episode that reached the goal
  // When the rule of solved_rule.h first held; never, if the run went on to its last episode and
  // that one's policy is worth less than half of the optimum.
  std::optional<std::int64_t> solved;
  double mean_return = 0.0;
  double recent_mean_return = 0.0;  // of the last 100 episodes
  double best_return = 0.0;
  double seconds = 0.0;         // playing and learning
  double ms_per_episode = 0.0;  // mean wall time

  // Where the true model is known.
  std::optional<double> total_regret;
  std::optional<double> last_value;  // expected return of the last policy

  // Where there is a cost beside the reward.
  std::optional<double> total_violation;       // of the budget, over all episodes
  std::optional<std::int64_t> violating;       // episodes whose policy is above the budget
  std::optional<double> mean_expected_cost;    // of the policies of all episodes
  std::optional<double> recent_expected_cost;  // of the last 100 episodes

  // Of networks.
  std::optional<std::int64_t> frames;          // played, up to the end of the last episode
  std::optional<std::int64_t> learner_frames;  // learned from
  std::optional<double> frames_per_second;     // played
  std::optional<double> learner_frames_per_second;
};

// Whether a run is of networks: it counts the frames learned from.
bool is_training(const RunRecord& record);

// Whether it is known what its policies are worth. It is not of networks, nor in environments that
// are not ours: the returns are all there is.
bool has_known_values(const RunRecord& record);

// Throws InputError if the record has no column return, or value without regret.
RunSummary summarise(const RunRecord& record);

struct MeanAndError {
  double mean = 0.0;
  double standard_error = 0.0;  // of the mean; 0 for a single value
  std::size_t count = 0;
};

MeanAndError mean_and_error(std::span<const double> values);

}  // namespace vapor
