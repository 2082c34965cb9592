// The problem file: JSON, format "vapor-problem", version 1 (docs/problem-file.md).
#pragma once

#include <iosfwd>
#include <limits>
#include <string>

#include "vapor/mdp/problem.h"

namespace vapor {

// Reads and validates; throws InputError that names the place for anything that is not a problem.
// Never needs more memory than a small multiple of the problem itself, whatever the bytes are, and
// refuses what would need more than `max_memory` bytes while it reads.
Problem read_problem(std::istream& in, double max_memory = std::numeric_limits<double>::infinity());
Problem read_problem_file(const std::string& path,
                          double max_memory = std::numeric_limits<double>::infinity());

void write_problem(std::ostream& out, const Problem& problem);
void write_problem_file(const std::string& path, const Problem& problem);

}  // namespace vapor
