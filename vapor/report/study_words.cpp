#include "vapor/report/study_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "vapor/report/wording.h"

namespace vapor {

using nlohmann::ordered_json;

ordered_json number_or_null(const std::optional<std::int64_t>& episode) {
  return episode ? ordered_json(*episode) : ordered_json(nullptr);
}

MeasureWords words_of(Measure measure) {
  switch (measure) {
    case Measure::kSolved:
      return {"Learning time", "episodes until solved", "episodes", "solved"};
    case Measure::kCovered:
      return {"Coverage time", "episodes until all was tried", "episodes", "covered"};
    case Measure::kRegret:
      break;
  }
  return {"Regret", "total regret", "units of reward", "finished"};
}

bool reached(const Study& study, const RunDigest& run) {
  switch (study.measure) {
    case Measure::kSolved:
      return run.summary.solved.has_value();
    case Measure::kCovered:
      return run.summary.episodes < study.episodes;
    case Measure::kRegret:
      break;
  }
  return true;
}

std::string better_word(Measure measure) {
  switch (measure) {
    case Measure::kSolved:
      return "learns faster";
    case Measure::kCovered:
      return "covers faster";
    case Measure::kRegret:
      break;
  }
  return "has less regret";
}

std::uint64_t seed_of(const RunDigest& run) {
  const auto seed = run.run.definition.find("seed");
  const bool good = seed != run.run.definition.end() && seed->is_number_unsigned();
  return good ? seed->get<std::uint64_t>() : 0;  // such a run is in no study
}

std::string seeds_sentence(const Study& study) {
  std::vector<std::uint64_t> seeds;
  std::size_t least = SIZE_MAX;
  std::size_t most = 0;
  for (const StudyCell& cell : study.cells) {
    least = std::min(least, cell.seeds.size());
    most = std::max(most, cell.seeds.size());
    for (const RunDigest* run : cell.seeds) seeds.push_back(seed_of(*run));
  }
  const std::string count =
      least == most ? counted(most, "seed") : fmt::format("{} to {} seeds", least, most);
  return fmt::format("{} in each cell: {}.", count, seeds_text(seeds));
}

DataTable runs_table(const Study& study) {
  DataTable table;
  table.columns = {"agent",         study.axis.empty() ? "environment" : study.axis,
                   "seed",          "episodes",
                   "first_success", "solved",
                   "total_regret",  "mean_return",
                   "last_value",    "ms_per_episode",
                   "folder"};
  for (const StudyCell& cell : study.cells)
    for (const RunDigest* run : cell.seeds) {
      const RunSummary& s = run->summary;
      const auto known = [](const std::optional<double>& value) {
        return value ? ordered_json(*value) : ordered_json(nullptr);
      };
      table.rows.push_back({cell.agent, cell.task, seed_of(*run), s.episodes,
                            number_or_null(s.first_success), number_or_null(s.solved),
                            known(s.total_regret), s.mean_return, known(s.last_value),
                            s.ms_per_episode, run->folder});
    }
  return table;
}

std::vector<std::string> tasks_shown(const Study& study) {
  const std::vector<std::string>& tasks = study.tasks;
  if (tasks.size() <= kMostPanels) return tasks;
  std::vector<std::string> shown;
  for (std::size_t i = 0; i < kMostPanels; ++i)
    shown.push_back(tasks[i * (tasks.size() - 1) / (kMostPanels - 1)]);
  return shown;
}

std::string panel_name(const Study& study, const std::string& task) {
  return study.axis.empty() ? task : study.axis + " " + task;
}

std::string shown_name(const std::string& agent) {
  const bool is_vapor = agent == "vapor" || agent.starts_with("vapor,");
  return is_vapor ? "VAPOR" + agent.substr(5) : agent;
}

}  // namespace vapor
