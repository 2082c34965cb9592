#include "vapor/agent/rlsvi.h"

#include <algorithm>
#include <vector>

#include "vapor/mdp/backward_induction.h"

namespace vapor {

PolicyRule rlsvi_rule() {
  return [](Belief& belief, std::int64_t, RandomStream& random, std::span<double> policy) {
    const Problem& problem = belief.problem();
    std::vector<double> reward(problem.reward_mean);
    for (std::size_t p = 0; p < reward.size(); ++p) reward[p] += problem.sigma[p] * random.normal();
    std::ranges::copy(backward_induction(problem, reward).policy, policy.begin());
  };
}

}  // namespace vapor
