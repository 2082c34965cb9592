// `vapor reproduce entropy-ablation`.
#include <memory>
#include <optional>
#include <string>

#include "game_findings.h"
#include "reproduce.h"
#include "trainings.h"
#include "vapor/deep/entropy_ablation.h"
#include "vapor/run/sweep_data.h"

namespace vapor::command {
namespace {

struct AblationOptions {
  ExperimentOptions common;
  std::string depths;
  int seeds = 0;
  std::optional<std::uint64_t> first_seed;
  std::int64_t episodes = 0;
  std::string games;
  std::int64_t frames = 0;
};

// The same losses in games: MinAtar's, or those of --games in Atari.
deep::GameStudy games_of(const AblationOptions& options, const deep::EntropyAblation& ablation) {
  const nlohmann::ordered_json sweep =
      experiment_sweep("entropy-ablation").at(options.common.quick ? "quick" : "full").at("games");
  deep::GameStudy study;
  for (const deep::EntropyLoss& loss : ablation.losses)
    study.players.push_back({loss.name, loss.agent});
  study.games = options.games.empty() ? sweep.at("envs").get<std::vector<std::string>>()
                                      : atari_games(options.games);
  study.frames = options.frames > 0 ? options.frames : sweep.at("frames").get<std::int64_t>();
  study.seeds = options.seeds > 0 ? options.seeds : sweep.at("seeds").get<int>();
  study.first_seed = ablation.first_seed;
  return study;
}

deep::EntropyAblation entropy_ablation(bool quick) {
  return deep::entropy_ablation_of(experiment_sweep("entropy-ablation"), quick ? "quick" : "full");
}

deep::EntropyAblation ablation_of(const AblationOptions& options) {
  deep::EntropyAblation ablation = entropy_ablation(options.common.quick);
  if (!options.depths.empty()) {
    const std::int64_t episodes = ablation.tasks.front().episodes;
    ablation.tasks.clear();
    for (const int depth : parse_list("--depths", options.depths))
      ablation.tasks.push_back({fmt::format("deep_sea:depth={}", depth), episodes});
  }
  for (deep::AblationTask& task : ablation.tasks)
    if (options.episodes > 0) task.episodes = options.episodes;
  if (options.seeds > 0) ablation.seeds = options.seeds;
  ablation.first_seed = options.first_seed.value_or(ablation.first_seed);
  return ablation;
}

void print_ablation(const Findings& findings) {
  print_findings_table(
      without(findings, "rows",
              {"spec", "seeds", "solved_by_seed", "first_success_by_seed", "found_seeds",
               "mean_return"}),
      "rows", "episodes until solved, mean over seeds; a seed that never does counts as the cap");
  print_findings_table(findings, "losses", "over all depths");
  print_game_findings(findings["games"]);
}

}  // namespace

void add_reproduce_entropy_ablation(CLI::App& parent, Action& action) {
  auto options = std::make_shared<AblationOptions>();
  CLI::App* command = add_experiment(parent, "entropy-ablation",
                                     "Appendix I: four policy losses that differ in their entropy",
                                     options->common);
  const deep::EntropyAblation full = entropy_ablation(false);
  const deep::EntropyAblation quick = entropy_ablation(true);
  add_text(*command, "--depths", options->depths, "LIST", "Depths of DeepSea, e.g. 20,40")
      ->default_str("those of experiments/entropy-ablation/sweep.json");
  add_seeds(*command, *options, full, quick, "Seeds of each cell");
  add_whole(*command, "--episodes", options->episodes, kEpisodes,
            "Cap: a seed that has not solved it by then is counted there")
      ->default_str(default_text(full.tasks.front().episodes, quick.tasks.front().episodes));
  add_text(*command, "--games", options->games, "LIST",
           "Atari games with commas between them, or all (57), instead of MinAtar's")
      ->default_str("those of MinAtar in experiments/entropy-ablation/sweep.json");
  add_whole(*command, "--frames", options->frames, {1, 1'000'000'000'000},
            "Actions of each run in a game")
      ->default_str("that of experiments/entropy-ablation/sweep.json");
  command->footer(
      "Examples:\n"
      "  vapor reproduce entropy-ablation --quick\n"
      "  vapor reproduce entropy-ablation --depths 30 --seeds 10 --json\n"
      "  vapor reproduce entropy-ablation --games pong,freeway --frames 1000000");
  command->callback([options, &action] {
    action = [options] {
      return run_reproduction(
          "entropy-ablation", options->common,
          [&](const ReproductionOptions& how) {
            const deep::EntropyAblation ablation = ablation_of(*options);
            const deep::GameStudy games = games_of(*options, ablation);
            make_trainings(runs_of(study_of(ablation), how.out), how);
            make_trainings(runs_of(games, how.out), how);
            Findings findings = entropy_ablation_findings(ablation, how.out);
            findings["games"] = {{"experiment", "entropy-ablation in games"}};
            findings["games"].update(game_findings(
                games, how.out, options->games.empty() ? Normalise{} : human_normalised));
            return findings;
          },
          print_ablation);
    };
  });
}

}  // namespace vapor::command
