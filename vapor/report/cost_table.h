// What the agents of a study paid beside their rewards, and how far above the budget that was: a
// table, a row a task and agent.
#pragma once

#include <optional>

#include "vapor/report/figure.h"
#include "vapor/report/study.h"

namespace vapor {

// Nothing if no run of the study has costs.
std::optional<Figure> cost_table(const Study& study, const std::string& id);

}  // namespace vapor
