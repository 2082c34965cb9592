// The agents by name, as the command line and the records write them.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "vapor/agent/agent.h"
#include "vapor/belief/belief.h"
#include "vapor/core/spec.h"
#include "vapor/mdp/cost.h"

namespace vapor {

using AgentKind = SpecKind;

std::span<const AgentKind> agent_kinds();

// The agent that a spec names, e.g. epsilon-greedy:epsilon=0.1. Every agent gets the belief; those
// that do not reason about uncertainty take the shape and the start from it, and no more.
// What is known about the states is the belief's places(), or `places` if those are given: agents
// that keep counts of their own share them over layers where places are stationary, and know where
// an episode is over.
// `cost` is what is known of a cost beside the reward; agents that learn under a budget ask for it.
// Throws InputError that names the spec's place.
std::unique_ptr<Agent> make_agent(Spec spec, std::unique_ptr<Belief> belief,
                                  std::optional<Places> places = {}, std::optional<Cost> cost = {});

}  // namespace vapor
