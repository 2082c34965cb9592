// The paper's ablation of the entropy (appendix I): four policy losses, all with optimism, that
// differ in the entropy alone, on seas and in games.
#include <cmath>

#include "experiments/common/experiment.h"
#include "experiments/common/games.h"
#include "experiments/common/printing.h"
#include "experiments/common/trainings.h"

namespace vapor::experiments::entropy_ablation {
namespace {

std::string loss_of(const Cell& cell) { return cell.label(cell.agent()); }

// A loss over all seas: how many runs solved, and the geometric mean over the seas of the episodes,
// with seas that no run solved counted at the cap.
ordered_json over_seas(const std::string& loss, const ordered_json& rows) {
  double logarithm = 0.0;
  int solved = 0;
  int runs = 0;
  int seas = 0;
  for (const ordered_json& row : rows) {
    if (row["agent"] != loss) continue;
    const bool some = !row["solved"].is_null();
    logarithm += std::log(some ? row["solved"].get<double>() : row["episodes"].get<double>());
    solved += row["solved_seeds"].get<int>();
    runs += row["seeds"].get<int>();
    ++seas;
  }
  return {{"loss", loss},
          {"runs", runs},
          {"solved_runs", solved},
          {"geometric_mean", std::exp(logarithm / seas)}};
}

Findings findings(const Study& study, const std::vector<Cell>& cells) {
  Findings found = {{"rows", ordered_json::array()}, {"losses", ordered_json::array()}};
  std::vector<std::string> losses;
  std::vector<Cell> games;
  for (const Cell& cell : cells) {
    if (cell.game) {
      games.push_back(cell);
      continue;
    }
    if (losses.empty() || losses.back() != loss_of(cell)) losses.push_back(loss_of(cell));
    found["rows"].push_back(training_row(cell, loss_of(cell)));
  }
  for (const std::string& loss : losses) found["losses"].push_back(over_seas(loss, found["rows"]));
  found["first_seed"] = first_seed(study);
  if (games.empty()) return found;
  found["games"] = {{"experiment", "entropy-ablation in games"}};
  found["games"].update(
      game_findings(study, games, loss_of,
                    study.given.contains("--games") ? Normalise(human_normalised) : Normalise{}));
  return found;
}

void print(const Findings& found) {
  print_training_rows(found);
  print_findings(found, "losses", "over all depths");
  if (found.contains("games")) print_games(found["games"]);
}

}  // namespace

Experiment experiment() {
  Experiment experiment;
  experiment.summary = "Appendix I: four policy losses that differ in their entropy";
  const std::string file = "experiments/entropy-ablation/sweep.toml";
  experiment.options = {
      list_of("--depths", "depth", {1, 1'000'000}, "Depths of DeepSea, e.g. 20,40")
          .saying("those of " + file),
      seed_count("Seeds of each cell"),
      first_seed_option(),
      episodes_option(kSolvedCap),
      games_option("Atari games with commas between them, or all (57), instead of MinAtar's")
          .saying("those of MinAtar in " + file),
      frames_option("Actions of each run in a game").saying("that of " + file)};
  experiment.footer =
      "Examples:\n"
      "  vapor reproduce entropy-ablation --quick\n"
      "  vapor reproduce entropy-ablation --depths 30 --seeds 10 --json\n"
      "  vapor reproduce entropy-ablation --games pong,freeway --frames 1000000";
  experiment.columns = {{"solved", in("episodes")}, {"first_success", in("episodes")}};
  experiment.findings = findings;
  experiment.print = print;
  return experiment;
}

}  // namespace vapor::experiments::entropy_ablation
