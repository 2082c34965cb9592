// When an environment with a goal counts as solved: at the first episode at which the goal was
// reached in at least a tenth of the episodes so far. It is the one rule, for runs while they are
// made, for what is said of them, and for reports.
#pragma once

#include <cstdint>
#include <optional>

#include "vapor/core/archive.h"

namespace vapor {

// Networks begin with luck of their own: a goal in one of the first episodes is no sign of
// learning.
inline constexpr std::int64_t kEarliestSolvedByNetworks = 100;

class SolvedRule {
 public:
  // Not before episode `earliest`.
  explicit SolvedRule(std::int64_t earliest = 1) : earliest_(earliest) {}

  void add(bool success) {
    ++episodes_;
    if (success) ++successes_;
    if (success && first_success_ == 0) first_success_ = episodes_;
    const bool often = successes_ > 0 && 10 * successes_ >= episodes_;
    if (solved_ == 0 && episodes_ >= earliest_ && often) solved_ = episodes_;
  }

  std::int64_t episodes() const { return episodes_; }
  std::int64_t successes() const { return successes_; }
  std::optional<std::int64_t> first_success() const { return when(first_success_); }
  std::optional<std::int64_t> solved() const { return when(solved_); }

  void archive(Archive& archive) {
    archive_counts(archive);
    archive(first_success_), archive(solved_);
  }

  // Enough for a run that is over as soon as it is solved.
  void archive_counts(Archive& archive) { archive(episodes_), archive(successes_); }

 private:
  static std::optional<std::int64_t> when(std::int64_t episode) {
    return episode > 0 ? std::optional(episode) : std::nullopt;
  }

  std::int64_t earliest_;
  std::int64_t episodes_ = 0;
  std::int64_t successes_ = 0;
  std::int64_t first_success_ = 0;  // 0: not yet
  std::int64_t solved_ = 0;
};

}  // namespace vapor
