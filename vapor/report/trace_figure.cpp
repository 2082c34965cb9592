#include "vapor/report/trace_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "vapor/report/findings.h"
#include "vapor/report/plot_style.h"
#include "vapor/report/wording.h"

namespace vapor {
namespace {

using nlohmann::ordered_json;

// What a log axis can show: the bounds meet to the last bit, and clocks begin at 0.
constexpr double kLeastGap = 1e-16;
constexpr double kLeastSeconds = 1e-6;

struct Curve {
  std::string problem;
  std::string method;
  const TraceDigest* trace;
};

// By problem, and then in the order of the traces.
std::vector<Curve> curves_of(std::span<const TraceDigest> traces) {
  std::map<std::string, std::vector<Curve>> by_problem;
  std::map<std::pair<std::string, std::string>, int> count;
  for (const TraceDigest& trace : traces) {
    const std::string problem = text_at(trace.run.definition, "problem");
    std::string method = text_at(trace.run.definition, "method");
    const int number = ++count[{problem, method}];
    if (number > 1) method += fmt::format(" ({})", number);
    by_problem[problem].push_back({problem, method, &trace});
  }
  std::vector<Curve> curves;
  for (const auto& [problem, of_problem] : by_problem)
    curves.insert(curves.end(), of_problem.begin(), of_problem.end());
  return curves;
}

// Halves first: bounds may be as far apart as doubles can be.
double relative_gap(double lower, double upper) {
  return 2.0 * ((0.5 * upper - 0.5 * lower) / std::max(1.0, std::abs(lower)));
}

std::vector<ordered_json> row_of(const Curve& curve, std::size_t i) {
  const NumberTable& trace = curve.trace->trace;
  const double lower = trace.column("lower_bound")[i];
  const double upper = trace.column("upper_bound")[i];
  return {curve.problem, curve.method, trace.column("iteration")[i], trace.column("seconds")[i],
          lower,         upper,        relative_gap(lower, upper)};
}

DataTable table_of(const std::vector<Curve>& curves, bool thinned) {
  DataTable table;
  table.columns = {"panel",       "agent",       "iteration",   "seconds",
                   "lower_bound", "upper_bound", "relative_gap"};
  for (const Curve& curve : curves) {
    const std::size_t rows = curve.trace->trace.rows();
    if (!thinned)
      for (std::size_t i = 0; i < rows; ++i) table.rows.push_back(row_of(curve, i));
    else if (rows > 0)
      for (const std::int64_t row : picture_episodes(static_cast<std::int64_t>(rows)))
        table.rows.push_back(row_of(curve, static_cast<std::size_t>(row - 1)));
  }
  return table;
}

ordered_json spec_of(const DataTable& table, const std::vector<std::string>& methods) {
  AxisRange seconds, gap;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    seconds.include(std::max(kLeastSeconds, table.at(row, "seconds").get<double>()));
    gap.include(std::max(kLeastGap, table.at(row, "relative_gap").get<double>()));
  }
  PlotStyle style;
  const ordered_json x = log_axis("seconds_shown", "wall time (seconds)", seconds);
  const ordered_json y = log_axis("gap_shown", "relative gap of the certificate", gap);
  const ordered_json colour = style.colour(methods);
  const ordered_json layers = {
      {{"mark", {{"type", "line"}, {"strokeWidth", 1.8}}},
       {"encoding",
        {{"x", x},
         {"y", y},
         {"color", colour},
         {"order", {{"field", "iteration"}, {"type", "quantitative"}}}}}},
      {{"mark", {{"type", "point"}, {"filled", true}, {"size", 22}, {"opacity", 1}}},
       {"encoding",
        {{"x", x},
         {"y", y},
         {"color", colour},
         {"shape", style.shape(methods)},
         {"tooltip",
          {tip("agent", "method", false), tip("iteration", "iteration"),
           tip("seconds", "wall time (s)"), tip("relative_gap", "relative gap"),
           tip("lower_bound", "lower bound (reward)"),
           tip("upper_bound", "upper bound (reward)")}}}}}};
  return {{"data", {{"name", "picture"}}},
          {"transform",
           {{{"calculate", fmt::format("max(datum.seconds, {})", kLeastSeconds)},
             {"as", "seconds_shown"}},
            {{"calculate", fmt::format("max(datum.relative_gap, {})", kLeastGap)},
             {"as", "gap_shown"}}}},
          {"facet", {{"field", "panel"}, {"type", "nominal"}, {"title", nullptr}}},
          {"spec", {{"height", 300}, {"layer", layers}}}};
}

}  // namespace

Figure trace_figure(std::span<const TraceDigest> traces, const std::string& id) {
  const std::vector<Curve> curves = curves_of(traces);
  std::vector<std::string> methods;
  for (const Curve& curve : curves)
    if (std::ranges::find(methods, curve.method) == methods.end()) methods.push_back(curve.method);
  Figure figure;
  figure.id = id;
  figure.title = "Accuracy against time";
  figure.picture = table_of(curves, true);
  figure.full = table_of(curves, false);
  figure.spec = spec_of(figure.picture, methods);
  std::vector<std::string> parts;
  for (const std::size_t row : rows_of_curves(figure.picture, 1))
    parts.push_back(fmt::format("{} on {} reaches {} after {} s",
                                figure.picture.at(row, "agent").get<std::string>(),
                                figure.picture.at(row, "panel").get<std::string>(),
                                number_text(figure.picture.at(row, "relative_gap").get<double>()),
                                number_text(figure.picture.at(row, "seconds").get<double>())));
  figure.summary = fmt::format("Relative gap against seconds: {}.", listed(parts));
  figure.caption = {
      "Relative gap: (upper bound - lower bound) / max(1, |lower bound|), both bounds being those "
      "of the certificate at that moment; gaps below 1e-16 are drawn there. Wall times of one "
      "solve each, without reading and writing: they differ from machine to machine and have no "
      "error bars."};
  figure.table = {{"problem", CellForm::kValue, {"panel"}},
                  {"method", CellForm::kValue, {"agent"}},
                  {"iteration", CellForm::kValue, {"iteration"}},
                  {"wall time (s)", CellForm::kValue, {"seconds"}},
                  {"value between (reward)", CellForm::kInterval, {"lower_bound", "upper_bound"}},
                  {"relative gap", CellForm::kValue, {"relative_gap"}}};
  return figure;
}

}  // namespace vapor
