#include "vapor/agent/equal_temperature.h"

#include <algorithm>

#include "vapor/agent/unit_problem.h"
#include "vapor/solver/equal_temperature.h"

namespace vapor {

PolicyRule equal_temperature_rule(const Settings& settings) {
  return [settings](Belief& belief, std::int64_t, RandomStream&, std::span<double> policy) {
    std::ranges::copy(solve_equal_temperature(unit_problem(belief), settings).solution.policy,
                      policy.begin());
  };
}

}  // namespace vapor
