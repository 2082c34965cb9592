#include "vapor/agent/vapor.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace vapor {

VaporAgent::VaporAgent(std::unique_ptr<Belief> belief, const Settings& settings)
    : belief_(std::move(belief)), solver_(settings) {}

std::span<const double> VaporAgent::policy(RandomStream) {
  const double unit = belief_->unit();
  solution_ = unit == 1.0
                  ? solver_.solve(belief_->problem(), solution_)
                  : from_units(solver_.solve(in_units(belief_->problem(), unit), solution_), unit);
  solved_ = true;
  return solution_.policy;
}

void VaporAgent::observe(const Episode& episode) { belief_->update(episode); }

void VaporAgent::archive(Archive& archive) {
  belief_->archive(archive);
  // The policy, and behind it where the next solve begins, if there is such a place. Older
  // checkpoints have the policy alone, and their runs go on from that.
  std::vector<double> tables = solution_.policy;
  tables.insert(tables.end(), solution_.start.begin(), solution_.start.end());
  archive(tables);
  if (!archive.is_restoring()) return;
  solved_ = false;
  const auto pairs =
      std::min(tables.size(), static_cast<std::size_t>(belief_->problem().shape.pairs()));
  solution_.policy.assign(tables.begin(), tables.begin() + static_cast<std::ptrdiff_t>(pairs));
  solution_.start.assign(tables.begin() + static_cast<std::ptrdiff_t>(pairs), tables.end());
}

}  // namespace vapor
