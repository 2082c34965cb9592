// Theorems 1 and 2 of the paper, measured: the Bayes regret of agents whose belief starts at the
// prior from which their environment is drawn, beside the bound that is proven for VAPOR.
//
// Mean rewards are Beta(1, 1) and rewards 0 or 1, so assumption 1 holds with nu = 1/2; transitions
// are Dirichlet of total mass 1, which is assumption 2. Every seed draws an MDP of its own, and all
// agents meet the same ones.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "vapor/core/index.h"
#include "vapor/run/reproduction.h"

namespace vapor {

struct RegretStudy {
  std::vector<std::string> agents;
  std::vector<std::string> dynamics;  // known (theorem 1), unknown (theorem 2)
  Index layers = 4;
  Index states = 4;   // of a layer
  Index actions = 3;  // of a state
  int seeds = 30;
  std::uint64_t first_seed = 1;
  std::int64_t episodes = 5000;
  std::vector<std::int64_t> checkpoints;  // where there is a row, beside the last episode
};

// What experiments/regret/sweep.json says, and a small version of it.
RegretStudy regret_study();
RegretStudy regret_quick();

// The bound of the lemma "generic regret bound" on N episodes of L steps,
//
//   sqrt(2 c0^2 N L S A log(S A) (1 + log N)),
//
// S the number of states of all layers together. c0^2 is nu^2 + 1 if the dynamics are known, and
// 3.6^2 (nu^2 + 1) + L^2 if not.
struct RegretBound {
  Index layers = 1;   // L
  Index states = 1;   // S
  Index actions = 1;  // A
  double nu = 0.5;
  bool known_dynamics = true;

  double at(std::int64_t episodes) const;
};

// Throws InputError that names the option, e.g. --dynamics.
Findings reproduce_regret(const RegretStudy& study, const ReproductionOptions& options);

}  // namespace vapor
