#include "vapor/deep/entropy_ablation.h"

#include <cmath>

#include "vapor/core/error.h"

namespace vapor::deep {
namespace {

using nlohmann::ordered_json;

std::vector<StudyCell> cells_of(const EntropyAblation& ablation, const EntropyLoss& loss) {
  std::vector<StudyCell> cells;
  for (const AblationTask& task : ablation.tasks)
    cells.push_back({loss.name, loss.agent, task.env, task.episodes});
  return cells;
}

ordered_json over_tasks(const EntropyLoss& loss, const std::vector<ordered_json>& rows) {
  double logarithm = 0.0;
  int solved = 0;
  int runs = 0;
  for (const ordered_json& row : rows) {
    const bool some = !row["solved"].is_null();
    logarithm += std::log(some ? row["solved"].get<double>() : row["episodes"].get<double>());
    solved += row["solved_seeds"].get<int>();
    runs += row["seeds"].get<int>();
  }
  return {{"loss", loss.name},
          {"runs", runs},
          {"solved_runs", solved},
          {"geometric_mean", std::exp(logarithm / static_cast<double>(rows.size()))}};
}

}  // namespace

EntropyAblation entropy_ablation_of(const ordered_json& sweep, const std::string& part) {
  EntropyAblation ablation;
  for (const auto& [name, agent] : sweep.at("losses").items())
    ablation.losses.push_back({name, agent.get<std::string>()});
  const ordered_json& chosen = sweep.at(part);
  ablation.seeds = chosen.at("seeds").get<int>();
  ablation.first_seed = chosen.at("first_seed").get<std::uint64_t>();
  for (const ordered_json& task : chosen.at("tasks"))
    ablation.tasks.push_back(
        {task.at("env").get<std::string>(), task.at("episodes").get<std::int64_t>()});
  return ablation;
}

TrainingStudy study_of(const EntropyAblation& ablation) {
  if (ablation.tasks.empty()) throw InputError("--depths", "must name at least one depth");
  TrainingStudy study{{}, ablation.seeds, ablation.first_seed};
  for (const EntropyLoss& loss : ablation.losses)
    for (StudyCell& cell : cells_of(ablation, loss)) study.cells.push_back(std::move(cell));
  validate(study);
  return study;
}

ordered_json entropy_ablation_findings(const EntropyAblation& ablation, const std::string& out) {
  const TrainingStudy study = study_of(ablation);
  ordered_json findings = {{"experiment", "entropy-ablation"}, {"rows", ordered_json::array()}};
  findings["losses"] = ordered_json::array();
  for (const EntropyLoss& loss : ablation.losses) {
    std::vector<ordered_json> rows;
    for (const StudyCell& cell : cells_of(ablation, loss)) {
      rows.push_back(row_of(cell, study, out));
      findings["rows"].push_back(rows.back());
    }
    findings["losses"].push_back(over_tasks(loss, rows));
  }
  findings["first_seed"] = ablation.first_seed;
  return findings;
}

}  // namespace vapor::deep
