#include "vapor/mdp/problem_file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "vapor/core/error.h"
#include "vapor/core/output_file.h"

namespace vapor {

Problem read_problem_file(const std::string& path, double max_memory) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    throw InputError(path, "cannot be read: is a directory");
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  if (!in) throw InputError(path, std::string("cannot be read: ") + std::strerror(errno));
  return read_problem(in, max_memory);
}

void write_problem_file(const std::string& path, const Problem& problem) {
  write_file(path, [&](std::ostream& out) { write_problem(out, problem); });
}

}  // namespace vapor
