// The learners that keep nothing but their belief: each episode a rule maps the belief to a policy,
// and what the episode shows goes into the belief.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "vapor/agent/agent.h"
#include "vapor/belief/belief.h"

namespace vapor {

// Writes the policy, by pair, of episode 1, 2, ...
using PolicyRule = std::function<void(Belief& belief, std::int64_t episode, RandomStream& random,
                                      std::span<double> policy)>;

class BeliefAgent final : public Agent {
 public:
  BeliefAgent(std::unique_ptr<Belief> belief, PolicyRule rule);

  std::span<const double> policy(RandomStream random) override;
  void observe(const Episode& episode) override;
  void archive(Archive& archive) override;

 private:
  std::unique_ptr<Belief> belief_;
  PolicyRule rule_;
  std::int64_t episode_ = 1;
  std::vector<double> policy_;
};

}  // namespace vapor
