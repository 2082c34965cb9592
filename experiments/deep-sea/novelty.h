// How much of an episode is new: the pairs that it tries for the first time.
#pragma once

#include <vector>

#include "experiments/common/study.h"

namespace vapor::experiments::deep_sea {

// A row a cell, means over its seeds, up to the first success T of each, from the snapshots of its
// records:
//   tried     share of all pairs that were tried by then
//   new       share of all steps that tried something: T = (L + 1) tried / new
//   early     the expected share of untried pairs in an episode, of the policy in the true model,
//   in late      the first and in the last third of the snapshots believed  the same under lambda,
//   all snapshots
ordered_json novelty_rows(const std::vector<Cell>& cells);

}  // namespace vapor::experiments::deep_sea
