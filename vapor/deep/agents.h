// The agents of a configuration on table networks.
#pragma once

#include <memory>
#include <string>

#include "vapor/core/random.h"
#include "vapor/deep/agent.h"
#include "vapor/deep/config.h"

namespace vapor::deep {

// `name` is one of agent_kinds(); all that is random about it at the start comes from `random`.
std::unique_ptr<Agent> make_table_agent(const std::string& name, const Config& config,
                                        Index observations, Index actions,
                                        const RandomStream& random);

}  // namespace vapor::deep
