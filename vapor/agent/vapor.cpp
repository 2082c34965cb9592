#include "vapor/agent/vapor.h"

#include <utility>

namespace vapor {

VaporAgent::VaporAgent(std::unique_ptr<Belief> belief, const Settings& settings)
    : belief_(std::move(belief)), solver_(settings) {}

std::span<const double> VaporAgent::policy(RandomStream) {
  const double unit = belief_->unit();
  solution_ =
      unit == 1.0
          ? solver_.solve(belief_->problem(), solution_.policy)
          : from_units(solver_.solve(in_units(belief_->problem(), unit), solution_.policy), unit);
  solved_ = true;
  return solution_.policy;
}

void VaporAgent::observe(const Episode& episode) { belief_->update(episode); }

void VaporAgent::archive(Archive& archive) {
  belief_->archive(archive);
  archive(solution_.policy);
  if (archive.is_restoring()) solved_ = false;
}

}  // namespace vapor
