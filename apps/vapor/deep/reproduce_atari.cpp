// `vapor reproduce atari`.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "game_findings.h"
#include "reproduce.h"
#include "trainings.h"
#include "vapor/core/spec.h"
#include "vapor/run/sweep_data.h"

namespace vapor::command {
namespace {

struct AtariOptions {
  ExperimentOptions common;
  std::string games;
  std::string agents;
  std::int64_t frames = 0;
  int seeds = 0;
  std::optional<std::uint64_t> first_seed;
  Index actors = 0;
};

deep::GameStudy atari_study(bool quick) {
  const nlohmann::ordered_json sweep = experiment_sweep("atari").at(quick ? "quick" : "full");
  deep::GameStudy study;
  for (const auto& game : sweep.at("games")) study.games.push_back(game.get<std::string>());
  for (const auto& agent : sweep.at("agents"))
    study.players.push_back({Spec("sweep.json", agent.get<std::string>()).name(), agent});
  study.frames = sweep.at("frames");
  study.seeds = sweep.at("seeds");
  study.first_seed = sweep.at("first_seed");
  return study;
}

deep::GameStudy study_of(const AtariOptions& options) {
  deep::GameStudy study = atari_study(options.common.quick);
  if (!options.agents.empty()) {
    study.players.clear();
    for (const std::string& spec : split_specs("--agents", options.agents, "DEEP-AGENTS"))
      study.players.push_back({spec, spec});
  }
  if (options.frames > 0) study.frames = options.frames;
  if (options.seeds > 0) study.seeds = options.seeds;
  study.first_seed = options.first_seed.value_or(study.first_seed);
  study.actors = options.actors;
  study.games = atari_games(options.games.empty() ? list_text(study.games) : options.games);
  return study;
}

Findings reproduce(const AtariOptions& options, const ReproductionOptions& how) {
  const deep::GameStudy study = study_of(options);
  make_trainings(runs_of(study, how.out), how);
  Findings findings = {{"experiment", "atari"}};
  findings.update(game_findings(study, how.out, human_normalised));
  return findings;
}

}  // namespace

void add_reproduce_atari(CLI::App& parent, Action& action) {
  auto options = std::make_shared<AtariOptions>();
  CLI::App* command = add_experiment(
      parent, "atari", "Figure 4: replay actor-critic agents in Atari games", options->common);
  const deep::GameStudy full = atari_study(false);
  const deep::GameStudy quick = atari_study(true);
  add_text(*command, "--games", options->games, "LIST",
           "Games with commas between them, e.g. pong,breakout, or all (57)")
      ->default_str(default_text(list_text(full.games), list_text(quick.games)));
  add_text(*command, "--agents", options->agents, "DEEP-AGENTS", kAgentsHelp)
      ->default_str("vapor-lite, actor-critic and actor-critic-entropy at the rate 5e-4");
  add_whole(*command, "--frames", options->frames, {1, 1'000'000'000'000},
            "Actions of each run; the emulator plays four frames for each")
      ->default_str(default_text(full.frames, quick.frames));
  add_seeds(*command, *options, full, quick, "Seeds of each cell");
  add_whole(*command, "--actors", options->actors, {0, 256},
            "Threads that play beside each learner; 0: one thread, the same bytes again")
      ->capture_default_str();
  command->footer(
      "The defaults are what two cores play in two hours. The paper's study, on a large machine:\n"
      "  vapor reproduce atari --games all --frames 50000000 --seeds 5 --actors 8 \\\n"
      "    --agents vapor-lite,actor-critic,actor-critic-entropy\n"
      "Examples:\n"
      "  vapor reproduce atari --quick\n"
      "  vapor reproduce atari --games freeway --seeds 1");
  command->callback([options, &action] {
    action = [options] {
      return run_reproduction(
          "atari", options->common,
          [&](const ReproductionOptions& how) { return reproduce(*options, how); },
          print_game_findings);
    };
  });
}

}  // namespace vapor::command
