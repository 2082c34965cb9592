// R-MAX (Brafman and Tennenholtz, 2002): a pair that was tried fewer than m times is believed to
// lead where every step pays `high`; of the others what was seen is taken for the truth.
//
//   Q(s,a) = H high                        n < m, H steps to go
//   Q(s,a) = mean reward + mean V(s')      else
//
// m = 1 is the deterministic limit, the search of untried pairs: where every action always does the
// same, it never tries one twice without a reason. The theorem's m is polynomial in H, S, 1 /
// epsilon and log(1 / delta); nobody uses it.
#pragma once

#include "vapor/agent/count_agent.h"

namespace vapor {

struct RMaxSettings {
  double m = 5.0;     // visits after which a pair is known
  double high = 1.0;  // the largest reward of a step
};

CountAgent::Rule r_max_rule(const RMaxSettings& settings = {});

}  // namespace vapor
