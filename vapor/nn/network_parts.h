// One network as several: each part has some of the columns of its outputs, and the layers below
// are shared. This is how actor, critic and reward heads stand on one torso.
//
// The whole runs once for all parts that ask for the same observations one after another, and it
// steps when every part has stepped. What one part is told of episodes and first rows holds for
// all.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "vapor/nn/network.h"

namespace vapor::nn {

struct NetworkPart {
  Index outputs = 1;    // columns, >= 1; the parts have theirs side by side, in their order
  double weight = 1.0;  // factor of its gradient, which is the weight of its loss
};

// The parts keep the whole alive. The first of them archives all of it, the others nothing.
std::vector<std::unique_ptr<Network>> split_network(std::unique_ptr<Network> whole,
                                                    std::span<const NetworkPart> parts);

}  // namespace vapor::nn
