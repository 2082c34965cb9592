#include "vapor/report/regret_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "vapor/record/run_summary.h"
#include "vapor/report/findings.h"
#include "vapor/report/study_words.h"
#include "vapor/report/wording.h"

namespace vapor {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kTableEpisodes = 8;  // rows of a curve in the table for readers

// A line that findings ask for beside the curves, by `line` of one of their columns.
struct Bound {
  std::string name;
  std::string field;  // of the rows of the findings
  std::string about;  // for the caption
};

std::vector<Bound> bounds_of(const ExperimentFindings& of) {
  std::vector<Bound> bounds;
  const ordered_json columns = of.findings.value("columns", ordered_json());
  if (!columns.is_object()) return bounds;
  for (const auto& [field, about] : columns.items())
    if (const std::string name = text_at(about, "line"); !name.empty())
      bounds.push_back({name, field, text_at(about, "about")});
  return bounds;
}

// A row for each episode of the picture that all seeds have reached.
void add_curve(DataTable& table, const Study& study, const StudyCell& cell) {
  std::size_t points = SIZE_MAX;
  for (const RunDigest* run : cell.seeds) points = std::min(points, run->regret_so_far.size());
  const std::vector<std::int64_t> episodes = picture_episodes(study.episodes);
  for (std::size_t i = 0; i < std::min(points, episodes.size()); ++i) {
    std::vector<double> regret;
    for (const RunDigest* run : cell.seeds) regret.push_back(run->regret_so_far[i]);
    const MeanAndError mean = mean_and_error(regret);
    table.rows.push_back({panel_name(study, cell.task), cell.agent, "agent", episodes[i], mean.mean,
                          mean.standard_error, mean.mean - 2.0 * mean.standard_error,
                          mean.mean + 2.0 * mean.standard_error, mean.count});
  }
}

// The rows of the findings that speak of this task: by episodes, of whichever agent comes first.
void add_bounds(DataTable& table, const Study& study, const std::string& task,
                const ExperimentFindings& of) {
  const auto cell =
      std::ranges::find_if(study.cells, [&](const StudyCell& c) { return c.task == task; });
  if (cell == study.cells.end() || cell->seeds.empty()) return;
  const std::string env = text_at(cell->seeds.front()->run.definition, "env");
  for (const Bound& bound : bounds_of(of)) {
    std::set<double> seen;
    for (const ordered_json& row : of.findings.value("rows", ordered_json::array())) {
      const std::optional<double> episodes = number_at(row, "episodes");
      const std::optional<double> regret = number_at(row, bound.field);
      if (text_at(row, "env") != env || !episodes || !regret) continue;
      if (!seen.insert(*episodes).second) continue;
      table.rows.push_back({panel_name(study, task), bound.name, bound.field, *episodes, *regret,
                            nullptr, nullptr, nullptr, nullptr});
    }
  }
}

DataTable picture_of(const Study& study, std::span<const ExperimentFindings> findings) {
  DataTable table;
  table.columns = {"panel",          "agent", "kind", "episode", "regret",
                   "standard_error", "low",   "high", "seeds"};
  for (const std::string& task : tasks_shown(study)) {
    for (const std::string& agent : study.agents)
      if (const StudyCell* cell = study.cell(agent, task); cell != nullptr && !cell->seeds.empty())
        add_curve(table, study, *cell);
    for (const ExperimentFindings& of : findings)
      if (lies_in(study.folder, of.folder)) add_bounds(table, study, task, of);
  }
  return table;
}

DataTable seed_curves(const Study& study) {
  DataTable table;
  table.columns = {"agent",         study.axis.empty() ? "environment" : study.axis,
                   "seed",          "episode",
                   "regret_so_far", "value"};
  const std::vector<std::int64_t> episodes = picture_episodes(study.episodes);
  for (const StudyCell& cell : study.cells)
    for (const RunDigest* run : cell.seeds)
      for (std::size_t i = 0; i < std::min(run->regret_so_far.size(), episodes.size()); ++i)
        table.rows.push_back({cell.agent, cell.task, seed_of(*run), episodes[i],
                              run->regret_so_far[i], run->value[i]});
  return table;
}

// The agents' colours and dashes, and black lines for the bounds if there are any.
struct LineStyles {
  ordered_json colour;
  ordered_json dash;
};

LineStyles line_styles(const Study& study, const DataTable& table, PlotStyle& style) {
  LineStyles styles = {style.colour(study.agents), style.dash(study.agents)};
  const auto add = [](ordered_json& encoding, const std::string& name, const ordered_json& value) {
    encoding["scale"]["domain"].push_back(name);
    encoding["scale"]["range"].push_back(value);
  };
  // Samples of lines, so that the legend shows their dashes.
  styles.colour["legend"] = {{"symbolType", "stroke"}, {"symbolSize", 500}};
  const std::array<ordered_json, 3> dashes = {{{7, 4}, {2, 3}, {12, 3}}};
  std::set<std::string> seen;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const auto name = table.at(row, "agent").get<std::string>();
    if (table.at(row, "kind") == "agent" || !seen.insert(name).second) continue;
    add(styles.colour, name, "theme:ink");
    add(styles.dash, name, dashes[(seen.size() - 1) % dashes.size()]);
  }
  return styles;
}

AxisRange regrets_of(const DataTable& table) {
  AxisRange range;
  for (const auto& row : table.rows)
    for (const char* name : {"regret", "high"})
      if (const ordered_json& value = row[table.column(name)]; value.is_number())
        range.include(value.get<double>());
  // The first episodes of an agent that begins well would stretch the axis over many decades.
  range.low = std::max(range.low, range.high * 1e-5);
  return range;
}

