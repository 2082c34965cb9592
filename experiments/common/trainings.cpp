#include "experiments/common/trainings.h"

#include "experiments/common/printing.h"
#include "vapor/record/run_summary.h"

namespace vapor::experiments {

ordered_json training_row(const Cell& cell, const std::string& name) {
  Times first, solved;
  std::vector<double> returns, speeds;
  for (const RunRecord& record : cell.records()) {
    const RunSummary seed = summarise(record);
    first.add(seed.first_success, cell.cap);
    solved.add(seed.solved, cell.cap);
    returns.push_back(seed.mean_return);
    speeds.push_back(seed.learner_frames_per_second.value_or(0.0));
  }
  ordered_json row = {{"agent", name},
                      {"spec", cell.agent()},
                      {"env", cell.env()},
                      {"seeds", cell.seeds()},
                      {"episodes", cell.cap}};
  add_mean(row, "solved", solved.capped, solved.reached > 0);
  row["solved_seeds"] = solved.reached;
  row["solved_by_seed"] = solved.by_seed;
  row["first_success"] = first.mean();
  row["found_seeds"] = first.reached;
  row["first_success_by_seed"] = first.by_seed;
  row["mean_return"] = mean_and_error(returns).mean;
  row["frames_per_second"] = mean_and_error(speeds).mean;
  return row;
}

void print_training_rows(const Findings& findings) {
  print_findings(
      findings, "rows",
      "episodes until solved, mean over seeds; a seed that never does counts as the cap",
      {"spec", "seeds", "solved_by_seed", "first_success_by_seed", "found_seeds", "mean_return"});
}

}  // namespace vapor::experiments
