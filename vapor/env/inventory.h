// Inventory control as the public code of DOPE (Bura et al., 2022) has it (the example of
// Puterman's book): a store for five items. In the evening with s items left, a = 0..5 - s are
// ordered; the next day asks for d = 0..5 of them with probabilities .3, .2, .2, .2, .05, .05.
//
//   s' = max(s + a - d, 0)
//   r  = sum over d <= s + a of P(s' | s, a) f(d),   f(d) = 8 d / 100
//   c  = O(a) + s + a,                               O(a) = 4 + 2 a if a > 0, else 0
//
// both divided by their largest value. Where some days empty the store and one asks for exactly
// what is there, that day's sale is weighed with the probability of the empty store, as it is
// there.
#pragma once

#include "vapor/env/environment.h"

namespace vapor {

struct InventorySettings {
  Index horizon = 7;    // layers, 1..10000
  double budget = 0.0;  // the most an episode may cost in expectation; 0: horizon / 2
};

// Throws InputError that names the field.
void validate(const InventorySettings& settings);

// It starts with an empty store and has no goal. Every layer holds all states.
Environment inventory(const InventorySettings& settings);

}  // namespace vapor