ordered_json layers_of(const Study& study, const DataTable& table, PlotStyle& style) {
  AxisRange episodes;
  for (const auto& row : table.rows) episodes.include(row[table.column("episode")].get<double>());
  const ordered_json x = log_axis("episode", "episode", episodes);
  const ordered_json y =
      log_axis("regret", "cumulative regret (units of reward)", regrets_of(table));
  ordered_json low = y;
  low["field"] = "low";
  const LineStyles styles = line_styles(study, table, style);
  const ordered_json of_agents = {{"filter", "datum.kind === 'agent'"}};
  return {
      {{"transform", {of_agents}},
       {"mark", {{"type", "area"}, {"fillOpacity", 0.16}}},
       {"encoding", {{"x", x}, {"y", low}, {"y2", {{"field", "high"}}}, {"color", styles.colour}}}},
      {{"mark", {{"type", "line"}}},
       {"encoding",
        {{"x", x},
         {"y", y},
         {"color", styles.colour},
         {"strokeDash", styles.dash},
         {"strokeWidth", line_width()}}}},
      // Lines are hard to hit with a pointer: wide and invisible marks carry the tooltips.
      {{"mark", {{"type", "point"}, {"filled", true}, {"fillOpacity", 0}, {"size", 120}}},
       {"encoding",
        {{"x", x},
         {"y", y},
         {"tooltip",
          {tip("agent", "line", false), tip("episode", "episode"),
           tip("regret", "regret (units of reward)"),
           tip("standard_error", "standard error (units of reward)"), tip("seeds", "seeds")}}}}}};
}

std::string summary_of_regret(const Study& study, const DataTable& table) {
  std::vector<std::string> parts;
  const std::string panel = panel_name(study, tasks_shown(study).back());
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const bool last = row + 1 == table.rows.size() ||
                      table.at(row + 1, "agent") != table.at(row, "agent") ||
                      table.at(row + 1, "panel") != table.at(row, "panel");
    if (!last || table.at(row, "panel") != panel) continue;
    std::string part = shown_name(table.at(row, "agent").get<std::string>()) + " " +
                       number_text(table.at(row, "regret").get<double>());
    if (table.at(row, "kind") != "agent")
      part += fmt::format(" at episode {}", number_text(table.at(row, "episode").get<double>()));
    parts.push_back(part);
  }
  return fmt::format("Mean cumulative regret after up to {} episodes, {}: {}.", study.episodes,
                     panel, listed(parts));
}

std::vector<std::string> caption_of_regret(const Study& study, const DataTable& table,
                                           std::span<const ExperimentFindings> findings) {
  std::vector<std::string> caption = {
      "Sum of the regrets (optimal value minus the value of the policy, both computed in the true "
      "model) up to each episode: mean over the seeds; band: two standard errors either side.",
      seeds_sentence(study), fmt::format("Runs have {} episodes.", study.episodes)};
  for (std::size_t row = 0; row < table.rows.size(); ++row)
    if (table.at(row, "regret").get<double>() <= 0.0) {
      caption.emplace_back(
          "A regret of 0 has no place on a log axis and is drawn at its lower end.");
      break;
    }
  for (const ExperimentFindings& of : findings)
    if (lies_in(study.folder, of.folder))
      for (const Bound& bound : bounds_of(of))
        if (!bound.about.empty()) caption.push_back(bound.about);
  if (study.tasks.size() > kMostPanels)
    caption.push_back(fmt::format("{} of {} tasks are shown; the full data has them all.",
                                  kMostPanels, study.tasks.size()));
  caption.emplace_back(
      "The full data has every seed at the episodes of the picture; every episode is in "
      "episodes.csv of the run's folder (data/runs.csv).");
  return caption;
}

}  // namespace

Figure regret_figure(const Study& study, std::span<const ExperimentFindings> findings,
                     const std::string& id, PlotStyle& style) {
  Figure figure;
  figure.id = id;
  figure.title = "Cumulative regret";
  figure.picture = picture_of(study, findings);
  const ordered_json layers = layers_of(study, figure.picture, style);
  if (tasks_shown(study).size() == 1) {
    figure.spec = {{"height", 400}, {"data", {{"name", "picture"}}}, {"layer", layers}};
  } else {
    ordered_json order = ordered_json::array();
    for (const std::string& task : tasks_shown(study)) order.push_back(panel_name(study, task));
    figure.spec = {
        {"data", {{"name", "picture"}}},
        {"facet", {{"field", "panel"}, {"type", "nominal"}, {"sort", order}, {"title", nullptr}}},
        {"spec", {{"height", 260}, {"layer", layers}}}};
  }
  figure.summary = summary_of_regret(study, figure.picture);
  figure.caption = caption_of_regret(study, figure.picture, findings);
  figure.table = {{"task", CellForm::kValue, {"panel"}},
                  {"agent", CellForm::kValue, {"agent"}},
                  {"episode", CellForm::kValue, {"episode"}},
                  {"regret \u00b1 standard error (units of reward)",
                   CellForm::kWithError,
                   {"regret", "standard_error"}},
                  {"seeds", CellForm::kValue, {"seeds"}}};
  figure.table_rows = rows_of_curves(figure.picture, kTableEpisodes);
  figure.full = seed_curves(study);
  return figure;
}

}  // namespace vapor
