#include "vapor/report/returns_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "vapor/record/run_summary.h"
#include "vapor/report/study.h"
#include "vapor/report/study_words.h"
#include "vapor/report/training_lines.h"
#include "vapor/report/wording.h"

namespace vapor {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kTableWindows = 8;  // rows of a curve in the table for readers

std::vector<std::string> agents_of(const std::vector<TrainingLine>& lines) {
  std::set<std::string, ByRank> agents;
  for (const TrainingLine& line : lines) agents.insert(line.agent);
  return {agents.begin(), agents.end()};
}

// A row a window in which a seed has an episode. The windows are those of the longest seed.
void add_curve(DataTable& table, const TrainingLine& line) {
  std::int64_t width = 1;
  std::int64_t last = 0;
  for (const RunDigest* run : line.seeds) {
    width = std::max(width, run->returns.width);
    last = std::max(last, run->returns.last);
  }
  std::vector<ReturnCurve> curves;
  for (const RunDigest* run : line.seeds) curves.push_back(widened(run->returns, width));
  for (std::size_t i = 0; static_cast<std::int64_t>(i) * width < last; ++i) {
    std::vector<double> means;
    std::int64_t episodes = 0;
    for (const ReturnCurve& curve : curves) {
      if (i >= curve.windows.size() || curve.windows[i].episodes == 0) continue;
      means.push_back(curve.windows[i].mean);
      episodes += curve.windows[i].episodes;
    }
    if (means.empty()) continue;
    const std::int64_t from = static_cast<std::int64_t>(i) * width + 1;
    const std::int64_t to = std::min(last, from + width - 1);
    table.rows.push_back({line.panel, line.agent, from, to, 0.5 * static_cast<double>(from + to),
                          mean_and_error(means).mean, std::ranges::min(means),
                          std::ranges::max(means), means.size(), episodes});
  }
}

DataTable picture_of(const std::vector<TrainingLine>& lines) {
  DataTable table;
  table.columns = {"panel",  "agent", "from", "to",    "middle",
                   "return", "low",   "high", "seeds", "episodes"};
  for (const TrainingLine& line : lines) add_curve(table, line);
  return table;
}

// Every seed in windows of its own.
DataTable seed_curves(const std::vector<TrainingLine>& lines) {
  DataTable table;
  table.columns = {"environment", "agent", "seed", "from", "to", "episodes", "return", "folder"};
  for (const TrainingLine& line : lines)
    for (const RunDigest* run : line.seeds) {
      const ReturnCurve& curve = run->returns;
      for (std::size_t i = 0; i < curve.windows.size(); ++i) {
        if (curve.windows[i].episodes == 0) continue;
        const std::int64_t from = static_cast<std::int64_t>(i) * curve.width + 1;
        table.rows.push_back({line.panel, line.agent, seed_of(*run), from,
                              std::min(curve.last, from + curve.width - 1),
                              curve.windows[i].episodes, curve.windows[i].mean, run->folder});
      }
    }
  return table;
}

ordered_json axis_of(const char* field, const char* title, const char* format) {
  return {
      {"field", field},
      {"type", "quantitative"},
      {"scale", {{"zero", false}, {"nice", false}}},
      {"axis", {{"title", title}, {"format", format}, {"tickCount", 5}, {"labelOverlap", true}}}};
}

ordered_json layers_of(const std::string& axis, const std::vector<std::string>& agents,
                       PlotStyle& style) {
  const ordered_json x = axis_of("middle", axis.c_str(), "~s");
  const ordered_json y = axis_of("return", "return (units of reward)", kNumberFormat);
  ordered_json low = y;
  low["field"] = "low";
  const ordered_json colour = style.colour(agents);
  // No filters: a panel that they leave nothing of has no extent. The band of one seed has no
  // height.
  const ordered_json seen_alone = {{"condition", {{"test", "datum.seeds === 1"}, {"value", 1}}},
                                   {"value", 0}};
  return {{{"mark", {{"type", "area"}, {"fillOpacity", 0.16}}},
           {"encoding", {{"x", x}, {"y", low}, {"y2", {{"field", "high"}}}, {"color", colour}}}},
          {{"mark", {{"type", "line"}}},
           {"encoding", {{"x", x}, {"y", y}, {"color", colour}, {"strokeWidth", line_width()}}}},
          {{"mark", {{"type", "point"}, {"filled", true}, {"size", 22}}},
           {"encoding",
            {{"x", x},
             {"y", y},
             {"color", colour},
             {"shape", style.shape(agents)},
             {"opacity", seen_alone}}}},
          // Lines are hard to hit with a pointer: wide and invisible marks carry the tooltips.
          {{"mark", {{"type", "point"}, {"filled", true}, {"fillOpacity", 0}, {"size", 120}}},
           {"encoding",
            {{"x", x},
             {"y", y},
             {"tooltip",
              {tip("agent", "agent", false), tip("from", axis + " from"), tip("to", axis + " to"),
               tip("return", "mean return (units of reward)"), tip("low", "least of the seeds"),
               tip("high", "most of the seeds"), tip("seeds", "seeds"),
               tip("episodes", "episodes")}}}}}};
}

// Environments have returns and lengths of their own, so panels have axes of their own.
ordered_json spec_of(const std::vector<TrainingLine>& lines, const ordered_json& layers) {
  ordered_json panels = ordered_json::array();
  for (const TrainingLine& line : lines)
    if (panels.empty() || panels.back() != line.panel) panels.push_back(line.panel);
  if (panels.size() == 1)
    return {{"height", 400},
            {"data", {{"name", "picture"}}},
            {"usermeta", {{"may_be_log", {"x"}}}},
            {"layer", layers}};
  return {
      {"data", {{"name", "picture"}}},
      {"usermeta", {{"own_axes", true}, {"may_be_log", {"x"}}}},
      {"facet", {{"field", "panel"}, {"type", "nominal"}, {"sort", panels}, {"title", nullptr}}},
      {"spec", {{"height", 260}, {"layer", layers}}},
      {"resolve",
       {{"scale", {{"x", "independent"}, {"y", "independent"}}},
        {"axis", {{"x", "independent"}, {"y", "independent"}}}}}};
}

std::string summary_of_returns(const DataTable& picture, const std::string& axis) {
  std::vector<std::string> parts;
  for (const std::size_t row : rows_of_curves(picture, 1))
    parts.push_back(fmt::format("{} in {} {} at {} {}",
                                shown_name(picture.at(row, "agent").get<std::string>()),
                                picture.at(row, "panel").get<std::string>(),
                                number_text(picture.at(row, "return").get<double>()), axis,
                                picture.at(row, "to").get<std::int64_t>()));
  return fmt::format("Mean returns in the last window: {}.", listed(parts));
}

// "Solved (...): vapor-lite in deep_sea:depth=10 by 2 of 3 seeds, at episodes 112 and 140."; empty
// if none of the trainings tells success.
std::string solved_sentence(const std::vector<TrainingLine>& lines) {
  std::vector<std::string> parts;
  bool any = false;
  for (const TrainingLine& line : lines) {
    std::vector<std::string> episodes;
    for (const RunDigest* run : line.seeds) {
      any = any || (run->is_training() && run->summary.first_success.has_value());
      if (run->summary.solved) episodes.push_back(std::to_string(*run->summary.solved));
    }
    std::string part = fmt::format("{} in {} by {} of {}", shown_name(line.agent), line.panel,
                                   episodes.size(), counted(line.seeds.size(), "seed"));
    if (!episodes.empty())
      part += fmt::format(" (episode{} {})", episodes.size() == 1 ? "" : "s", listed(episodes));
    parts.push_back(part);
  }
  if (!any) return "";
  return fmt::format(
      "Solved, that is the goal reached in at least a tenth of the episodes so far, at episode 100 "
      "or later: {}.",
      listed(parts));
}

std::vector<std::string> caption_of_returns(const std::vector<TrainingLine>& lines,
                                            const DataTable& picture, const std::string& axis) {
  std::vector<std::uint64_t> seeds;
  std::size_t unfinished = 0;
  bool ragged = false;
  for (const TrainingLine& line : lines)
    for (const RunDigest* run : line.seeds) {
      seeds.push_back(seed_of(*run));
      if (!run->run.finished) ++unfinished;
    }
  for (std::size_t row = 0; row < picture.rows.size(); ++row)
    for (const TrainingLine& line : lines)
      ragged = ragged ||
               (picture.at(row, "panel") == line.panel && picture.at(row, "agent") == line.agent &&
                picture.at(row, "seeds") != line.seeds.size());
  std::vector<std::string> caption = {
      fmt::format("Mean return of the episodes that ended in each window of {} (at most {} windows "
                  "a curve), drawn at its middle: mean over the seeds; band: from the least to the "
                  "most of the seeds; dots: one seed alone.",
                  axis, kMostWindows),
      "These are the episodes that it learned from, in which it acts to explore.",
      fmt::format("Seeds: {}.", seeds_text(seeds))};
  if (ragged)
    caption.emplace_back(
        "Where a seed has no episode in a window, or has stopped, the mean is over the others; the "
        "table counts them.");
  if (unfinished > 0)
    caption.push_back(fmt::format("Not finished, and shown as far as they went: {}.",
                                  counted(unfinished, "training")));
  if (const std::string solved = solved_sentence(lines); !solved.empty()) caption.push_back(solved);
  caption.emplace_back(
      "The full data has the windows of every seed; every episode is in episodes.csv of the run's "
      "folder (data/runs.csv).");
  return caption;
}

Figure figure_of(const std::vector<TrainingLine>& lines, const std::string& axis,
                 const std::string& id, PlotStyle& style) {
  Figure figure;
  figure.id = id;
  figure.title = "Return against " + axis;
  figure.picture = picture_of(lines);
  figure.spec = spec_of(lines, layers_of(axis, agents_of(lines), style));
  figure.summary = summary_of_returns(figure.picture, axis);
  figure.caption = caption_of_returns(lines, figure.picture, axis);
  figure.table = {{"environment", CellForm::kValue, {"panel"}},
                  {"agent", CellForm::kValue, {"agent"}},
                  {axis, CellForm::kInterval, {"from", "to"}},
                  {"mean return (units of reward)", CellForm::kValue, {"return"}},
                  {"least to most of the seeds", CellForm::kInterval, {"low", "high"}},
                  {"seeds", CellForm::kValue, {"seeds"}},
                  {"episodes", CellForm::kValue, {"episodes"}}};
  figure.table_rows = rows_of_curves(figure.picture, kTableWindows);
  figure.full = seed_curves(lines);
  return figure;
}

}  // namespace

Figure returns_of(const Study& study, const std::string& id, PlotStyle& style) {
  std::vector<TrainingLine> lines;
  for (const std::string& task : tasks_shown(study))
    for (const std::string& agent : study.agents)
      if (const StudyCell* cell = study.cell(agent, task); cell != nullptr && !cell->seeds.empty())
        lines.push_back({panel_name(study, task), agent, cell->seeds});
  return figure_of(lines, "episodes", id, style);
}

TrainingFigures training_figures(std::span<const RunDigest> runs, const std::string& id,
                                 PlotStyle& style) {
  TrainingFigures result;
  for (const bool by_frames : {true, false}) {
    const std::vector<TrainingLine> lines = training_lines(runs, by_frames, result.refused);
    const std::string axis = by_frames ? "frames" : "episodes";
    if (!lines.empty())
      result.figures.push_back(figure_of(lines, axis, fmt::format("{}-{}", id, axis), style));
  }
  return result;
}

}  // namespace vapor
