#include "vapor/agent/soft_q.h"

#include <algorithm>

#include "vapor/solver/k_learning.h"

namespace vapor {

PolicyRule soft_q_rule(double temperature) {
  return [temperature](Belief& belief, std::int64_t, RandomStream&, std::span<double> policy) {
    Problem mean = belief.problem();
    std::ranges::fill(mean.sigma, 0.0);  // K-learning's values are soft ones plus a bonus
    std::ranges::copy(soft_values(mean, temperature).solution.policy, policy.begin());
  };
}

}  // namespace vapor
