#include "vapor/report/cost_table.h"

#include <fmt/format.h>

#include "vapor/record/run_summary.h"
#include "vapor/report/study_words.h"
#include "vapor/report/wording.h"

namespace vapor {
namespace {

// A row for a cell whose seeds all have costs.
void add_costs(DataTable& table, const Study& study, const StudyCell& cell) {
  std::vector<double> violation, share, cost, recent;
  for (const RunDigest* run : cell.seeds) {
    const RunSummary& of = run->summary;
    if (!of.total_violation || of.episodes == 0) return;
    violation.push_back(*of.total_violation);
    share.push_back(static_cast<double>(*of.violating) / static_cast<double>(of.episodes));
    cost.push_back(*of.mean_expected_cost);
    recent.push_back(*of.recent_expected_cost);
  }
  if (violation.empty()) return;
  const MeanAndError total = mean_and_error(violation);
  table.rows.push_back({panel_name(study, cell.task), cell.agent, total.mean, total.standard_error,
                        mean_and_error(share).mean, mean_and_error(cost).mean,
                        mean_and_error(recent).mean, violation.size()});
}

DataTable seed_costs(const Study& study) {
  DataTable table;
  table.columns = {"agent",     "task",
                   "seed",      "violation",
                   "violating", "mean_expected_cost",
                   "folder",    "recent_expected_cost"};
  for (const StudyCell& cell : study.cells)
    for (const RunDigest* run : cell.seeds)
      if (const RunSummary& of = run->summary; of.total_violation)
        table.rows.push_back({cell.agent, cell.task, seed_of(*run), *of.total_violation,
                              *of.violating, *of.mean_expected_cost, run->folder,
                              *of.recent_expected_cost});
  return table;
}

}  // namespace

std::optional<Figure> cost_table(const Study& study, const std::string& id) {
  Figure figure;
  figure.id = id;
  figure.title = "Costs and violations of the budget";
  figure.picture.columns = {"task",  "agent", "violation", "standard_error",
                            "share", "cost",  "recent",    "seeds"};
  for (const StudyCell& cell : study.cells) add_costs(figure.picture, study, cell);
  if (figure.picture.rows.empty()) return std::nullopt;
  std::vector<std::string> parts;
  for (std::size_t row = 0; row < figure.picture.rows.size(); ++row)
    parts.push_back(fmt::format("{} {}", figure.picture.at(row, "agent").get<std::string>(),
                                number_text(figure.picture.at(row, "violation").get<double>())));
  figure.summary = fmt::format("Sum of violations, mean over the seeds: {}.", listed(parts));
  figure.caption = {
      "The cost of a policy is its expected cost in the true model, its violation what of that is "
      "above the budget of the environment. Sums over all episodes; means over the seeds.",
      "Prices of the budget are in the snapshots, which vapor view shows."};
  figure.table = {{"task", CellForm::kValue, {"task"}},
                  {"agent", CellForm::kValue, {"agent"}},
                  {"violation \u00b1 standard error (units of cost)",
                   CellForm::kWithError,
                   {"violation", "standard_error"}},
                  {"share of episodes above the budget", CellForm::kValue, {"share"}},
                  {"cost an episode", CellForm::kValue, {"cost"}},
                  {"of the last 100", CellForm::kValue, {"recent"}},
                  {"seeds", CellForm::kValue, {"seeds"}}};
  figure.full = seed_costs(study);
  return figure;
}

}  // namespace vapor
