// `vapor reproduce toy-chain`.
#include <memory>
#include <string>

#include "reproduce.h"
#include "vapor/run/toy_chain_table.h"

namespace vapor::command {
namespace {

struct ToyChainOptions {
  ExperimentOptions common;
  std::string lengths;
  int repetitions = 0;
};

ToyChainTable table_of(const ToyChainOptions& options) {
  ToyChainTable table = options.common.quick ? toy_chain_quick() : toy_chain_table();
  if (!options.lengths.empty()) table.lengths = parse_list("--lengths", options.lengths);
  if (options.repetitions > 0) table.repetitions = options.repetitions;
  return table;
}

void print_toy_chain(const Findings& findings) {
  Findings shown = findings;
  for (auto& row : shown["rows"])  // a number that is not the paper's is marked there
    if (row["agrees"] == false)
      row["paper"] = "not " + (row["paper"].is_string() ? row["paper"].get<std::string>()
                                                        : row["paper"].dump());
  print_findings_table(without(shown, "rows", {"pi_sl_right", "agrees"}), "rows",
                       "table 1: episodes until the end of the chain is reached");
  print_findings_table(without(shown, "one_action_rows", {"pi_sl_right"}), "one_action_rows",
                       "the same chain as figure 1 is drawn");
  fmt::print("{}\n", dim("pi s1, pi sl: probabilities of (down, right) in the first state and "
                         "in those after it"));
}

}  // namespace

void add_reproduce_toy_chain(CLI::App& parent, Action& action) {
  auto options = std::make_shared<ToyChainOptions>();
  CLI::App* command =
      add_experiment(parent, "toy-chain", "Table 1: episodes to the end of the toy chain, exactly",
                     options->common);
  const ToyChainTable full = toy_chain_table();
  const ToyChainTable quick = toy_chain_quick();
  add_text(*command, "--lengths", options->lengths, "LIST", "Lengths of the chain, e.g. 5,10,20")
      ->default_str(default_text(list_text(full.lengths), list_text(quick.lengths)));
  add_whole(*command, "--repetitions", options->repetitions, {1, 1'000'000},
            "Simulated repetitions beside the exact numbers")
      ->default_str(default_text(full.repetitions, quick.repetitions));
  command->footer(
      "Examples:\n"
      "  vapor reproduce toy-chain\n"
      "  vapor reproduce toy-chain --lengths 3,50 --json");
  command->callback([options, &action] {
    action = [options] {
      return run_reproduction(
          "toy-chain", options->common,
          [&](const ReproductionOptions& how) {
            return reproduce_toy_chain(table_of(*options), how);
          },
          print_toy_chain);
    };
  });
}

}  // namespace vapor::command
