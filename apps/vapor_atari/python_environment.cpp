#include "python_environment.h"

#include <Python.h>
#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "vapor/core/error.h"

namespace vapor::atari {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRemedy =
    "run scripts/setup-atari, or set VAPOR_ATARI_PYTHON to the folder that it made";

bool is_environment(const fs::path& folder) {
  return fs::exists(folder / "pyvenv.cfg") && fs::exists(folder / "bin" / "python");
}

fs::path named_or_default() {
  if (const char* named = std::getenv("VAPOR_ATARI_PYTHON"); named != nullptr && *named != '\0') {
    if (is_environment(named)) return named;
    throw InputError("VAPOR_ATARI_PYTHON",
                     fmt::format("{} is no Python environment; {}", named, kRemedy));
  }
  const fs::path bin = fs::read_symlink("/proc/self/exe").parent_path();
  const fs::path built = bin.parent_path().parent_path() / "atari";
  const fs::path installed = bin.parent_path() / "share" / "vapor" / "atari";
  for (const fs::path& folder : {built, installed})
    if (is_environment(folder)) return folder;
  throw InputError("", fmt::format("there is no Python environment with the games in {}; {}",
                                   built.string(), kRemedy));
}

// "3.11" of the line "version = 3.11.2".
std::string version_of(const fs::path& environment) {
  std::ifstream file(environment / "pyvenv.cfg");
  std::string line;
  while (std::getline(file, line)) {
    if (!line.starts_with("version")) continue;
    const std::string version = line.substr(line.find_first_of("0123456789"));
    return version.substr(0, version.find('.', version.find('.') + 1));
  }
  return "an unknown version";
}

}  // namespace

fs::path find_python_environment() {
  const fs::path folder = fs::absolute(named_or_default());
  const std::string version = version_of(folder);
  const std::string own = fmt::format("{}.{}", PY_MAJOR_VERSION, PY_MINOR_VERSION);
  if (version != own)
    throw InputError("", fmt::format("the environment {} is of Python {}, and vapor-atari was "
                                     "built with {}; remove it and {}",
                                     folder.string(), version, own, kRemedy));
  return folder;
}

void start_python(const fs::path& environment) {
  PyConfig config;
  PyConfig_InitIsolatedConfig(&config);
  // An interpreter of this name stands beside pyvenv.cfg, which leads to the packages.
  const std::string interpreter = (environment / "bin" / "python").string();
  PyStatus status = PyConfig_SetBytesString(&config, &config.program_name, interpreter.c_str());
  if (PyStatus_Exception(status) == 0)
    status = PyConfig_SetBytesString(&config, &config.executable, interpreter.c_str());
  if (PyStatus_Exception(status) == 0) status = Py_InitializeFromConfig(&config);
  PyConfig_Clear(&config);
  if (PyStatus_Exception(status) != 0)
    throw InputError("", fmt::format("Python does not start with the environment {}: {}; {}",
                                     environment.string(),
                                     status.err_msg == nullptr ? "" : status.err_msg, kRemedy));
}

}  // namespace vapor::atari
