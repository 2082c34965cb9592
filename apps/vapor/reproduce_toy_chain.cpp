// `vapor reproduce toy-chain`.
#include <memory>
#include <string>

#include "reproduce.h"
#include "vapor/experiment/toy_chain_table.h"

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

}  // namespace

void add_reproduce_toy_chain(CLI::App& parent, Action& action) {
  auto options = std::make_shared<ToyChainOptions>();
  CLI::App* command =
      add_experiment(parent, "toy-chain", "Table 1: episodes to the end of the toy chain, exactly",
                     options->common);
  command->add_option("--lengths", options->lengths, "Lengths of the chain, e.g. 5,10,20")
      ->type_name("LIST");
  command
      ->add_option("--repetitions", options->repetitions,
                   "Simulated repetitions beside the exact numbers")
      ->check(CLI::Range(1, 1'000'000));
  command->footer(
      "Examples:\n"
      "  vapor reproduce toy-chain\n"
      "  vapor reproduce toy-chain --lengths 3,50 --json");
  command->callback([options, &action] {
    action = [options] {
      return run_reproduction("toy-chain", options->common, [&](const ReproductionOptions& how) {
        return reproduce_toy_chain(table_of(*options), how);
      });
    };
  });
}

}  // namespace vapor::command
