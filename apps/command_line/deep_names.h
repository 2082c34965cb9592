// What deep agents are and where they train, for names.h.
#pragma once

#include <vector>

#include "names.h"

namespace vapor::command {

std::vector<Kind> worlds();
std::vector<Kind> deep_agents();

}  // namespace vapor::command
