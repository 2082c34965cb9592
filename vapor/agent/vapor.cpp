#include "vapor/agent/vapor.h"

#include <utility>

namespace vapor {

VaporAgent::VaporAgent(std::unique_ptr<Belief> belief, const Settings& settings)
    : belief_(std::move(belief)), solver_(settings) {}

std::span<const double> VaporAgent::policy(RandomStream) {
  solution_ = solver_.solve(belief_->problem(), solution_.policy);
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
