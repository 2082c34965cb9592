#include "vapor/mdp/problem_file.h"

#include "vapor/core/input_file.h"
#include "vapor/core/output_file.h"

namespace vapor {

Problem read_problem_file(const std::string& path, double max_memory) {
  std::ifstream in = open_to_read(path);
  return read_problem(in, max_memory);
}

void write_problem_file(const std::string& path, const Problem& problem) {
  write_file(path, [&](std::ostream& out) { write_problem(out, problem); });
}

}  // namespace vapor
