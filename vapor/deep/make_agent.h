// How an agent on observations is made: what the part with networks on arrays offers (torch_part.h).
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "vapor/deep/agent.h"
#include "vapor/deep/config.h"
#include "vapor/deep/observation_store.h"

namespace vapor::deep {

using MakeAgent = std::function<std::unique_ptr<Agent>(const std::string& name, const Config&,
                                                       const ObservationStore&, Index actions,
                                                       const RandomStream&)>;

}  // namespace vapor::deep
