// The agents of a configuration on arrays: images, or vectors of features.
//
// Actor, critic and reward heads stand on one torso, as in the paper's agent, with one Adam and the
// weights of their losses as settings. The prior functions are a random network of their own.
#pragma once

#include <memory>
#include <string>

#include "vapor/core/random.h"
#include "vapor/deep/agent.h"
#include "vapor/deep/config.h"
#include "vapor/deep/observation_store.h"

namespace vapor::deep {

// `name` is one of agent_kinds(); all that is random about it at the start comes from `random`. The
// store must live as long as the agent. Throws InputError that names the setting.
std::unique_ptr<Agent> make_image_agent(const std::string& name, const Config& config,
                                        const ObservationStore& store, Index actions,
                                        const RandomStream& random);

}  // namespace vapor::deep
