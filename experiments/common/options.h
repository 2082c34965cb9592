// Options of experiments. Each is text that changes the tables of a study; the default that --help
// shows is read from the tables.
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "experiments/common/study.h"
#include "names.h"

namespace vapor::experiments {

struct Option {
  std::string name;  // --depths
  std::string type;  // in --help and for completion: LIST, N, AGENTS
  std::string help;

  // Throws InputError that names the option.
  std::function<void(Study& study, const std::string& text)> apply;

  // The default, from the tables of a part.
  std::function<std::string(const Tables& tables)> otherwise;

  // If the type is the experiment's own: what its values may be.
  std::function<command::Values()> values = {};

  // The same option, whose default is said in words.
  Option saying(const std::string& words) const;
};

struct Range {
  std::int64_t low = 1;
  std::int64_t high = 1'000'000'000;
};

// A list of whole numbers, one whole number, or a number for {key} in the specs of every table.
Option list_of(const std::string& name, const std::string& key, Range range,
               const std::string& help);
Option whole_of(const std::string& name, const std::string& key, Range range,
                const std::string& help);
Option number_of(const std::string& name, const std::string& key, double low, double high,
                 const std::string& help);

// The number of seeds of every table, and the first of them.
Option seed_count(const std::string& help, const std::string& name = "--seeds",
                  Range range = {1, 10'000});
Option first_seed_option();

// The agents of every table, all with the values of the first of the tables that then are the same.
Option agents_option(const std::string& type = "AGENTS", const std::string& more_help = "");

// Of every table that has it.
Option episodes_option(const std::string& help, const std::string& name = "--episodes",
                       Range range = {});
Option frames_option(const std::string& help);

// An option that changes no table: `study.given` has it.
Option whole_aside(const std::string& name, Range range, const std::string& help,
                   const std::string& otherwise);

// "20,40" as whole numbers; throws InputError that names the option.
std::vector<std::int64_t> whole_list(const std::string& option, const std::string& text,
                                     Range range);

inline constexpr const char* kAgentsHelp =
    "Agents with commas between them, e.g. vapor,thompson; settings may follow a name: "
    "vapor-lite:c=2,schedule=false,thompson are two agents";
inline constexpr const char* kSolvedCap =
    "Cap: a seed that has not solved it by then is counted there";

}  // namespace vapor::experiments
