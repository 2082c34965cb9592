// `vapor reproduce deep-sea`.
#include <memory>
#include <optional>
#include <string>

#include "reproduce.h"
#include "vapor/experiment/deep_sea_study.h"

namespace vapor::command {
namespace {

struct DeepSeaOptions {
  ExperimentOptions common;
  std::string depths, agents, setting;
  int seeds = 0;
  std::optional<std::uint64_t> first_seed;
  std::int64_t episodes = 0;
  bool study = false;
};

DeepSeaStudy deep_sea_of(const DeepSeaOptions& options) {
  DeepSeaStudy study = options.study          ? deep_sea_settings_grid()
                       : options.common.quick ? deep_sea_quick()
                                              : deep_sea_figure();
  if (!options.depths.empty()) study.depths = parse_list("--depths", options.depths);
  if (!options.agents.empty()) study.agents = CLI::detail::split(options.agents, ',');
  if (!options.setting.empty()) study.settings = {deep_sea_setting(options.setting)};
  if (options.seeds > 0) study.seeds = options.seeds;
  study.first_seed = options.first_seed.value_or(study.first_seed);
  if (options.episodes > 0) study.episodes = options.episodes;
  return study;
}

}  // namespace

void add_reproduce_deep_sea(CLI::App& parent, Action& action) {
  auto options = std::make_shared<DeepSeaOptions>();
  CLI::App* command = add_experiment(
      parent, "deep-sea", "Figure 3: learning time on DeepSea against its depth", options->common);
  command->add_option("--depths", options->depths, "Depths, e.g. 20,40")->type_name("LIST");
  command->add_option("--seeds", options->seeds, "Seeds of each cell")->check(CLI::Range(1, 10000));
  command->add_option("--first-seed", options->first_seed, "The first seed")->check(kSeedRange);
  command->add_option("--agents", options->agents, "Agents, e.g. vapor,thompson")
      ->type_name("LIST");
  command
      ->add_option("--setting", options->setting,
                   "literal, contrast or the spec of a belief (default: literal and contrast)")
      ->type_name("S");
  command
      ->add_option("--episodes", options->episodes,
                   "Cap: a seed that has not solved it by then is counted there")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000'000}));
  command->add_flag("--study", options->study,
                    "The grid of settings from which `contrast` was chosen, on seeds of its own");
  command->footer(
      "Examples:\n"
      "  vapor reproduce deep-sea --quick\n"
      "  vapor reproduce deep-sea --depths 20,40 --seeds 4 --agents vapor,thompson --json\n"
      "  vapor reproduce deep-sea --setting tabular:repeat=100,variance=0.1,transform=range");
  command->callback([options, &action] {
    action = [options] {
      return run_reproduction(options->study ? "deep-sea-study" : "deep-sea", options->common,
                              [&](const ReproductionOptions& how) {
                                return reproduce_deep_sea(deep_sea_of(*options), how);
                              });
    };
  });
}

}  // namespace vapor::command
