// An experiment: a folder experiments/NAME with sweep.toml (what is run) and findings.cpp (its
// options, how what was found comes from records, how it is printed), which defines
// vapor::experiments::NAME::experiment(), with _ for each - of the folder's name. The build finds
// them; docs/how-to/add-an-experiment.md is the way to a new one.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "experiments/common/options.h"
#include "experiments/common/study.h"

namespace vapor::experiments {

struct Experiment {
  std::string summary;  // "Figure 3: learning time on DeepSea against its depth"
  std::vector<Option> options;
  std::string footer;  // examples, and what else --help should say

  // Tables beside full and quick that are made instead, each by a flag of its name: what it is.
  std::map<std::string, std::string> parts;

  // What reports should know of its columns, beside what `findings` says of them itself:
  //   unit   what they count in, e.g. episodes
  //   title  in place of the name
  //   line   the name of a line to draw beside the regret of runs, of rows with `env` and
  //          `episodes`, and `about`, a sentence on it
  ordered_json columns;

  // What was found, `rows` and whatever else, from the records of the cells, which are made. Empty:
  // `compute` does all of it.
  std::function<Findings(const Study&, const std::vector<Cell>&)> findings;

  // For experiments that make no runs.
  std::function<Findings(const Study&, const ReproductionOptions&)> compute;

  std::function<void(const Findings&)> print;

  std::string name;   // of its folder; the registry knows it
  std::string sweep;  // the text of its sweep.toml, likewise
};

// All of them, by name.
const std::vector<Experiment>& experiments();

// {"solved", in("episodes")} is a column that counts in episodes.
inline ordered_json in(const char* unit) { return {{"unit", unit}}; }

// Throws InputError with a suggestion.
const Experiment& experiment(const std::string& name);

// The tables of a part of the sweep.
Tables tables_of(const Experiment& experiment, const std::string& part);

// A part of the sweep, changed by options in the order in which the experiment has them. Throws
// InputError that names the option.
Study study_of(const Experiment& experiment, const std::string& part,
               const std::map<std::string, std::string>& given = {});

// Makes what is not made yet and says what was found: `experiment`, then the experiment's own, then
// `columns`. Throws InputError, or Interrupted.
Findings reproduce(const Experiment& experiment, const Study& study,
                   const ReproductionOptions& options);

}  // namespace vapor::experiments
