#include "vapor/report/comparison_figure.h"

#include <fmt/format.h>

#include <algorithm>

#include "vapor/report/statistics.h"
#include "vapor/report/study_words.h"
#include "vapor/report/wording.h"

namespace vapor {
namespace {

using nlohmann::ordered_json;

// Every number divided by the median of all runs of its task; nothing if one of them is not > 0.
std::vector<Scores> normalised(const std::vector<Scores>& agents) {
  const std::vector<std::string>& tasks = agents.front().tasks();
  std::vector<double> medians;
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    std::vector<double> all;
    for (const Scores& scores : agents)
      all.insert(all.end(), scores.of_task(t).begin(), scores.of_task(t).end());
    medians.push_back(median(all));
    if (!(medians.back() > 0.0)) return {};
  }
  std::vector<Scores> result;
  for (const Scores& scores : agents) {
    std::vector<std::vector<double>> by_task;
    for (std::size_t t = 0; t < tasks.size(); ++t) {
      by_task.emplace_back(scores.of_task(t).begin(), scores.of_task(t).end());
      for (double& score : by_task.back()) score /= medians[t];
    }
    result.emplace_back(scores.agent(), tasks, by_task);
  }
  return result;
}

// Agents from top to bottom, points with their intervals along x.
ordered_json dots_spec(const std::vector<std::string>& agents, const ordered_json& x,
                       const ordered_json& tooltip, const ordered_json& rule, PlotStyle& style) {
  ordered_json sort = ordered_json::array();
  for (const std::string& agent : agents) sort.push_back(agent);
  const ordered_json y = {{"field", "agent"},
                          {"type", "nominal"},
                          {"sort", sort},
                          {"axis", {{"title", nullptr}, {"grid", true}}}};
  ordered_json from = x;
  from["field"] = "low";
  ordered_json colour = style.colour(agents);
  colour["legend"] = nullptr;
  ordered_json shape = style.shape(agents);
  shape["legend"] = nullptr;
  return {{"height", 30 * agents.size()},
          {"data", {{"name", "picture"}}},
          {"layer",
           {{{"mark", {{"type", "rule"}, {"color", "theme:faint"}, {"strokeDash", {3, 3}}}},
             {"encoding", {{"x", rule}}}},
            {{"mark", {{"type", "rule"}, {"strokeWidth", 2.5}}},
             {"encoding", {{"x", from}, {"x2", {{"field", "high"}}}, {"y", y}, {"color", colour}}}},
            {{"mark", {{"type", "point"}, {"filled", true}, {"size", 80}, {"opacity", 1}}},
             {"encoding",
              {{"x", x}, {"y", y}, {"color", colour}, {"shape", shape}, {"tooltip", tooltip}}}}}}};
}

std::string agent_list(const DataTable& table, const char* value) {
  std::vector<std::string> parts;
  for (std::size_t row = 0; row < table.rows.size(); ++row)
    parts.push_back(fmt::format(
        "{} {:.2f} ({:.2f} to {:.2f})", shown_name(table.at(row, "agent").get<std::string>()),
        table.at(row, value).get<double>(), table.at(row, "low").get<double>(),
        table.at(row, "high").get<double>()));
  return listed(parts);
}

std::string tasks_text(const Study& study) {
  return study.axis.empty() ? counted(study.tasks.size(), "task")
                            : fmt::format("{} ({} {})", counted(study.tasks.size(), "task"),
                                          study.axis, fmt::join(study.tasks, ", "));
}

Figure iqm_figure(const Study& study, const std::string& id, const std::vector<Scores>& agents,
                  PlotStyle& style) {
  const MeasureWords words = words_of(study.measure);
  Figure figure;
  figure.id = id + "-iqm";
  figure.title = "Interquartile mean over the tasks";
  figure.picture.columns = {"agent", "iqm", "low", "high"};
  AxisRange range;
  range.include(1.0);
  for (const Scores& scores : agents) {
    const Interval interval =
        bootstrap(scores, [](const Scores& s) { return interquartile_mean(s); });
    figure.picture.rows.push_back(
        {scores.agent(), interquartile_mean(scores), interval.low, interval.high});
    for (const double x : {interval.low, interquartile_mean(scores), interval.high})
      range.include(x);
  }
  figure.spec = dots_spec(
      study.agents, log_axis("iqm", words.quantity + " / median of the task", range),
      {tip("agent", "agent", false), tip("iqm", "interquartile mean (medians of the task)"),
       tip("low", "95% from"), tip("high", "95% to")},
      {{"datum", 1.0}, {"type", "quantitative"}}, style);
  figure.summary = fmt::format(
      "Interquartile means of {} in medians of the task, with 95% intervals; smaller "
      "is better: {}.",
      words.quantity, agent_list(figure.picture, "iqm"));
  figure.caption = {
      fmt::format("{} of each run, divided by the median over all runs of its task so that tasks "
                  "compare; then the mean of the middle half over {} and all seeds. Smaller is "
                  "better; 1 is the median run.",
                  words.title, tasks_text(study)),
      "Bar: 95% stratified bootstrap interval (seeds drawn again within each task, 2000 "
      "resamples).",
      seeds_sentence(study)};
  figure.table = {{"agent", CellForm::kValue, {"agent"}},
                  {"interquartile mean (medians of the task)", CellForm::kValue, {"iqm"}},
                  {"95% interval", CellForm::kInterval, {"low", "high"}}};
  figure.full = runs_table(study);
  return figure;
}

Figure improvement_figure(const Study& study, const std::string& id,
                          const std::vector<Scores>& agents, PlotStyle& style) {
  const Scores& first = agents.front();
  const std::string name = shown_name(first.agent());
  const std::string better = better_word(study.measure);
  Figure figure;
  figure.id = id + "-improvement";
  figure.title = fmt::format("Probability that {} {}", name, better);
  figure.picture.columns = {"agent", "probability", "low", "high"};
  // Smaller is better: that `first` improves on a rival is that the rival's number is the larger.
  for (std::size_t i = 1; i < agents.size(); ++i) {
    const Interval interval = bootstrap(agents[i], first, probability_of_improvement);
    figure.picture.rows.push_back({agents[i].agent(), probability_of_improvement(agents[i], first),
                                   interval.low, interval.high});
  }
  const ordered_json x = {
      {"field", "probability"},
      {"type", "quantitative"},
      {"scale", {{"domain", {0, 1}}, {"nice", false}}},
      {"axis",
       {{"title", fmt::format("P({} {})", name, better)}, {"format", "~g"}, {"tickCount", 5}}}};
  figure.spec = dots_spec({study.agents.begin() + 1, study.agents.end()}, x,
                          {tip("agent", "than", false), tip("probability", "probability"),
                           tip("low", "95% from"), tip("high", "95% to")},
                          {{"datum", 0.5}, {"type", "quantitative"}}, style);
  figure.summary = fmt::format(
      "Probability that a run of {} {} than one of each other agent, with 95% "
      "intervals: {}.",
      name, better, agent_list(figure.picture, "probability"));
  figure.caption = {
      fmt::format("The probability that a random run of {} {} than a random run of the agent on "
                  "the left, ties counting half, averaged over {}; right of the dashed line at 1/2 "
                  "{} is the better one.",
                  name, better, tasks_text(study), name),
      "Bar: 95% stratified bootstrap interval (seeds of both drawn again within each task, 2000 "
      "resamples).",
      seeds_sentence(study)};
  figure.table = {{"compared with", CellForm::kValue, {"agent"}},
                  {"probability", CellForm::kValue, {"probability"}},
                  {"95% interval", CellForm::kInterval, {"low", "high"}}};
  figure.full = runs_table(study);
  return figure;
}

}  // namespace

Comparison comparison_figures(const Study& study, const std::string& id, PlotStyle& style) {
  Comparison comparison;
  if (study.agents.size() < 2) return comparison;
  const StudyScores scores = scores_of(study);
  if (!scores.refused.empty()) {
    comparison.refused = "The agents are not compared over all tasks: " + scores.refused + ".";
    return comparison;
  }
  if (scores.agents.front().seeds() < 2) {
    comparison.refused =
        "The agents are not compared over all tasks: one seed has no uncertainty to show.";
    return comparison;
  }
  const std::vector<Scores> agents = normalised(scores.agents);
  if (agents.empty())
    comparison.refused =
        "There is no interquartile mean over the tasks: the median of a task is 0, and nothing "
        "can be divided by it.";
  else
    comparison.figures.push_back(iqm_figure(study, id, agents, style));
  comparison.figures.push_back(improvement_figure(study, id, scores.agents, style));
  return comparison;
}

}  // namespace vapor
