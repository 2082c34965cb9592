// `vapor reproduce regret`.
#include <memory>
#include <optional>
#include <string>

#include "reproduce.h"
#include "vapor/experiment/regret_curves.h"

namespace vapor::command {
namespace {

struct RegretOptions {
  ExperimentOptions common;
  std::string agents, dynamics;
  int seeds = 0;
  std::optional<std::uint64_t> first_seed;
  std::int64_t episodes = 0;
  Index layers = 0, states = 0, actions = 0;
};

RegretStudy study_of(const RegretOptions& options) {
  RegretStudy study = options.common.quick ? regret_quick() : regret_study();
  if (!options.agents.empty()) study.agents = CLI::detail::split(options.agents, ',');
  if (!options.dynamics.empty()) study.dynamics = {options.dynamics};
  if (options.seeds > 0) study.seeds = options.seeds;
  study.first_seed = options.first_seed.value_or(study.first_seed);
  if (options.episodes > 0) study.episodes = options.episodes;
  if (options.layers > 0) study.layers = options.layers;
  if (options.states > 0) study.states = options.states;
  if (options.actions > 0) study.actions = options.actions;
  return study;
}

}  // namespace

void add_reproduce_regret(CLI::App& parent, Action& action) {
  auto options = std::make_shared<RegretOptions>();
  CLI::App* command = add_experiment(
      parent, "regret", "Theorems 1 and 2: Bayes regret beside its bound", options->common);
  command->add_option("--episodes", options->episodes, "Episodes of each run")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000'000}));
  command
      ->add_option("--seeds", options->seeds,
                   "Seeds, each with an MDP of its own drawn from the prior")
      ->check(CLI::Range(1, 10000));
  command->add_option("--first-seed", options->first_seed, "The first seed")->check(kSeedRange);
  command->add_option("--layers", options->layers, "Steps of an episode")
      ->check(CLI::Range(1, 1000));
  command->add_option("--states", options->states, "States of a layer")->check(CLI::Range(1, 1000));
  command->add_option("--actions", options->actions, "Actions of a state")
      ->check(CLI::Range(1, 1000));
  command->add_option("--agents", options->agents, "Agents, e.g. vapor,thompson")
      ->type_name("LIST");
  command
      ->add_option("--dynamics", options->dynamics,
                   "Whether agents know the dynamics: known or unknown (default: both in turn)")
      ->type_name("D");
  command->footer(
      "Examples:\n"
      "  vapor reproduce regret --quick\n"
      "  vapor reproduce regret --layers 2 --states 2 --actions 2 --out out/experiments/regret-2\n"
      "  vapor reproduce regret --dynamics known --agents vapor,thompson --seeds 100 --json");
  command->callback([options, &action] {
    action = [options] {
      return run_reproduction("regret", options->common, [&](const ReproductionOptions& how) {
        return reproduce_regret(study_of(*options), how);
      });
    };
  });
}

}  // namespace vapor::command
