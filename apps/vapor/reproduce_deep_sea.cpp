// `vapor reproduce deep-sea`.
#include <memory>
#include <optional>
#include <string>

#include "reproduce.h"
#include "vapor/run/deep_sea_study.h"

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
  if (!options.agents.empty()) study.agents = split_specs("--agents", options.agents, "AGENT");
  if (!options.setting.empty()) study.settings = {deep_sea_setting(options.setting)};
  if (options.seeds > 0) study.seeds = options.seeds;
  study.first_seed = options.first_seed.value_or(study.first_seed);
  if (options.episodes > 0) study.episodes = options.episodes;
  return study;
}

void print_deep_sea(const Findings& findings) {
  print_findings_table(without(findings, "rows", {"seeds"}), "rows",
                       "episodes until solved, " + capped_mean(findings));
  print_findings_table(findings, "growth", "the slope of log episodes against log depth");
}

}  // namespace

void add_reproduce_deep_sea(CLI::App& parent, Action& action) {
  auto options = std::make_shared<DeepSeaOptions>();
  CLI::App* command = add_experiment(
      parent, "deep-sea", "Figure 3: learning time on DeepSea against its depth", options->common);
  const DeepSeaStudy full = deep_sea_figure();
  const DeepSeaStudy quick = deep_sea_quick();
  add_text(*command, "--depths", options->depths, "LIST", "Depths, e.g. 20,40")
      ->default_str(default_text(list_text(full.depths), list_text(quick.depths)));
  add_seeds(*command, *options, full, quick, "Seeds of each cell");
  add_text(*command, "--agents", options->agents, "AGENTS", kAgentsHelp)
      ->default_str(list_text(full.agents));
  add_text(*command, "--setting", options->setting, "SETTING",
           "literal, contrast or the spec of a belief")
      ->default_str("literal and contrast");
  add_whole(*command, "--episodes", options->episodes, kEpisodes,
            "Cap: a seed that has not solved it by then is counted there")
      ->default_str(default_text(full.episodes, quick.episodes));
  command->add_flag("--study", options->study,
                    "The grid of settings from which `contrast` was chosen, on seeds of its own");
  command->footer(
      "Examples:\n"
      "  vapor reproduce deep-sea --quick\n"
      "  vapor reproduce deep-sea --depths 20,40 --seeds 4 --agents vapor,thompson --json\n"
      "  vapor reproduce deep-sea --setting tabular:repeat=100,variance=0.1,transform=range");
  command->callback([options, &action] {
    action = [options] {
      return run_reproduction(
          options->study ? "deep-sea-study" : "deep-sea", options->common,
          [&](const ReproductionOptions& how) {
            return reproduce_deep_sea(deep_sea_of(*options), how);
          },
          print_deep_sea);
    };
  });
}

}  // namespace vapor::command
