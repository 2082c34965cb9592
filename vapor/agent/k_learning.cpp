#include "vapor/agent/k_learning.h"

#include <algorithm>

#include "vapor/agent/unit_problem.h"
#include "vapor/solver/k_learning.h"

namespace vapor {

PolicyRule k_learning_rule() {
  return [](Belief& belief, std::int64_t, RandomStream&, std::span<double> policy) {
    std::ranges::copy(solve_k_learning(unit_problem(belief)).policy, policy.begin());
  };
}

}  // namespace vapor
