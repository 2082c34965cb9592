#include "vapor/agent/optimality.h"

#include <algorithm>

#include "vapor/mdp/policy.h"

namespace vapor {

PolicyRule marginal_optimality_rule(int samples) {
  return [samples](Belief& belief, std::int64_t, RandomStream& random, std::span<double> policy) {
    std::ranges::copy(belief.optimality(random, samples).marginal, policy.begin());
  };
}

PolicyRule conditional_optimality_rule(int samples) {
  return [samples](Belief& belief, std::int64_t, RandomStream& random, std::span<double> policy) {
    policy_of_occupancy(belief.shape(), belief.optimality(random, samples).occupancy, policy);
  };
}

}  // namespace vapor
