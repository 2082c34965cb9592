// Table 1 of the paper: what agents do in the chain of figure 1, and how many episodes they are
// expected to need until they reach s_L for the first time.
//
// Nothing is learned before s_L is reached, so an agent plays the same policy, or draws one from
// the same distribution, in every episode until then: the number of episodes is geometric and its
// mean is 1/p, p the probability that an episode arrives. Both are computed, not estimated; a
// simulation through the loop of `vapor run` stands beside them.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "vapor/run/reproduction.h"

namespace vapor {

struct ToyChainTable {
  struct Line {
    std::string agent;
    nlohmann::ordered_json paper;  // episodes by table 1: a number, "Omega(2^L)" or null
  };
  std::vector<Line> lines;
  std::vector<int> lengths;           // L, 2..1000
  int repetitions = 1000;             // of the simulation
  std::int64_t most_episodes = 2000;  // no simulation where more are expected
  std::uint64_t first_seed = 1;       // of the repetitions
};

// What experiments/toy-chain/sweep.json says, and a small version of it.
ToyChainTable toy_chain_table();
ToyChainTable toy_chain_quick();

// `rows` is table 1, `one_action_rows` the same for the chain as figure 1 is drawn, with one action
// in s_L and in the absorbing states. Throws InputError that names the option, e.g. --lengths.
Findings reproduce_toy_chain(const ToyChainTable& table, const ReproductionOptions& options);

}  // namespace vapor
