#include "ray_sweep.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "vapor/core/error.h"

namespace vapor::command {
namespace {

// `python3 -m vapor.sweeps`, but that a missing package is one line which says what to do.
constexpr const char* kStart = R"(import sys
try:
    from vapor.sweeps.__main__ import main
except ModuleNotFoundError as error:
    sys.stderr.write(f"vapor: --engine ray: {error}, asked of {sys.executable}; install the Python "
                     "package there (pip install '.[ray]' in a checkout), or set VAPOR_PYTHON to an "
                     "interpreter that has it\n")
    sys.exit(2)
sys.exit(main(sys.argv[1:]))
)";

}  // namespace

void become_ray_sweep(const RaySweep& sweep) {
  const char* wanted = std::getenv("VAPOR_PYTHON");
  const std::string python = wanted != nullptr && *wanted != '\0' ? wanted : "python3";
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  if (!error) setenv("VAPOR_COMMAND", self.c_str(), 1);  // it prints the table at the end
  std::vector<std::string> words = {python, "-c", kStart, sweep.file, "--out", sweep.out};
  if (!sweep.address.empty()) words.insert(words.end(), {"--address", sweep.address});
  if (sweep.json) words.emplace_back("--json");
  if (sweep.quiet) words.emplace_back("--quiet");
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  execvp(python.c_str(), argv.data());
  throw InputError("--engine ray",
                   fmt::format("cannot run {}: {}; set VAPOR_PYTHON to an interpreter that has the "
                               "Python package vapor",
                               python, std::strerror(errno)));
}

}  // namespace vapor::command
