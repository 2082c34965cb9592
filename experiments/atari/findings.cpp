// Figure 4 of the paper: replay actor-critic agents in Atari games.
#include "experiments/common/experiment.h"
#include "experiments/common/games.h"

namespace vapor::experiments::atari {
namespace {

Findings findings(const Study& study, const std::vector<Cell>& cells) {
  // Agents that are chosen may differ in their settings alone.
  const bool chosen = study.given.contains("--agents");
  const auto name_of = [chosen](const Cell& cell) {
    return chosen ? cell.agent() : cell.agent().substr(0, cell.agent().find(':'));
  };
  return game_findings(study, cells, name_of, human_normalised);
}

}  // namespace

Experiment experiment() {
  Experiment experiment;
  experiment.summary = "Figure 4: replay actor-critic agents in Atari games";
  experiment.options = {
      games_option("Games with commas between them, e.g. pong,breakout, or all (57)"),
      agents_option("DEEP-AGENTS")
          .saying("vapor-lite, actor-critic and actor-critic-entropy at the rate 5e-4"),
      frames_option("Actions of each run; the emulator plays four frames for each"),
      seed_count("Seeds of each cell"),
      first_seed_option(),
      whole_aside("--actors", {0, 256},
                  "Threads that play beside each learner; 0: one thread, the same bytes again",
                  "0")};
  experiment.footer =
      "The defaults are what two cores play in two hours. The paper's study, on a large machine:\n"
      "  vapor reproduce atari --games all --frames 50000000 --seeds 5 --actors 8 \\\n"
      "    --agents vapor-lite,actor-critic,actor-critic-entropy\n"
      "Examples:\n"
      "  vapor reproduce atari --quick\n"
      "  vapor reproduce atari --games freeway --seeds 1";
  experiment.findings = findings;
  experiment.print = print_games;
  return experiment;
}

}  // namespace vapor::experiments::atari
