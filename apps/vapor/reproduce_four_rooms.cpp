// `vapor reproduce four-rooms`.
#include <memory>
#include <optional>
#include <string>

#include "reproduce.h"
#include "vapor/run/four_rooms_coverage.h"

namespace vapor::command {
namespace {

struct FourRoomsOptions {
  ExperimentOptions common;
  std::string sizes, agents;
  int seeds = 0;
  std::optional<std::uint64_t> first_seed;
  std::int64_t episodes = 0;
};

FourRoomsCoverage four_rooms_of(const FourRoomsOptions& options) {
  FourRoomsCoverage study = options.common.quick ? four_rooms_quick() : four_rooms_figure();
  if (!options.sizes.empty()) study.sizes = parse_list("--sizes", options.sizes);
  if (!options.agents.empty()) {
    study.agents.clear();
    for (const std::string& agent : split_specs("--agents", options.agents, "AGENT"))
      study.agents.push_back({agent});
  }
  if (options.seeds > 0) study.seeds = options.seeds;
  study.first_seed = options.first_seed.value_or(study.first_seed);
  if (options.episodes > 0) study.episodes = options.episodes;
  return study;
}

void print_four_rooms(const Findings& findings) {
  print_findings_table(without(findings, "rows", {"seeds", "pairs"}), "rows",
                       "episodes until all is tried, " + capped_mean(findings));
  if (!findings["comparison"].empty())
    print_findings_table(findings, "comparison", "the plain entropy against the weighted one");
}

}  // namespace

void add_reproduce_four_rooms(CLI::App& parent, Action& action) {
  auto options = std::make_shared<FourRoomsOptions>();
  CLI::App* command =
      add_experiment(parent, "four-rooms",
                     "Appendix I: episodes to cover four rooms without rewards", options->common);
  const FourRoomsCoverage full = four_rooms_figure();
  const FourRoomsCoverage quick = four_rooms_quick();
  add_text(*command, "--sizes", options->sizes, "LIST", "Sizes, odd, e.g. 5,7,9")
      ->default_str(default_text(list_text(full.sizes), list_text(quick.sizes)));
  add_seeds(*command, *options, full, quick, "Seeds of each cell");
  add_text(*command, "--agents", options->agents, "AGENTS",
           std::string(kAgentsHelp) + "; all at every size")
      ->default_str("those of experiments/four-rooms/sweep.json");
  add_whole(*command, "--episodes", options->episodes, kEpisodes,
            "Cap: a seed that has not covered the rooms by then is counted there")
      ->default_str(default_text(full.episodes, quick.episodes));
  command->footer(
      "Examples:\n"
      "  vapor reproduce four-rooms --quick\n"
      "  vapor reproduce four-rooms --sizes 5,9 --seeds 4 --json");
  command->callback([options, &action] {
    action = [options] {
      return run_reproduction(
          "four-rooms", options->common,
          [&](const ReproductionOptions& how) {
            return reproduce_four_rooms(four_rooms_of(*options), how);
          },
          print_four_rooms);
    };
  });
}

}  // namespace vapor::command
