// The grid of a sweep file as a list of cells: environments x agents x beliefs x settings x seeds,
// in this order, the seeds running fastest.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "vapor/run/run_settings.h"
#include "vapor/run/sweep_file.h"

namespace vapor {

// A training as `vapor train` takes it; what is not given is that command's default.
struct TrainCellSettings {
  std::string env;
  std::string agent;
  std::optional<std::int64_t> episodes;
  std::optional<std::int64_t> frames;
  std::uint64_t seed = 1;
  bool stop_when_solved = false;
};

struct GridCell {
  std::variant<RunSettings, TrainCellSettings> settings;  // of a run: complete
  std::string folder;                 // below that of the sweep: [NAME/]ENV/AGENT[+BELIEF]/seed-S
  std::int64_t checkpoint_every = 0;  // episodes; 0: by time; it changes no byte of the record
  std::map<std::string, std::string> values;  // what `vary` gave to each {name} of its specs

  const RunSettings* run() const { return std::get_if<RunSettings>(&settings); }
  const TrainCellSettings* train() const { return std::get_if<TrainCellSettings>(&settings); }
  const std::string& env() const;
  const std::string& agent() const;
  std::uint64_t seed() const;

  // The command that makes it, without the name of the program and without where it is to be made:
  // {"run", "--env", "deep_sea", ...}.
  std::vector<std::string> words() const;
};

// Makes every environment, belief and agent of the runs once to find out whether they are good; the
// trainings are looked at when they start. Throws InputError that names the place in the file.
std::vector<GridCell> cells_of(const std::vector<SweepTable>& tables);

inline std::vector<GridCell> read_sweep(const std::string& path) {
  return cells_of(read_sweep_file(path));
}

}  // namespace vapor
