// What the experiments of `vapor reproduce` share, in both programs.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>
#include <string>
#include <vector>

#include "action.h"
#include "options.h"
#include "vapor/run/reproduction.h"

namespace vapor::command {

// What every experiment takes.
struct ExperimentOptions {
  bool quick = false;
  std::string out;
  int threads = 0;
  Output output;
  const CLI::App* command = nullptr;  // that took them
};

// The subcommand of an experiment with the options that all have.
CLI::App* add_experiment(CLI::App& parent, const char* name, const char* summary,
                         ExperimentOptions& common);

// Of the option --agents of every experiment.
inline constexpr const char* kAgentsHelp =
    "Agents with commas between them, e.g. vapor,thompson; settings may follow a name: "
    "vapor-lite:c=2,schedule=false,thompson are two agents";
inline constexpr WholeRange kSeedCount = {1, 10'000};
inline constexpr WholeRange kEpisodes = {1, 1'000'000'000};

// The findings without some columns of a table: what people read in a line of 100 characters.
Findings without(Findings findings, const std::string& table,
                 const std::vector<std::string>& columns);

// "mean over 10 seeds ± standard error; never counts as 1500": the cap of --episodes.
std::string capped_mean(const Findings& findings);

using Reproduce = std::function<Findings(const ReproductionOptions&)>;
using PrintForPeople = std::function<void(const Findings&)>;

// One array of the findings, of objects with the same names, as a table under its name and what it
// is about.
void print_findings_table(const Findings& findings, const std::string& name,
                          const std::string& about = "");

// Runs an experiment and prints what it found, for people or as JSON.
int run_reproduction(const std::string& name, const ExperimentOptions& common,
                     const Reproduce& reproduce, const PrintForPeople& print);

// "20, 40": the default of an option that takes a list.
template <typename Numbers>
std::string list_text(const Numbers& numbers) {
  return fmt::format("{}", fmt::join(numbers, ", "));
}

// The default of an option whose number the experiment's sweep.json has, in full and --quick.
template <typename T>
std::string default_text(const T& full, const T& quick) {
  return full == quick ? fmt::format("{}", full) : fmt::format("{}; with --quick {}", full, quick);
}

// --seeds and --first-seed of an experiment; its options and its studies have both as fields.
template <typename Options, typename Study>
void add_seeds(CLI::App& command, Options& options, const Study& full, const Study& quick,
               const std::string& help) {
  add_whole(command, "--seeds", options.seeds, kSeedCount, help)
      ->default_str(default_text(full.seeds, quick.seeds));
  add_whole(command, "--first-seed", options.first_seed, kSeeds, "The first seed")
      ->default_str(default_text(full.first_seed, quick.first_seed));
}

}  // namespace vapor::command
