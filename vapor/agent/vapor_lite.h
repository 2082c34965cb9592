// VAPOR-lite(c), section 7 and appendix H: the entropy of the occupancy measure loosened to that of
// the policy, every temperature set to c sigma_hat. One backward pass an episode.
#pragma once

#include "vapor/agent/belief_agent.h"

namespace vapor {

struct VaporLiteSettings {
  double c = 1.0;         // scales every sigma_hat
  bool schedule = false;  // c_t = sqrt(2) (1 + log(S L t)) in place of c (appendix H)
};

PolicyRule vapor_lite_rule(const VaporLiteSettings& settings);

}  // namespace vapor
