#include "peers.h"

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "vapor/core/error.h"
#include "vapor/core/text.h"

namespace vapor::benchmark {
namespace {

namespace fs = std::filesystem;

std::string output_of(const std::string& command) {
  std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  if (!pipe) throw std::runtime_error("cannot start the peers");
  std::string text;
  std::array<char, 65536> buffer{};
  while (const std::size_t n = fread(buffer.data(), 1, buffer.size(), pipe.get()))
    text.append(buffer.data(), n);
  return text;
}

double number_or_zero(const nlohmann::json& row, const char* key) {
  return row.contains(key) && row[key].is_number() ? row[key].get<double>() : 0.0;
}

std::vector<PeerTime> rows_of(const std::string& command) {
  const nlohmann::json answer =
      nlohmann::json::parse(output_of(command), nullptr, /*allow_exceptions=*/false);
  if (answer.is_discarded() || !answer.contains("rows"))
    throw std::runtime_error("the peers gave no answer; run " + command);
  std::vector<PeerTime> times;
  for (const nlohmann::json& row : answer["rows"]) {
    PeerTime time;
    time.file = row.value("file", "");
    time.way = row.value("way", "");
    time.solver = row.value("solver", "");
    time.status = row.value("status", "");
    time.failed = time.status.rfind("failed", 0) == 0;
    time.seconds = number_or_zero(row, "seconds");
    time.solver_seconds = number_or_zero(row, "solver_seconds");
    time.value = number_or_zero(row, "value");
    time.iterations = static_cast<int>(number_or_zero(row, "iterations"));
    times.push_back(time);
  }
  return times;
}

}  // namespace

Peers::Peers() {
  for (fs::path folder = fs::read_symlink("/proc/self/exe").parent_path();
       folder != folder.parent_path(); folder = folder.parent_path())
    if (fs::exists(folder / "benchmarks/peers/time_peers.py")) {
      root_ = folder.string();
      break;
    }
  if (root_.empty())
    throw InputError("bench",
                     "the peers are in the source checkout, which is not around this program; "
                     "run it as ./run bench solver there, or with --no-peers");
  if (std::system((shell_word(root_ + "/scripts/setup-peers") + " >&2").c_str()) != 0)
    throw InputError("bench", "scripts/setup-peers failed; --no-peers leaves the peers out");
}

std::string Peers::python(const char* script) const {
  return shell_word(root_ + "/build/peers/bin/python") + " " +
         shell_word(root_ + "/benchmarks/peers/" + script);
}

std::vector<PeerTime> Peers::time(const PeerRequest& request) const {
  std::string command = python("time_peers.py");
  for (const std::string& file : request.files) command += " " + shell_word(file);
  command += fmt::format(" --json --ways {} --solvers {} --repeat {} --cap-seconds {}",
                         request.ways, request.solvers, request.repeat, request.cap_seconds);
  return rows_of(command);
}

PeerTime Peers::time_series(const std::string& how, const std::vector<std::string>& files) const {
  std::string command = python("moreau_series.py") + " " + how;
  for (const std::string& file : files) command += " " + shell_word(file);
  return rows_of(command).at(0);
}

}  // namespace vapor::benchmark
