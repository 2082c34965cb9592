#include "vapor/report/returns_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "vapor/record/run_summary.h"
#include "vapor/report/findings.h"
#include "vapor/report/study.h"
#include "vapor/report/study_words.h"
#include "vapor/report/wording.h"

namespace vapor {
namespace {

using nlohmann::ordered_json;
using Trainings = std::vector<const RunDigest*>;

constexpr std::size_t kTableWindows = 8;  // rows of a curve in the table for readers

// The seeds of an agent in an environment.
struct Line {
  std::string panel;  // the environment
  std::string agent;  // with the settings that tell it from other lines of the panel
  std::vector<const RunDigest*> seeds;
};

bool is_complete(const Definition& definition) {
  const auto seed = definition.find("seed");
  return !text_at(definition, "env").empty() && !text_at(definition, "agent").empty() &&
         seed != definition.end() && seed->is_number_unsigned();
}

std::string text_of(const ordered_json& value) {
  return value.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

// Those of the axis that can be drawn, each once.
Trainings drawable(std::span<const RunDigest> runs, bool by_frames, std::vector<LeftOut>& refused) {
  Trainings trainings;
  std::map<std::string, std::string> seen;  // definition, folder
  for (const RunDigest& run : runs) {
    if (!run.is_training() || run.returns->by_frames != by_frames) continue;
    if (!is_complete(run.run.definition)) {
      refused.push_back(
          {run.folder, "definition: env and agent must be text and seed a whole number >= 0"});
      continue;
    }
    if (run.returns->windows.empty()) {
      refused.push_back({run.folder, "is a training of which no episode is over yet"});
      continue;
    }
    const auto [first, is_new] = seen.try_emplace(text_of(run.run.definition), run.folder);
    if (is_new)
      trainings.push_back(&run);
    else
      refused.push_back({run.folder, "has the definition and the seed of " + first->second +
                                         "; a run counts once"});
  }
  return trainings;
}

// The fields of the definitions, other than those that lines are drawn by, that are not all equal.
std::vector<std::string> differing_fields(const Trainings& trainings) {
  std::map<std::string, std::set<std::string>> values;
  for (const RunDigest* run : trainings)
    for (const auto& [name, value] : run->run.definition.items()) values[name];
  for (auto& [name, texts] : values)
    for (const RunDigest* run : trainings)
      texts.insert(text_of(run->run.definition.value(name, ordered_json())));
  std::vector<std::string> fields;
  for (const auto& [name, texts] : values)
    if (texts.size() > 1 && name != "env" && name != "agent" && name != "seed")
      fields.push_back(name);
  return fields;
}

// By environment, and then by agent.
std::vector<Line> lines_of(const Trainings& trainings) {
  std::map<std::string, Trainings> by_env;
  for (const RunDigest* run : trainings) by_env[text_at(run->run.definition, "env")].push_back(run);
  std::vector<Line> lines;
  for (const auto& [env, of_env] : by_env) {
    const std::vector<std::string> fields = differing_fields(of_env);
    std::map<std::string, Trainings, ByRank> by_agent;
    for (const RunDigest* run : of_env) {
      std::string name = text_at(run->run.definition, "agent");
      for (const std::string& field : fields)
        name += fmt::format(", {} {}", field,
                            text_of(run->run.definition.value(field, ordered_json())));
      by_agent[name].push_back(run);
    }
    for (auto& [agent, seeds] : by_agent) {
      std::ranges::sort(seeds, {}, [](const RunDigest* run) { return seed_of(*run); });
      lines.push_back({env, agent, seeds});
    }
  }
  return lines;
}

std::vector<std::string> agents_of(const std::vector<Line>& lines) {
  std::set<std::string, ByRank> agents;
  for (const Line& line : lines) agents.insert(line.agent);
  return {agents.begin(), agents.end()};
}

// A row a window in which a seed has an episode. The windows are those of the longest seed.
void add_curve(DataTable& table, const Line& line) {
  std::int64_t width = 1;
  std::int64_t last = 0;
  for (const RunDigest* run : line.seeds) {
    width = std::max(width, run->returns->width);
    last = std::max(last, run->returns->last);
  }
  std::vector<ReturnCurve> curves;
  for (const RunDigest* run : line.seeds) curves.push_back(widened(*run->returns, width));
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

DataTable picture_of(const std::vector<Line>& lines) {
  DataTable table;
  table.columns = {"panel",  "agent", "from", "to",    "middle",
                   "return", "low",   "high", "seeds", "episodes"};
  for (const Line& line : lines) add_curve(table, line);
  return table;
}

// Every seed in windows of its own.
DataTable seed_curves(const std::vector<Line>& lines) {
  DataTable table;
  table.columns = {"environment", "agent", "seed", "from", "to", "episodes", "return", "folder"};
  for (const Line& line : lines)
    for (const RunDigest* run : line.seeds) {
      const ReturnCurve& curve = *run->returns;
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
      {"scale", {{"zero", false}}},
      {"axis", {{"title", title}, {"format", format}, {"tickCount", 5}, {"labelOverlap", true}}}};
}

ordered_json layers_of(const std::string& axis, const std::vector<std::string>& agents,
                       PlotStyle& style) {
  const ordered_json x = axis_of("middle", axis.c_str(), "~s");
  const ordered_json y = axis_of("return", "return (units of reward)", "~g");
  ordered_json low = y;
  low["field"] = "low";
  const ordered_json colour = style.colour(agents);
  return {{{"transform", {{{"filter", "datum.seeds > 1"}}}},
           {"mark", {{"type", "area"}, {"fillOpacity", 0.16}}},
           {"encoding", {{"x", x}, {"y", low}, {"y2", {{"field", "high"}}}, {"color", colour}}}},
          {{"mark", {{"type", "line"}}},
           {"encoding", {{"x", x}, {"y", y}, {"color", colour}, {"strokeWidth", line_width()}}}},
          {{"transform", {{{"filter", "datum.seeds === 1"}}}},
           {"mark", {{"type", "point"}, {"filled", true}, {"size", 22}, {"opacity", 1}}},
           {"encoding", {{"x", x}, {"y", y}, {"color", colour}, {"shape", style.shape(agents)}}}},
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
ordered_json spec_of(const DataTable& picture, const ordered_json& layers) {
  const std::size_t panel = picture.column("panel");
  const bool several = std::ranges::any_of(
      picture.rows, [&](const auto& row) { return row[panel] != picture.rows.front()[panel]; });
  if (!several) return {{"height", 400}, {"data", {{"name", "picture"}}}, {"layer", layers}};
  return {{"data", {{"name", "picture"}}},
          {"usermeta", {{"own_axes", true}}},
          {"facet", {{"field", "panel"}, {"type", "nominal"}, {"title", nullptr}}},
          {"spec", {{"height", 260}, {"layer", layers}}},
          {"resolve",
           {{"scale", {{"x", "independent"}, {"y", "independent"}}},
            {"axis", {{"x", "independent"}, {"y", "independent"}}}}}};
}

std::string summary_of(const DataTable& picture, const std::string& axis) {
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
std::string solved_sentence(const std::vector<Line>& lines) {
  std::vector<std::string> parts;
  bool any = false;
  for (const Line& line : lines) {
    std::vector<std::string> episodes;
    for (const RunDigest* run : line.seeds) {
      any = any || run->summary.first_success.has_value();
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

std::vector<std::string> caption_of(const std::vector<Line>& lines, const DataTable& picture,
                                    const std::string& axis) {
  std::vector<std::uint64_t> seeds;
  std::size_t unfinished = 0;
  bool ragged = false;
  for (const Line& line : lines)
    for (const RunDigest* run : line.seeds) {
      seeds.push_back(seed_of(*run));
      if (!run->run.finished) ++unfinished;
    }
  for (std::size_t row = 0; row < picture.rows.size(); ++row)
    for (const Line& line : lines)
      ragged = ragged ||
               (picture.at(row, "panel") == line.panel && picture.at(row, "agent") == line.agent &&
                picture.at(row, "seeds") != line.seeds.size());
  std::vector<std::string> caption = {
      fmt::format("Mean return of the episodes that ended in each window of {} (at most {} windows "
                  "a curve), drawn at its middle: mean over the seeds; band: from the least to the "
                  "most of the seeds; dots: one seed alone.",
                  axis, kMostWindows),
      "Episodes are those of training: actions are drawn as the agent draws them to explore.",
      fmt::format("Seeds: {}.", seeds_text(seeds))};
  if (ragged)
    caption.emplace_back(
        "Where a seed has no episode in a window, or has stopped, the mean is over the others; the "
        "table counts them.");
  if (unfinished > 0)
    caption.push_back(fmt::format(
        "{} not finished and shown as far as it went.",
        unfinished == 1 ? "1 training is" : fmt::format("{} trainings are", unfinished)));
  if (const std::string solved = solved_sentence(lines); !solved.empty()) caption.push_back(solved);
  caption.emplace_back(
      "The full data has the windows of every seed; every episode is in episodes.csv of the run's "
      "folder (data/runs.csv).");
  return caption;
}

Figure figure_of(const std::vector<Line>& lines, const std::string& axis, const std::string& id,
                 PlotStyle& style) {
  Figure figure;
  figure.id = id + "-" + axis;
  figure.title = "Return against " + axis;
  figure.picture = picture_of(lines);
  figure.spec = spec_of(figure.picture, layers_of(axis, agents_of(lines), style));
  figure.summary = summary_of(figure.picture, axis);
  figure.caption = caption_of(lines, figure.picture, axis);
  std::vector<std::string> commands;
  for (const Line& line : lines)
    for (const RunDigest* run : line.seeds) commands.push_back(run->run.command);
  figure.commands = common_commands(commands);
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

TrainingFigures training_figures(std::span<const RunDigest> runs, const std::string& id,
                                 PlotStyle& style) {
  TrainingFigures result;
  for (const bool by_frames : {true, false}) {
    const std::vector<Line> lines = lines_of(drawable(runs, by_frames, result.refused));
    if (!lines.empty())
      result.figures.push_back(figure_of(lines, by_frames ? "frames" : "episodes", id, style));
  }
  return result;
}

}  // namespace vapor
