// `vapor reproduce deep-sea-net`.
#include <memory>
#include <optional>
#include <string>

#include "reproduce.h"
#include "trainings.h"
#include "vapor/deep/deep_sea_net.h"
#include "vapor/run/sweep_data.h"

namespace vapor::command {
namespace {

struct DeepSeaNetOptions {
  ExperimentOptions common;
  std::string depths, agents;
  int seeds = 0;
  std::optional<std::uint64_t> first_seed;
  std::int64_t episodes = 0;
};

deep::DeepSeaNet deep_sea_net(bool quick) {
  return deep::deep_sea_net_of(experiment_sweep("deep-sea-net").at(quick ? "quick" : "full"));
}

deep::DeepSeaNet net_of(const DeepSeaNetOptions& options) {
  deep::DeepSeaNet net = deep_sea_net(options.common.quick);
  if (!options.agents.empty()) deep::choose_agents(net, options.agents);
  for (deep::SeaLine& line : net.lines) {
    if (!options.depths.empty()) line.depths = parse_list("--depths", options.depths);
    if (options.episodes > 0) line.episodes = options.episodes;
  }
  if (options.seeds > 0) net.seeds = options.seeds;
  net.first_seed = options.first_seed.value_or(net.first_seed);
  return net;
}

void print_net(const Findings& findings) {
  print_findings_table(
      without(findings, "rows",
              {"spec", "seeds", "solved_by_seed", "first_success_by_seed", "found_seeds",
               "mean_return"}),
      "rows", "episodes until solved, mean over seeds; a seed that never does counts as the cap");
  print_findings_table(without(findings, "reach", {"spec"}), "reach",
                       "how deep a sea every seed solves");
}

std::string agents_of(const deep::DeepSeaNet& net) {
  std::string names;
  for (const deep::SeaLine& line : net.lines)
    names += (names.empty() ? "" : ", ") + line.agent.substr(0, line.agent.find(':'));
  return names;
}

}  // namespace

void add_reproduce_deep_sea_net(CLI::App& parent, Action& action) {
  auto options = std::make_shared<DeepSeaNetOptions>();
  CLI::App* command = add_experiment(
      parent, "deep-sea-net", "Appendix I: VAPOR-lite and its rivals with networks on DeepSea",
      options->common);
  const deep::DeepSeaNet full = deep_sea_net(false);
  const deep::DeepSeaNet quick = deep_sea_net(true);
  add_text(*command, "--depths", options->depths, "LIST", "Depths of every agent, e.g. 20,40")
      ->default_str("each agent's own");
  add_seeds(*command, *options, full, quick, "Seeds of each cell");
  add_text(*command, "--agents", options->agents, "LIST",
           "Agents with commas between them; a name alone has the settings it was tuned to")
      ->default_str(default_text(agents_of(full), agents_of(quick)));
  add_whole(*command, "--episodes", options->episodes, kEpisodes,
            "Cap: a seed that has not solved it by then is counted there")
      ->default_str("each agent's own");
  command->footer(
      "Examples:\n"
      "  vapor reproduce deep-sea-net --quick\n"
      "  vapor reproduce deep-sea-net --agents vapor-lite,boot-dqn --depths 20,30 --json\n"
      "Depths, caps and tuned settings: experiments/deep-sea-net/sweep.json");
  command->callback([options, &action] {
    action = [options] {
      return run_reproduction(
          "deep-sea-net", options->common,
          [&](const ReproductionOptions& how) {
            const deep::DeepSeaNet net = net_of(*options);
            make_trainings(runs_of(study_of(net), how.out), how);
            return deep_sea_net_findings(net, how.out);
          },
          print_net);
    };
  });
}

}  // namespace vapor::command
