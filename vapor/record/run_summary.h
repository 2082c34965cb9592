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
  // The first at which a tenth of the episodes so far had; none if the run went on to its last
  // episode and that one's policy is worth less than half of the optimum.
  std::optional<std::int64_t> solved;
  double total_regret = 0.0;  // 0 for trainings, of which it is not known
  double mean_return = 0.0;
  double last_value = 0.0;      // expected return of the last policy; 0 for trainings
  double ms_per_episode = 0.0;  // mean wall time
};

// Whether a run is one of `vapor train`: it counts the frames learned from, and its policies have
// no known value.
bool is_training(const RunRecord& record);

// Throws InputError if the record has no columns return, value, regret and success, or, being a
// training, no column return. Trainings are not solved before episode 100, and never if they do not
// tell success.
RunSummary summarise(const RunRecord& record);

struct MeanAndError {
  double mean = 0.0;
  double standard_error = 0.0;  // of the mean; 0 for a single value
  std::size_t count = 0;
};

MeanAndError mean_and_error(std::span<const double> values);

}  // namespace vapor
