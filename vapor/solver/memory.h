// How much memory a solve takes, from sizes alone, so that it can be refused before it is taken.
// The counts are of the tables that stand at the same time, with room for those that grow; a test
// (tests/allocation) holds them against what is really allocated.
#pragma once

#include <string>

#include "vapor/mdp/problem.h"
#include "vapor/solver/settings.h"

namespace vapor {

// A problem as it stands.
double bytes_of(const Problem& problem);

// What presolve takes at most, with the problem: the smaller problem may be as large.
double presolve_bytes(const Problem& problem);

// All that stands while `small`, what presolve left of `given`, is solved, without the factor of
// newton (BlockFactor::bytes_needed).
double solve_bytes(const Problem& given, const Problem& small, const Settings& settings);

// Throws InputError that names need and limit if a solve needs more than settings.max_memory.
void expect_room(const Settings& settings, double bytes, const char* what);

// "3.2 GB"
std::string bytes_text(double bytes);

}  // namespace vapor
