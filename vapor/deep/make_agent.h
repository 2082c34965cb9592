// How an agent on observations is made (agents.h), with networks on arrays or, in tests, without.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "vapor/deep/agent.h"
#include "vapor/deep/config.h"
#include "vapor/nn/observation_store.h"

namespace vapor::deep {

using MakeAgent = std::function<std::unique_ptr<Agent>(const std::string& name, const Config&,
                                                       const nn::ObservationStore&, Index actions,
                                                       const RandomStream&)>;

}  // namespace vapor::deep
