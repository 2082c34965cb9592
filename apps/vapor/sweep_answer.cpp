#include "sweep_answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "run_measures.h"
#include "terminal.h"
#include "vapor/core/text.h"
#include "vapor/report/wording.h"

namespace vapor::command {
namespace {

using nlohmann::ordered_json;

// The seeds of one agent in one environment: the cells whose folders stand side by side.
struct Group {
  std::string folder;
  std::vector<const SweepCell*> cells;
  std::vector<RunSummary> summaries;  // of those that are finished
  std::string agent;                  // with what tells its belief from others, as in reports

  const SweepCell& first() const { return *cells.front(); }
};

bool is_finished(const CellOutcome& outcome) {
  return outcome.status == CellStatus::kFinished || outcome.status == CellStatus::kWasFinished;
}

std::string folder_above(const SweepCell& cell) {
  return cell.folder.substr(0, cell.folder.rfind('/'));
}

// Sweeps that name beliefs have folders that do.
void name_agents(std::vector<Group>& groups) {
  std::set<std::string> distinct;
  for (const Group& group : groups)
    if (group.folder.find('+', group.folder.rfind('/')) != std::string::npos)
      distinct.insert(group.first().settings.belief);
  const std::vector<std::string> beliefs(distinct.begin(), distinct.end());
  const std::vector<std::string> names = short_names(beliefs);
  for (Group& group : groups) {
    group.agent = group.first().settings.agent;
    const auto belief = std::ranges::find(beliefs, group.first().settings.belief);
    if (beliefs.size() > 1 && belief != beliefs.end())
      group.agent += ", " + names[static_cast<std::size_t>(belief - beliefs.begin())];
  }
}

// In the order in which their environments first appear, and then themselves.
std::vector<Group> groups_of(const SweepResult& result,
                             const std::map<std::string, RunSummary>& summaries) {
  std::vector<Group> groups;
  std::map<std::string, std::size_t> known;
  std::map<std::string, std::size_t> env_order;
  for (const SweepCell& cell : result.cells) {
    env_order.emplace(cell.settings.env, env_order.size());
    const auto [at, fresh] = known.emplace(folder_above(cell), groups.size());
    if (fresh) groups.push_back({.folder = at->first, .cells = {}, .summaries = {}, .agent = {}});
    Group& group = groups[at->second];
    group.cells.push_back(&cell);
    if (const auto found = summaries.find(cell.folder); found != summaries.end())
      group.summaries.push_back(found->second);
  }
  name_agents(groups);
  std::ranges::stable_sort(
      groups, {}, [&](const Group& group) { return env_order.at(group.first().settings.env); });
  return groups;
}

std::map<std::string, RunSummary> summaries_of(const SweepResult& result) {
  std::map<std::string, RunSummary> all;
  for (std::size_t i = 0; i < result.cells.size(); ++i)
    if (is_finished(result.outcomes[i]))
      all[result.cells[i].folder] = summarise(read_run(path_of(result.cells[i], result.out)));
  return all;
}

ordered_json cell_json(const SweepResult& result, std::size_t i) {
  const SweepCell& cell = result.cells[i];
  const CellOutcome& outcome = result.outcomes[i];
  ordered_json row = {{"folder", path_of(cell, result.out)},
                      {"kind", words_of(cell.settings).front()}};
  row.update(header_of(cell.settings).definition);
  row["status"] = name_of(outcome.status);
  row["was_finished"] = outcome.status == CellStatus::kWasFinished;
  if (!outcome.error.empty()) row["error"] = outcome.error;
  return row;
}

ordered_json head_json(const SweepResult& result) {
  return {{"sweep", result.file}, {"out", result.out}};
}

std::string command_of(const SweepCell& cell, const std::string& out) {
  std::string text = "vapor";
  const std::string folder = path_of(cell, out);
  for (const std::string& word : words_of(cell.settings)) text += " " + shell_word(word);
  if (cell.checkpoint_every > 0)
    text += fmt::format(" --checkpoint-every {}", cell.checkpoint_every);
  return text + " --out " + shell_word(folder.substr(0, folder.rfind('/')));
}

ordered_json group_json(const Group& group) {
  ordered_json row = {{"env", group.first().settings.env}, {"agent", group.first().settings.agent}};
  if (!group.first().settings.belief.empty()) row["belief"] = group.first().settings.belief;
  row["cells"] = group.cells.size();
  row["finished"] = group.summaries.size();
  row.update(json_of_means(measures_of(group.first().settings), group.summaries));
  return row;
}

// The mean of a measure, and a dash where it is not known.
std::string mean_of(const Group& group, const char* name) {
  const std::vector<NamedMeasure>& measures = measures_of(group.first().settings);
  const auto measure = std::ranges::find_if(
      measures, [&](const NamedMeasure& m) { return std::string_view(m.name) == name; });
  if (measure == measures.end()) return "-";
  const MeanAndError total = over_seeds(group.summaries, *measure);
  return total.count == 0 ? "-" : with_error(total.mean, total.standard_error);
}

std::vector<std::string> row_of(const Group& group) {
  const auto solved = std::ranges::count_if(
      group.summaries, [](const RunSummary& s) { return s.solved.has_value(); });
  return {group.agent,
          group.summaries.size() == group.cells.size()
              ? std::to_string(group.cells.size())
              : fmt::format("{} of {}", group.summaries.size(), group.cells.size()),
          std::to_string(solved),
          mean_of(group, "solved"),
          mean_of(group, "total_regret"),
          mean_of(group, "mean_return")};
}

// A table of groups with a line above those of each environment.
template <typename Row>
void print_groups(const std::vector<Group>& groups, std::vector<std::string> head,
                  std::size_t right_from, const Row& row) {
  Rows rows = {std::move(head)};
  std::string env;
  for (const Group& group : groups) {
    if (group.first().settings.env != env) rows.push_back({env = group.first().settings.env});
    rows.push_back(row(group));
    rows.back()[0].insert(0, "  ");
  }
  print_table(rows, right_from);
}

std::string cells_text(std::size_t count) {
  return fmt::format("{} {}", count, count == 1 ? "cell" : "cells");
}

}  // namespace

std::size_t SweepResult::count(CellStatus status) const {
  return static_cast<std::size_t>(std::ranges::count(outcomes, status, &CellOutcome::status));
}

ordered_json plan_as_json(const SweepResult& result) {
  ordered_json answer = head_json(result);
  answer["cells"] = ordered_json::array();
  for (std::size_t i = 0; i < result.cells.size(); ++i) {
    answer["cells"].push_back(cell_json(result, i));
    answer["cells"].back()["command"] = command_of(result.cells[i], result.out);
  }
  return answer;
}

void print_plan(const SweepResult& result) {
  print_groups(groups_of(result, {}), {"agent", "made by", "seeds"}, 2,
               [](const Group& group) -> std::vector<std::string> {
                 return {group.agent, "vapor " + words_of(group.first().settings).front(),
                         std::to_string(group.cells.size())};
               });
  fmt::print("{}\n", dim(fmt::format("{}, {} of them finished, in {}; --json lists their commands",
                                     cells_text(result.cells.size()),
                                     result.count(CellStatus::kWasFinished), result.out)));
}

ordered_json answer_as_json(const SweepResult& result) {
  const std::map<std::string, RunSummary> summaries = summaries_of(result);
  ordered_json answer = head_json(result);
  answer["finished"] = summaries.size();
  answer["was_finished"] = result.count(CellStatus::kWasFinished);
  answer["failed"] = result.count(CellStatus::kFailed);
  answer["unfinished"] = result.count(CellStatus::kUnfinished);
  answer["groups"] = ordered_json::array();
  for (const Group& group : groups_of(result, summaries))
    answer["groups"].push_back(group_json(group));
  answer["cells"] = ordered_json::array();
  for (std::size_t i = 0; i < result.cells.size(); ++i) {
    ordered_json row = cell_json(result, i);
    if (const auto found = summaries.find(result.cells[i].folder); found != summaries.end()) {
      ordered_json measures;
      add_measures(measures, measures_of(result.cells[i].settings), found->second);
      measures.erase("episodes");  // of the settings; those that were played are another number
      row.update(measures);
      row["episodes_played"] = found->second.episodes;
    }
    answer["cells"].push_back(row);
  }
  return answer;
}

void print_answer(const SweepResult& result) {
  print_groups(groups_of(result, summaries_of(result)),
               {"agent", "seeds", "solved", "episodes to solve", "total regret", "mean return"}, 1,
               row_of);
  const std::size_t before = result.count(CellStatus::kWasFinished);
  std::string text =
      fmt::format("{} finished", cells_text(result.count(CellStatus::kFinished) + before));
  if (before > 0) text += fmt::format(", {} of them before", before);
  if (const std::size_t failed = result.count(CellStatus::kFailed); failed > 0)
    text += fmt::format("; {} failed", failed);
  if (const std::size_t open = result.count(CellStatus::kUnfinished); open > 0)
    text += fmt::format("; {} not finished", open);
  fmt::print("{}\n", dim(fmt::format("{}; means over seeds {} standard error; records in {}", text,
                                     plus_minus(), result.out)));
}

}  // namespace vapor::command
