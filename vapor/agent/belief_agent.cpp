#include "vapor/agent/belief_agent.h"

#include <utility>

namespace vapor {

BeliefAgent::BeliefAgent(std::unique_ptr<Belief> belief, PolicyRule rule)
    : belief_(std::move(belief)), rule_(std::move(rule)), policy_(belief_->shape().pairs()) {}

std::span<const double> BeliefAgent::policy(RandomStream random) {
  rule_(*belief_, episode_, random, policy_);
  return policy_;
}

void BeliefAgent::observe(const Episode& episode) {
  belief_->update(episode);
  ++episode_;
}

void BeliefAgent::archive(Archive& archive) {
  belief_->archive(archive);
  archive(episode_);
}

}  // namespace vapor
