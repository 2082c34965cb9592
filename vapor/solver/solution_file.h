// The solution file: JSON, format "vapor-solution", version 1. The certificate and, as layers x
// states x actions (or layers x states), occupancy, policy, temperature and values. What does not
// exist (docs/solver.md) is null.
#pragma once

#include <string>
#include <vector>

#include "vapor/mdp/shape.h"
#include "vapor/solver/settings.h"
#include "vapor/solver/solution.h"

namespace vapor {

// The certificate alone, as the members of one JSON object in one line: "status": "solved", ...
std::string certificate_json(const Solution& solution, Method method);

void write_solution_file(const std::string& path, const Shape& shape, const Solution& solution,
                         Method method);

// The policy of a solution file, for a warm start. Throws InputError that names the place if the
// file is not one or does not fit the shape.
std::vector<double> read_policy(const std::string& path, const Shape& shape);

}  // namespace vapor
