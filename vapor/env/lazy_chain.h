// The lazy chain (Ma and Lee, 2026): cells 0, 1, ..., 2 n, a start in the middle, and three
// actions: left, right and nothing. Every step costs 1, but arriving at the left end pays n - 1 and
// at the right end 2 n - 1, and doing nothing costs nothing. Both ends are final. To go left earns
// 0, as much as to do nothing, and to go right n: a learner must pay for n steps to find that out.
//
// Rewards are in units of 2 n - 1. With `slip` a step goes the other way with that probability; its
// reward is then the mean over where it leads.
#pragma once

#include "vapor/env/environment.h"

namespace vapor {

struct LazyChainSettings {
  Index length = 8;   // n, 1..1000
  Index horizon = 0;  // layers, 1..10000; 0: 2 n
  double slip = 0.0;  // in [0, 1]
};

// Throws InputError that names the field.
void validate(const LazyChainSettings& settings);

// Its goal is the step to the right end. Every layer holds all cells.
Environment lazy_chain(const LazyChainSettings& settings);

}  // namespace vapor
