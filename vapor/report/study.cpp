#include "vapor/report/study.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <utility>

#include "vapor/report/wording.h"

namespace vapor {
namespace {

std::pair<int, std::string> rank(const std::string& agent) {
  const std::string name = agent.substr(0, agent.find_first_of(":,"));
  return {name == "vapor" ? 0 : name.starts_with("vapor-") ? 1 : 2, agent};
}

std::size_t seeds_of(const Study& study, const std::string& agent, const std::string& task) {
  const StudyCell* cell = study.cell(agent, task);
  return cell == nullptr ? 0 : cell->seeds.size();
}

// The number of seeds that most of the cells have that are there; the largest if there are several.
std::size_t usual_seeds(const Study& study) {
  std::map<std::size_t, std::size_t> cells_with;
  for (const StudyCell& cell : study.cells) ++cells_with[cell.seeds.size()];
  std::size_t usual = 0;
  std::size_t most = 0;
  for (const auto& [seeds, cells] : cells_with)
    if (cells >= most) {
      usual = seeds;
      most = cells;
    }
  return usual;
}

// "thompson has 3 seeds at depth 40", for each cell that has not the usual number.
std::vector<std::string> irregular_cells(const Study& study, std::size_t usual) {
  std::vector<std::string> cells;
  for (const std::string& agent : study.agents)
    for (const std::string& task : study.tasks) {
      const std::size_t seeds = seeds_of(study, agent, task);
      if (seeds == usual) continue;
      const std::string place =
          study.axis.empty() ? " at " + task : fmt::format(" at {} {}", study.axis, task);
      cells.push_back(fmt::format("{} has {}{}", agent, counted(seeds, "seed"), place));
    }
  return cells;
}

// "5 depths"; a setting that is a plural already, like `states`, is not counted by it.
std::string counted_tasks(const Study& study) {
  if (study.axis.empty()) return "1 environment";
  if (study.axis.ends_with('s'))
    return fmt::format("{} of {}", counted(study.tasks.size(), "value"), study.axis);
  return counted(study.tasks.size(), study.axis);
}

}  // namespace

bool ByRank::operator()(const std::string& a, const std::string& b) const {
  return rank(a) < rank(b);
}

const StudyCell* Study::cell(const std::string& agent, const std::string& task) const {
  const auto found = std::ranges::find_if(
      cells, [&](const StudyCell& c) { return c.agent == agent && c.task == task; });
  return found == cells.end() ? nullptr : &*found;
}

std::string Study::shape() const {
  constexpr std::size_t most_named = 3;
  const std::size_t usual = usual_seeds(*this);
  std::vector<std::string> irregular = irregular_cells(*this, usual);
  if (irregular.empty())
    return fmt::format("{} x {} x {}", counted(agents.size(), "agent"), counted_tasks(*this),
                       counted(usual, "seed"));
  if (irregular.size() > most_named) {
    const std::size_t more = irregular.size() - most_named;
    irregular.resize(most_named);
    irregular.push_back(
        fmt::format("{} differ{} too", counted(more, "more cell"), more == 1 ? "s" : ""));
  }
  return fmt::format("ragged: {}, {} elsewhere", fmt::join(irregular, ", "), usual);
}

std::vector<double> measured(const Study& study, const StudyCell& cell) {
  std::vector<double> values;
  for (const RunDigest* run : cell.seeds) {
    const RunSummary& summary = run->summary;
    switch (study.measure) {
      case Measure::kSolved:
        values.push_back(static_cast<double>(summary.solved.value_or(study.episodes)));
        break;
      case Measure::kCovered:
        values.push_back(static_cast<double>(summary.episodes));
        break;
      case Measure::kRegret:
        values.push_back(summary.total_regret.value_or(0.0));
        break;
    }
  }
  return values;
}

StudyScores scores_of(const Study& study) {
  StudyScores scores;
  const std::size_t usual = usual_seeds(study);
  const std::vector<std::string> irregular = irregular_cells(study, usual);
  if (!irregular.empty()) {
    scores.refused = fmt::format("{}, {} elsewhere", irregular.front(), usual);
    return scores;
  }
  for (const std::string& agent : study.agents) {
    std::vector<std::vector<double>> by_task;
    for (const std::string& task : study.tasks)
      by_task.push_back(measured(study, *study.cell(agent, task)));
    scores.agents.emplace_back(agent, study.tasks, std::move(by_task));
  }
  return scores;
}

}  // namespace vapor
