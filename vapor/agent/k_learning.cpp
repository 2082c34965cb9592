#include "vapor/agent/k_learning.h"

#include <algorithm>

#include "vapor/solver/k_learning.h"

namespace vapor {

PolicyRule k_learning_rule() {
  return [](Belief& belief, std::int64_t, RandomStream&, std::span<double> policy) {
    std::ranges::copy(solve_k_learning(belief.problem()).policy, policy.begin());
  };
}

}  // namespace vapor
