// Why the policy acts as it does in a state: what each action is made of, what one more observation
// of a pair would change, and which pairs the value hangs on.
//
// At the optimum every action that is taken is worth the same, delta + f'(lambda) = 0, or
//
//   V(s) = E r + sigma w - tau + P V - C' y,   w = sqrt(-2 log lambda), tau = sigma / w:
//
// its mean reward, optimism about it, what entropy costs an action that is taken often, the price
// of the next state, and the prices of the constraints. lambda is what makes the sum V(s): an
// action that is worth more otherwise, or about which less is known, is taken more.
#pragma once

#include <string>
#include <vector>

#include "vapor/solver/derivatives.h"

namespace vapor {

struct ActionReason {
  double policy = 0.0;
  double occupancy = 0.0;
  // The parts, and their sum: V(s) if the action is taken.
  double reward = 0.0;
  double optimism = 0.0;
  double entropy = 0.0;
  double next = 0.0;
  double constraints = 0.0;
  double sum = 0.0;
  // To first order, what the value and this action's probability gain if sigma becomes
  // sigma sqrt(n / (n + 1)): one more observation, after n, of a Gaussian. The second is 0 where
  // the optimum has ties.
  double value_after_one_more = 0.0;
  double policy_after_one_more = 0.0;
};

// A pair by lambda (|E r| + optimism): how much of the value is made there.
struct PairWeight {
  Index layer = 0, state = 0, action = 0;  // numbered within the layer and the state
  double weight = 0.0;
};

struct Explanation {
  Index layer = 0, state = 0;
  Differentiability status = Differentiability::kSmooth;
  double mass = 0.0;  // the probability of being there
  double V = 0.0;
  std::vector<ActionReason> actions;
  std::vector<PairWeight> value_hangs_on;  // the heaviest first
  std::string sentence;                    // for people
};

// Throws InputError where there is no such state, no policy arrives there, the solution is none, or
// `count` (how many observations sigma stands for) is not above 0.
Explanation explain(const Problem& problem, const Solution& solution, Index layer, Index state,
                    double count = 1.0);

}  // namespace vapor
