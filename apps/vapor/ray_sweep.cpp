// The Ray engine of `vapor sweep` is the Python package's: it makes the cells and says how each
// ended.
#include <fmt/format.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>
#include <vector>

#include "interruption.h"
#include "sweep_answer.h"
#include "vapor/core/error.h"
#include "vapor/run/child_process.h"

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

CellOutcome outcome_of(const nlohmann::json& said) {
  const std::string status = said.at("status");
  return {.status = status == "finished"       ? CellStatus::kFinished
                    : status == "was_finished" ? CellStatus::kWasFinished
                    : status == "failed"       ? CellStatus::kFailed
                                               : CellStatus::kUnfinished,
          .error = said.value("error", "")};
}

}  // namespace

int make_by_ray(SweepResult& result, const std::string& address, bool quiet) {
  const char* wanted = std::getenv("VAPOR_PYTHON");
  const std::string python = wanted != nullptr && *wanted != '\0' ? wanted : "python3";
  std::vector<std::string> words = {"-c", kStart, result.file, "--out", result.out};
  if (!address.empty()) words.insert(words.end(), {"--address", address});
  if (quiet) words.emplace_back("--quiet");
  ChildOutcome child;
  try {
    child = run_child(python, words, &interrupted());
  } catch (const std::system_error& error) {
    throw InputError("--engine ray",
                     fmt::format("cannot run {}: {}; set VAPOR_PYTHON to an interpreter that has "
                                 "the Python package vapor",
                                 python, error.code().message()));
  }
  if (child.exit_code != 0) return child.exit_code;  // it said why
  write_manifest(result.cells, result.out);
  const nlohmann::json said = nlohmann::json::parse(child.out);
  for (std::size_t i = 0; i < result.outcomes.size(); ++i)
    result.outcomes[i] = outcome_of(said.at(i));
  return 0;
}

}  // namespace vapor::command
