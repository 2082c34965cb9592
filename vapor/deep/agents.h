// The agents of a configuration. `name` is one of agent_kinds(); all that is random about an agent
// at the start comes from `random`. Throw InputError that names the setting.
#pragma once

#include <memory>
#include <string>

#include "vapor/core/random.h"
#include "vapor/deep/agent.h"
#include "vapor/deep/config.h"
#include "vapor/nn/observation_store.h"

namespace vapor::deep {

// On indices: actor, critic and ensemble are table networks of their own.
std::unique_ptr<Agent> make_table_agent(const std::string& name, const Config& config,
                                        Index observations, Index actions,
                                        const RandomStream& random);

// On arrays, images or vectors of features: actor, critic and reward heads stand on one torso, as
// in the paper's agent, with one Adam and the weights of their losses as settings; the prior
// functions are a random network of their own. The store must live as long as the agent. Opens the
// part with torch (vapor/nn/torch_part.h).
std::unique_ptr<Agent> make_array_agent(const std::string& name, const Config& config,
                                        const ObservationStore& store, Index actions,
                                        const RandomStream& random);

}  // namespace vapor::deep
