#include "vapor/report/time_figure.h"

#include <fmt/format.h>

#include <algorithm>

#include "vapor/record/run_summary.h"
#include "vapor/report/statistics.h"
#include "vapor/report/study_words.h"
#include "vapor/report/wording.h"

namespace vapor {
namespace {

using nlohmann::ordered_json;

// The numbers of the picture: a row a cell.
DataTable cell_statistics(const Study& study) {
  DataTable table;
  table.columns = {"agent", "task",    "number",   "mean",    "standard_error", "low",  "high",
                   "iqm",   "iqm_low", "iqm_high", "reached", "seeds",          "share"};
  for (const StudyCell& cell : study.cells) {
    const std::vector<double> times = measured(study, cell);
    if (times.empty()) continue;
    const Scores scores(cell.agent, {cell.task}, {times});
    const MeanAndError mean_time = mean_and_error(times);
    const Interval band = bootstrap(scores, [](const Scores& s) { return mean(s); });
    const Interval iqm_band =
        bootstrap(scores, [](const Scores& s) { return interquartile_mean(s); });
    const auto there = std::ranges::count_if(
        cell.seeds, [&](const RunDigest* run) { return reached(study, *run); });
    const char* share = there == 0 ? "none" : there < std::ssize(cell.seeds) ? "some" : "all";
    table.rows.push_back({cell.agent, cell.task, cell.number, mean_time.mean,
                          mean_time.standard_error, band.low, band.high, interquartile_mean(times),
                          iqm_band.low, iqm_band.high, there, times.size(), share});
  }
  return table;
}

bool any_share(const DataTable& table, const char* share) {
  const std::size_t column = table.column("share");
  return std::ranges::any_of(table.rows, [&](const auto& row) { return row[column] == share; });
}

AxisRange range_of(const DataTable& table, std::initializer_list<const char*> columns) {
  AxisRange range;
  for (const char* name : columns)
    for (const auto& row : table.rows) range.include(row[table.column(name)].get<double>());
  return range;
}

ordered_json tips(const Study& study) {
  const MeasureWords words = words_of(study.measure);
  ordered_json lines = ordered_json::array({tip("agent", "agent", false)});
  if (!study.axis.empty()) lines.push_back(tip("task", study.axis, false));
  lines.push_back(tip("mean", "mean (" + words.unit + ")"));
  lines.push_back(tip("standard_error", "standard error (" + words.unit + ")"));
  lines.push_back(tip("low", "95% from (" + words.unit + ")"));
  lines.push_back(tip("high", "95% to (" + words.unit + ")"));
  lines.push_back(tip("reached", "seeds " + words.reached));
  lines.push_back(tip("seeds", "seeds"));
  return lines;
}

// Where runs were ended.
ordered_json cap_layer(const Study& study, const char* channel) {
  return {{"mark", {{"type", "rule"}, {"color", "theme:faint"}, {"strokeDash", {3, 3}}}},
          {"encoding", {{channel, {{"datum", study.episodes}, {"type", "quantitative"}}}}}};
}

// Marks over `position`; hollow where no seed got there, and paler where not all did.
void add_points(ordered_json& layers, const ordered_json& position, const ordered_json& colour,
                const ordered_json& shape, const ordered_json& tooltip) {
  for (const bool hollow : {false, true}) {
    ordered_json mark = {{"type", "point"}, {"filled", !hollow}, {"size", 64}, {"opacity", 1}};
    ordered_json encoding = position;
    encoding["color"] = colour;
    encoding["shape"] = shape;
    encoding["tooltip"] = tooltip;
    if (hollow) {
      mark["fill"] = "theme:raised";
      mark["strokeWidth"] = 1.8;
    } else {
      encoding["opacity"] = {{"condition", {{"test", "datum.share === 'some'"}, {"value", 0.45}}},
                             {"value", 1}};
    }
    const char* filter = hollow ? "datum.share === 'none'" : "datum.share !== 'none'";
    layers.push_back(
        {{"transform", {{{"filter", filter}}}}, {"mark", mark}, {"encoding", encoding}});
  }
}

ordered_json x_axis_of(const Study& study, const DataTable& table) {
  const AxisRange range = range_of(table, {"number"});
  ordered_json ticks = ordered_json::array();
  for (const auto& row : table.rows) {
    const ordered_json& number = row[table.column("number")];
    if (std::ranges::find(ticks, number) == ticks.end()) ticks.push_back(number);
  }
  // A log scale with a little room at both ends, unless a number is not > 0.
  const bool positive = std::ranges::all_of(
      ticks, [](const ordered_json& number) { return number.get<double>() > 0.0; });
  ordered_json scale = {{"zero", false}, {"padding", 16}};
  if (positive)
    scale = {{"type", "log"}, {"domain", {range.low / 1.06, range.high * 1.06}}, {"nice", false}};
  return {{"field", "number"},
          {"type", "quantitative"},
          {"scale", scale},
          {"axis",
           {{"title", study.axis}, {"values", ticks}, {"format", "~g"}, {"labelOverlap", true}}}};
}

ordered_json lines_spec(const Study& study, const DataTable& table, PlotStyle& style) {
  AxisRange range = range_of(table, {"mean", "low", "high"});
  const bool capped = any_share(table, "some") || any_share(table, "none");
  if (capped) range.include(static_cast<double>(study.episodes));
  const ordered_json x = x_axis_of(study, table);
  const ordered_json y = log_axis("mean", words_of(study.measure).quantity, range);
  ordered_json band_y = y;
  band_y["field"] = "low";
  ordered_json colour = style.colour(study.agents);
  ordered_json layers = ordered_json::array();
  layers.push_back(
      {{"mark", {{"type", "area"}, {"fillOpacity", 0.16}}},
       {"encoding", {{"x", x}, {"y", band_y}, {"y2", {{"field", "high"}}}, {"color", colour}}}});
  layers.push_back(
      {{"mark", {{"type", "line"}}},
       {"encoding", {{"x", x}, {"y", y}, {"color", colour}, {"strokeWidth", line_width()}}}});
  if (capped) layers.push_back(cap_layer(study, "y"));
  add_points(layers, {{"x", x}, {"y", y}}, colour, style.shape(study.agents), tips(study));
  return {{"height", 380}, {"data", {{"name", "picture"}}}, {"layer", layers}};
}

ordered_json dots_spec(const Study& study, const DataTable& table, PlotStyle& style) {
  AxisRange range = range_of(table, {"mean", "low", "high"});
  const bool capped = any_share(table, "some") || any_share(table, "none");
  if (capped) range.include(static_cast<double>(study.episodes));
  const ordered_json x = log_axis("mean", words_of(study.measure).quantity, range);
  ordered_json from = x;
  from["field"] = "low";
  ordered_json sort = ordered_json::array();
  for (const std::string& agent : study.agents) sort.push_back(agent);
  const ordered_json y = {{"field", "agent"},
                          {"type", "nominal"},
                          {"sort", sort},
                          {"axis", {{"title", nullptr}, {"grid", true}}}};
  ordered_json colour = style.colour(study.agents);
  colour["legend"] = nullptr;
  ordered_json shape = style.shape(study.agents);
  shape["legend"] = nullptr;
  ordered_json layers = ordered_json::array();
  layers.push_back(
      {{"mark", {{"type", "rule"}, {"strokeWidth", 2.5}}},
       {"encoding", {{"x", from}, {"x2", {{"field", "high"}}}, {"y", y}, {"color", colour}}}});
  if (capped) layers.push_back(cap_layer(study, "x"));
  add_points(layers, {{"x", x}, {"y", y}}, colour, shape, tips(study));
  return {{"height", 30 * study.agents.size()}, {"data", {{"name", "picture"}}}, {"layer", layers}};
}

// "At depth 20: VAPOR 54.3, thompson 81." of the largest task that the first agent has.
std::string summary_of_time(const Study& study, const DataTable& table) {
  const MeasureWords words = words_of(study.measure);
  std::string task;
  for (const std::string& candidate : study.tasks)
    if (study.cell(study.agents.front(), candidate) != nullptr) task = candidate;
  std::vector<std::string> parts;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    if (table.at(row, "task") != task) continue;
    const std::string agent = shown_name(table.at(row, "agent").get<std::string>());
    if (table.at(row, "share") == "none")
      parts.push_back(fmt::format("{} not within {}", agent, study.episodes));
    else
      parts.push_back(agent + " " + number_text(table.at(row, "mean").get<double>()));
  }
  const std::string where =
      study.axis.empty() ? "in " + task : fmt::format("at {} {}", study.axis, task);
  return fmt::format("Mean {} {}: {}.", words.quantity, where, listed(parts));
}

// "soft-q at depth 10, 20; ucbvi at depth 20": marks at the cap lie on each other.
std::string unreached_text(const Study& study, const DataTable& table) {
  std::vector<std::string> parts;
  for (const std::string& agent : study.agents) {
    std::vector<std::string> tasks;
    for (std::size_t row = 0; row < table.rows.size(); ++row)
      if (table.at(row, "agent") == agent && table.at(row, "share") == "none")
        tasks.push_back(table.at(row, "task").get<std::string>());
    if (tasks.empty()) continue;
    parts.push_back(study.axis.empty()
                        ? agent
                        : fmt::format("{} at {} {}", agent, study.axis, fmt::join(tasks, ", ")));
  }
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::vector<std::string> caption_of_time(const Study& study, const DataTable& table) {
  const MeasureWords words = words_of(study.measure);
  std::vector<std::string> caption = {
      fmt::format("Mean of {} over the seeds; {}: 95% bootstrap interval of the mean (2000 "
                  "resamples).",
                  words.quantity, study.axis.empty() ? "bar" : "band"),
      seeds_sentence(study)};
  if (study.measure == Measure::kSolved)
    caption.push_back(
        fmt::format("Solved is the first episode{} at which the goal was reached in at least a "
                    "tenth of the episodes so far.",
                    study.trainings ? ", 100 or later," : ""));
  if (study.measure == Measure::kCovered)
    caption.emplace_back("Covered is: every cell and action that can be reached was tried.");
  caption.push_back(fmt::format("Runs end after {} episodes.", study.episodes));
  if (any_share(table, "some"))
    caption.push_back(fmt::format(
        "Pale marks: some seeds were not {} by then and count as {} (dashed line), so their mean "
        "is too small.",
        words.reached, study.episodes));
  if (any_share(table, "none"))
    caption.push_back(fmt::format("Hollow marks at {}: no seed was {} ({}).", study.episodes,
                                  words.reached, unreached_text(study, table)));
  return caption;
}

}  // namespace

Figure time_figure(const Study& study, const std::string& id, PlotStyle& style) {
  const MeasureWords words = words_of(study.measure);
  const bool lines = !study.axis.empty() && study.tasks.size() > 1;
  Figure figure;
  figure.id = id;
  figure.title = lines ? fmt::format("{} against {}", words.title, study.axis) : words.title;
  figure.picture = cell_statistics(study);
  figure.spec =
      lines ? lines_spec(study, figure.picture, style) : dots_spec(study, figure.picture, style);
  figure.summary = summary_of_time(study, figure.picture);
  figure.caption = caption_of_time(study, figure.picture);
  figure.table = {
      {"agent", CellForm::kValue, {"agent"}},
      {study.axis.empty() ? "environment" : study.axis, CellForm::kValue, {"task"}},
      {"mean \u00b1 standard error (episodes)", CellForm::kWithError, {"mean", "standard_error"}},
      {"95% of the mean (episodes)", CellForm::kInterval, {"low", "high"}},
      {"interquartile mean (episodes)", CellForm::kValue, {"iqm"}},
      {"95% of it (episodes)", CellForm::kInterval, {"iqm_low", "iqm_high"}},
      {"seeds " + words.reached, CellForm::kOutOf, {"reached", "seeds"}}};
  figure.full = runs_table(study);
  return figure;
}

}  // namespace vapor
