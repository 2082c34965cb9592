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

// The relative gap to which agents that solve a program each episode solve it: what they learn is
// the same at 1e-9 (docs/agents.md). A budget is kept more exactly: by as much as the tolerance a
// plan may exceed it. Records say it, and those that do not were begun with the old one.
inline constexpr double kLearningTolerance = 1e-2;
inline constexpr double kBudgetTolerance = 1e-9;
inline constexpr double kOldTolerance = 1e-9;

// The tolerance that such an agent has if its spec names none; nothing if it does, or if the agent
// has none.
std::optional<double> default_tolerance(const Spec& spec);

// The spec with this tolerance in place of the default one: vapor:tolerance=1e-09.
std::string with_tolerance(const std::string& spec, double tolerance);

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
