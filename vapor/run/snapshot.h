// Pictures of a run for a viewer, as JSON. Tables are layers x states x actions (V: layers x
// states), numbers read back to the same bits, and what does not exist is null.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "vapor/env/environment.h"
#include "vapor/mdp/problem.h"
#include "vapor/solver/solution.h"

namespace vapor {

// What an agent thinks before an episode.
struct SnapshotParts {
  std::int64_t episodes;   // that it has seen
  const Problem& problem;  // of its belief
  std::span<const double> policy;
  std::span<const std::int64_t> visits;  // by pair
  std::span<const double> charges;       // by pair: of the solution's constraints; empty: none
  const Solution* solution;  // null if the agent solves no program: tau, V and next_value are then
                             // null, and lambda is the occupancy of its policy under E P
};

std::string snapshot_text(const SnapshotParts& parts);

// (E P V_{l+1})(s,a) by pair, the price of the next state; 0 in the last layer, NaN in states that
// have no V.
std::vector<double> next_values(const Problem& problem, std::span<const double> V);

// Where the states are drawn, which pairs are goals, and where each pair most likely leads.
std::string drawing_text(const Environment& environment);

}  // namespace vapor
