// The beliefs by name, as the command line and the records write them: what agents know about an
// environment before the first episode, and how their uncertainty becomes sigma_hat. Every agent of
// an experiment gets the same belief.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "vapor/belief/belief.h"
#include "vapor/core/spec.h"
#include "vapor/env/environment.h"

namespace vapor {

// One value of a setting that takes one of several words.
struct BeliefChoice {
  std::string setting;  // transform
  std::string value;    // paper
  std::string summary;  // one line
};

struct BeliefKind {
  std::string name;      // tabular
  std::string settings;  // "repeat=1, mass=1": every setting with its default
  std::string summary;   // one line
  std::vector<BeliefChoice> choices;
};

std::span<const BeliefKind> belief_kinds();

// The belief that a spec names, about this environment: what it publishes is known, the rest has
// the conjugate prior. Throws InputError that names the spec's place.
std::unique_ptr<Belief> make_belief(Spec spec, const Environment& environment);

// The spec of the belief that fits the environment of this name.
std::string default_belief(const std::string& name, const Environment& environment);

}  // namespace vapor
