// `vapor reproduce four-rooms`.
#include <memory>
#include <optional>
#include <string>

#include "reproduce.h"
#include "vapor/experiment/four_rooms_coverage.h"

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
    for (const std::string& agent : CLI::detail::split(options.agents, ','))
      study.agents.push_back({agent});
  }
  if (options.seeds > 0) study.seeds = options.seeds;
  study.first_seed = options.first_seed.value_or(study.first_seed);
  if (options.episodes > 0) study.episodes = options.episodes;
  return study;
}

}  // namespace

void add_reproduce_four_rooms(CLI::App& parent, Action& action) {
  auto options = std::make_shared<FourRoomsOptions>();
  CLI::App* command =
      add_experiment(parent, "four-rooms",
                     "Appendix I: episodes to cover four rooms without rewards", options->common);
  command->add_option("--sizes", options->sizes, "Sizes, odd, e.g. 5,7,9")->type_name("LIST");
  command->add_option("--seeds", options->seeds, "Seeds of each cell")->check(CLI::Range(1, 10000));
  command->add_option("--first-seed", options->first_seed, "The first seed")->check(kSeedRange);
  command
      ->add_option("--agents", options->agents,
                   "Agents, e.g. max-entropy,weighted-max-entropy, all at every size")
      ->type_name("LIST");
  command
      ->add_option("--episodes", options->episodes,
                   "Cap: a seed that has not covered the rooms by then is counted there")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000'000}));
  command->footer(
      "Examples:\n"
      "  vapor reproduce four-rooms --quick\n"
      "  vapor reproduce four-rooms --sizes 5,9 --seeds 4 --json");
  command->callback([options, &action] {
    action = [options] {
      return run_reproduction("four-rooms", options->common, [&](const ReproductionOptions& how) {
        return reproduce_four_rooms(four_rooms_of(*options), how);
      });
    };
  });
}

}  // namespace vapor::command
