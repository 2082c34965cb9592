// What the experiments of `vapor reproduce` share. Each has a file of its own that adds its
// subcommand.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "commands.h"
#include "terminal.h"
#include "vapor/experiment/reproduction.h"

namespace vapor::command {

// What every experiment takes.
struct ExperimentOptions {
  bool quick = false;
  std::string out;
  int threads = 0;
  Output output;
};

// The subcommand of an experiment with the options that all have.
CLI::App* add_experiment(CLI::App& parent, const char* name, const char* summary,
                         ExperimentOptions& common);

using Reproduce = std::function<Findings(const ReproductionOptions&)>;
using PrintForPeople = std::function<void(const Findings&)>;

// One array of the findings, of objects with the same names, as a table under its name.
void print_findings_table(const Findings& findings, const std::string& name);

// Every such array.
void print_findings(const Findings& findings);

// Runs an experiment and prints what it found, for people or as JSON.
int run_reproduction(const std::string& name, const ExperimentOptions& common,
                     const Reproduce& reproduce, const PrintForPeople& print = print_findings);

// "20,40" as whole numbers >= 1; throws InputError that names `place`.
std::vector<int> parse_list(const std::string& place, const std::string& text);

void add_reproduce_deep_sea(CLI::App& parent, Action& action);
void add_reproduce_four_rooms(CLI::App& parent, Action& action);
void add_reproduce_grid_world(CLI::App& parent, Action& action);
void add_reproduce_regret(CLI::App& parent, Action& action);
void add_reproduce_toy_chain(CLI::App& parent, Action& action);

}  // namespace vapor::command
