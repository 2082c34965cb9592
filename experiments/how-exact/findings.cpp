// How exact must a learning agent solve its program? The regret of VAPOR, and the episodes until
// DeepSea is solved, against the tolerance of its solver: the trade-off that appendix I names.
#include <algorithm>
#include <map>

#include "experiments/common/experiment.h"
#include "experiments/common/printing.h"
#include "vapor/record/run_summary.h"

namespace vapor::experiments::how_exact {
namespace {

std::string tolerance_of(const Cell& cell) { return cell.runs.front().varied.at("tolerance"); }

ordered_json row_of(const Cell& cell) {
  std::vector<double> regret;
  Times solved;
  for (const RunRecord& record : cell.records()) {
    const RunSummary seed = summarise(record);
    regret.push_back(seed.total_regret.value());
    solved.add(seed.solved, cell.cap);
  }
  const bool stops = cell.settings().stop == StopRule::kSolved;
  ordered_json row = {{"env", cell.env()},
                      {"belief", stops ? cell.belief() : "default"},
                      {"tolerance", tolerance_of(cell)},
                      {"episodes", cell.cap},
                      {"seeds", cell.seeds()}};
  add_mean(row, "regret", regret);
  row["worst_regret"] = std::ranges::max(regret);
  add_mean(row, "solved", solved.capped, stops && solved.reached > 0);
  row["solved_fraction"] =
      stops ? ordered_json(solved.reached / static_cast<double>(cell.seeds())) : nullptr;
  return row;
}

// The means of an environment, divided by that of its smallest tolerance, which comes last.
void add_ratios(ordered_json& rows) {
  std::map<std::string, double> exact;
  const auto key = [](const ordered_json& row) {
    return row["env"].get<std::string>() + row["belief"].get<std::string>();
  };
  for (const ordered_json& row : rows) exact[key(row)] = row["regret"];
  for (ordered_json& row : rows) {
    const double most = exact[key(row)];
    row["ratio"] = most > 0.0 ? ordered_json(row["regret"].get<double>() / most) : nullptr;
  }
}

Findings findings(const Study& study, const std::vector<Cell>& cells) {
  Findings found = {{"rows", ordered_json::array()}};
  for (const Cell& cell : sorted_by(cells, {&Cell::belief, &Cell::env}))
    found["rows"].push_back(row_of(cell));
  add_ratios(found["rows"]);
  found["first_seed"] = first_seed(study);
  return found;
}

void print(const Findings& found) {
  print_findings(
      found, "rows",
      "regret of all episodes, and episodes until solved where runs stop there; ratio: of "
      "the regret to that of the smallest tolerance",
      {"regret_se", "solved_se", "seeds", "episodes"});
}

}  // namespace

Experiment experiment() {
  Experiment experiment;
  experiment.summary = "How exact a learning agent must solve its program";
  experiment.options = {seed_count("Seeds of each cell"), first_seed_option()};
  experiment.footer =
      "Examples:\n  vapor reproduce how-exact --quick\n"
      "  vapor reproduce how-exact --first-seed 201 --seeds 5";
  experiment.columns = {{"regret", in("units of reward")}, {"solved", in("episodes")}};
  experiment.findings = findings;
  experiment.print = print;
  return experiment;
}

}  // namespace vapor::experiments::how_exact
