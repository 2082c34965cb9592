// A layered MDP drawn from a prior, for Bayesian regret (theorem 1 of the paper): averaged over
// such environments, the regret of an agent whose belief starts at this prior is what the theory
// bounds.
//
// Mean rewards are uniform on [0, 1], Beta(1, 1), and rewards are 0 or 1. The transitions of a pair
// are Dirichlet with equal parameters. Episodes start in each state of the first layer alike.
#pragma once

#include <cstdint>

#include "vapor/env/environment.h"

namespace vapor {

struct RandomMdpSettings {
  Index layers = 5;             // >= 1
  Index states = 5;             // in every layer, >= 1
  Index actions = 3;            // in every state, >= 1
  double dirichlet_mass = 1.0;  // of a pair, shared by its next states alike, in [1e-3, 1e6]
  bool known_dynamics = false;  // whether agents are told the transitions
  std::uint64_t seed = 0;       // of everything
};

// Throws InputError that names the field.
void validate(const RandomMdpSettings& settings);

// It has no goals. Next states whose probability is below the smallest double are left out.
Environment random_mdp(const RandomMdpSettings& settings);

}  // namespace vapor
