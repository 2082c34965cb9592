#include "vapor/agent/vapor_lite.h"

#include <algorithm>

#include "vapor/agent/unit_problem.h"
#include "vapor/solver/vapor_lite.h"

namespace vapor {

PolicyRule vapor_lite_rule(const VaporLiteSettings& settings) {
  return [settings](Belief& belief, std::int64_t episode, RandomStream&, std::span<double> policy) {
    const Problem problem = unit_problem(belief);
    const double c = settings.schedule
                         ? vapor_lite_scale(problem.shape, static_cast<double>(episode))
                         : settings.c;
    std::ranges::copy(solve_vapor_lite(problem, c).policy, policy.begin());
  };
}

}  // namespace vapor
