// Reports, and the statistics that they show.
#include "vapor/report/report.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <string>
#include <vector>

#include "arrays.h"
#include "core_module.h"
#include "text.h"
#include "vapor/report/chart_page.h"
#include "vapor/report/plot_style.h"
#include "vapor/report/statistics.h"
#include "vapor/report/study.h"
#include "vapor/report/wording.h"

namespace vapor::python {
namespace {

Scores scores_of(
    const std::string& agent,
    const nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>& by_task) {
  std::vector<std::string> tasks;
  std::vector<std::vector<double>> values;
  for (std::size_t task = 0; task < by_task.shape(0); ++task) {
    tasks.push_back("task " + std::to_string(task));
    const double* first = by_task.data() + task * by_task.shape(1);
    values.emplace_back(first, first + by_task.shape(1));
  }
  return Scores(agent, std::move(tasks), std::move(values));
}

std::tuple<double, double> limits_of(const Interval& interval) {
  return {interval.low, interval.high};
}

nb::typed<nb::dict, std::string, nb::any> report(const std::vector<std::string>& paths,
                                                 const std::string& out, const std::string& title) {
  ReportSummary summary;
  {
    const nb::gil_scoped_release released;
    ReportOptions options;
    options.title = title;
    summary = write_report(paths, out, options);
  }
  nb::list left_out;
  for (const LeftOut& left : summary.left_out)
    left_out.append(nb::make_tuple(text_of(left.path), text_of(left.reason)));
  nb::typed<nb::dict, std::string, nb::any> answer;
  answer["page"] = summary.page;
  answer["bytes"] = summary.bytes;
  answer["runs"] = summary.runs;
  answer["trainings"] = summary.trainings;
  answer["studies"] = summary.studies;
  answer["experiments"] = summary.experiments;
  answer["traces"] = summary.traces;
  answer["figures"] = summary.figures;
  answer["left_out"] = left_out;
  return answer;
}

}  // namespace

void bind_report(nb::module_& module) {
  using nb::arg;
  using Statistic1 = double (*)(const Scores&);
  module.def(
      "chart_page",
      [](const std::string& title, const std::string& spec) {
        return chart_page(title, nlohmann::ordered_json::parse(spec));
      },
      arg("title"), arg("spec"));
  module.def(
      "agent_colours",
      [](std::vector<std::string> agents) {
        std::ranges::sort(agents, ByRank());
        std::vector<std::tuple<std::string, std::string>> pairs;
        const std::vector<std::string> colours = PlotStyle().colours_on_light(agents);
        for (std::size_t i = 0; i < agents.size(); ++i) pairs.emplace_back(agents[i], colours[i]);
        return pairs;
      },
      arg("agents"));
  module.def(
      "short_names", [](const std::vector<std::string>& specs) { return short_names(specs); },
      arg("specs"));
  module.def("write_report", &report, arg("paths"), arg("out"), arg("title"));
  nb::class_<Scores>(module, "Scores")
      .def(
          "__init__",
          [](Scores* self, const std::string& agent,
             const nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>& by_task) {
            new (self) Scores(scores_of(agent, by_task));
          },
          arg("agent"), arg("by_task"))
      .def("mean", static_cast<Statistic1>(&mean))
      .def("interquartile_mean", static_cast<Statistic1>(&interquartile_mean))
      .def("probability_of_improvement", &probability_of_improvement, arg("other"))
      .def(
          "interval",
          [](const Scores& scores, const std::string& statistic, int resamples, double confidence,
             std::uint64_t seed) {
            const BootstrapSettings settings = {resamples, confidence, seed};
            const nb::gil_scoped_release released;
            if (statistic == "mean")
              return limits_of(bootstrap(scores, static_cast<Statistic1>(&mean), settings));
            if (statistic == "interquartile_mean")
              return limits_of(
                  bootstrap(scores, static_cast<Statistic1>(&interquartile_mean), settings));
            throw InputError("statistic", "must be mean or interquartile_mean, got " + statistic);
          },
          arg("statistic"), arg("resamples"), arg("confidence"), arg("seed"))
      .def(
          "improvement_interval",
          [](const Scores& scores, const Scores& other, int resamples, double confidence,
             std::uint64_t seed) {
            const nb::gil_scoped_release released;
            return limits_of(bootstrap(scores, other, probability_of_improvement,
                                       {resamples, confidence, seed}));
          },
          arg("other"), arg("resamples"), arg("confidence"), arg("seed"));
}

}  // namespace vapor::python
