#include "vapor/agent/thompson.h"

namespace vapor {

PolicyRule thompson_rule() {
  return [](Belief& belief, std::int64_t, RandomStream& random, std::span<double> policy) {
    belief.sample_optimal_policy(random, policy);
  };
}

}  // namespace vapor
