#include "vapor/report/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <set>

#include "vapor/core/error.h"
#include "vapor/report/comparison_figure.h"
#include "vapor/report/cost_table.h"
#include "vapor/report/findings.h"
#include "vapor/report/occupancy_figure.h"
#include "vapor/report/plot_style.h"
#include "vapor/report/regret_figure.h"
#include "vapor/report/report_folder.h"
#include "vapor/report/report_page.h"
#include "vapor/report/returns_figure.h"
#include "vapor/report/study.h"
#include "vapor/report/study_words.h"
#include "vapor/report/time_figure.h"
#include "vapor/report/trace_figure.h"
#include "vapor/report/wording.h"

namespace vapor {
namespace {

using nlohmann::ordered_json;

std::size_t runs_of(const Study& study) {
  std::size_t runs = 0;
  for (const StudyCell& cell : study.cells) runs += cell.seeds.size();
  return runs;
}

// Ids that no two sections share.
class Ids {
 public:
  std::string unique(const std::string& text) {
    const std::string id = id_of(text);
    std::string candidate = id;
    for (int number = 2; !taken_.insert(candidate).second; ++number)
      candidate = fmt::format("{}-{}", id, number);
    return candidate;
  }

 private:
  std::set<std::string> taken_;
};

// "Learning time in deep_sea", with as much of its belief, rule and folder as tells it from the
// others.
std::vector<std::string> titles_of(const std::vector<Study>& studies) {
  std::vector<std::string> titles;
  for (const Study& study : studies)
    titles.push_back(words_of(study.measure).title + (study.trainings ? " of trainings" : "") +
                     " in " + study.environment);
  const auto tell_apart = [&](const auto& more) {
    const std::vector<std::string> before = titles;
    for (std::size_t i = 0; i < titles.size(); ++i)
      if (const std::string text = more(studies[i]);
          !text.empty() && std::ranges::count(before, before[i]) > 1)
        titles[i] += ", " + text;
  };
  tell_apart([](const Study& study) { return study.fixed; });
  tell_apart([](const Study& study) {
    return fmt::format("{} episodes, stop {}", study.episodes, study.stop);
  });
  tell_apart([](const Study& study) { return study.folder; });
  return titles;
}

// What makes the runs: the command of a whole experiment that holds one of them, and their own.
std::vector<std::string> commands_of(const std::vector<const RunDigest*>& runs,
                                     const Collection& collection) {
  std::vector<std::string> commands, own;
  for (const ExperimentFindings& findings : collection.findings)
    if (std::ranges::any_of(
            runs, [&](const RunDigest* run) { return lies_in(run->folder, findings.folder); }))
      std::ranges::copy(commands_of(findings), std::back_inserter(commands));
  for (const RunDigest* run : runs) own.push_back(run->run.command);
  std::ranges::copy(common_commands(own), std::back_inserter(commands));
  return commands;
}

std::string beliefs_sentence(const Study& study) {
  if (study.beliefs.size() == 1) return fmt::format("Belief: {}.", study.beliefs.front().spec);
  std::vector<std::string> parts;
  for (const StudyBelief& belief : study.beliefs)
    parts.push_back(belief.name == belief.spec ? belief.spec
                                               : fmt::format("{} ({})", belief.name, belief.spec));
  return fmt::format("Beliefs, each with lines of its own: {}.", listed(parts));
}

Section section_of(const Study& study, const std::string& title, const Collection& collection,
                   Ids& ids, PlotStyle& style, std::vector<LeftOut>& left_out) {
  Section section;
  section.id = ids.unique(study.environment);
  section.title = title;
  section.paragraphs.push_back(
      fmt::format("{}. {} Runs stop: {}, after at most {} episodes. Records in {}.", study.shape(),
                  study.trainings ? "Trainings." : beliefs_sentence(study), study.stop,
                  study.episodes, study.folder));
  if (study.unfinished > 0)
    section.paragraphs.push_back(fmt::format(
        "{} not finished and left out.",
        study.unfinished == 1 ? "1 run is" : fmt::format("{} runs are", study.unfinished)));
  for (const ExperimentFindings& findings : collection.findings)
    if (lies_in(study.folder, findings.folder))
      section.paragraphs.push_back(
          fmt::format("Part of the experiment {}.", experiment_name(findings)));
  const std::string& id = section.id;
  if (study.measure == Measure::kRegret) {
    section.figures.push_back(regret_figure(study, collection.findings, id + "-regret", style));
    section.figures.push_back(returns_of(study, id + "-return", style));
  } else {
    section.figures.push_back(time_figure(study, id + "-time", style));
  }
  if (std::optional<Figure> costs = cost_table(study, id + "-cost"))
    section.figures.push_back(std::move(*costs));
  Comparison comparison = comparison_figures(study, id, style);
  for (Figure& figure : comparison.figures) section.figures.push_back(std::move(figure));
  if (!comparison.refused.empty()) section.paragraphs.push_back(comparison.refused);
  if (std::optional<Figure> maps = snapshot_figure(study, id + "-occupancy", left_out))
    section.figures.push_back(std::move(*maps));
  std::vector<const RunDigest*> runs;
  for (const StudyCell& cell : study.cells) std::ranges::copy(cell.seeds, std::back_inserter(runs));
  section.commands = commands_of(runs, collection);
  return section;
}

Section section_of(const ExperimentFindings& findings, Ids& ids, std::vector<LeftOut>& left_out) {
  Section section;
  const std::string name = experiment_name(findings);
  section.id = ids.unique("experiment-" + id_of(name));
  section.title = "Experiment " + name;
  if (const std::string headline = text_at(findings.findings, "headline"); !headline.empty())
    section.paragraphs.push_back(headline);
  section.paragraphs.push_back("What vapor reproduce found, in " + findings.folder + ".");
  section.commands = commands_of(findings);
  try {
    if (std::optional<Figure> maps = maps_figure(findings, section.id + "-maps"))
      section.figures.push_back(std::move(*maps));
  } catch (const InputError& e) {
    left_out.push_back({findings.folder, e.what()});
  }
  for (Figure& figure : findings_tables(findings, section.id)) {
    figure.id = ids.unique(figure.id);  // two keys may differ in signs that no id has
    section.figures.push_back(std::move(figure));
  }
  return section;
}

std::size_t count_trainings(const Collection& collection) {
  return static_cast<std::size_t>(std::ranges::count_if(collection.runs, &RunDigest::is_training));
}

// Runs whose policies have no known value are of networks, or of agents with a belief in
// environments that are not ours.
std::size_t count_networks(const Collection& collection) {
  return static_cast<std::size_t>(std::ranges::count_if(collection.runs, [](const RunDigest& run) {
    return run.is_training() && !run.run.definition.contains("belief");
  }));
}

// Without figures if none of the trainings can be drawn.
Section trainings_section(const Collection& collection, Ids& ids, PlotStyle& style,
                          std::vector<LeftOut>& left_out) {
  Section section;
  section.id = ids.unique("trainings");
  const std::size_t networks = count_networks(collection);
  const std::size_t others = count_trainings(collection) - networks;
  section.title = networks > 0 ? "Trainings" : "Returns";
  if (networks > 0)
    section.paragraphs.push_back(
        fmt::format("{} of deep agents (vapor train); vapor play shows what one of them does.",
                    counted(networks, "training")));
  if (others > 0)
    section.paragraphs.push_back(fmt::format(
        "{} in environments whose optimum is not known (vapor.learn).", counted(others, "run")));
  TrainingFigures made = training_figures(collection.runs, section.id, style);
  section.figures = std::move(made.figures);
  for (LeftOut& item : made.refused)  // a study may have refused it too
    if (std::ranges::find(left_out, item) == left_out.end()) left_out.push_back(std::move(item));
  std::vector<const RunDigest*> runs;
  for (const RunDigest& run : collection.runs)
    if (run.is_training()) runs.push_back(&run);
  section.commands = commands_of(runs, collection);
  return section;
}

Section section_of(const std::vector<TraceDigest>& traces, Ids& ids) {
  Section section;
  section.id = ids.unique("solver");
  section.title = "The solver's methods";
  section.paragraphs.push_back(fmt::format("{} of solves.", counted(traces.size(), "trace")));
  std::vector<std::string> commands;
  for (const TraceDigest& trace : traces) commands.push_back(trace.run.command);
  section.commands = common_commands(commands);
  section.figures.push_back(trace_figure(traces, section.id + "-accuracy"));
  return section;
}

// "8 runs of 2 agents in deep_sea (seeds 1-2)", of the trainings or of the other runs; empty if
// there are none.
std::string runs_read(const Collection& collection, bool trainings) {
  std::set<std::string> agents, environments;
  std::vector<std::uint64_t> seeds;
  for (const RunDigest& run : collection.runs) {
    if (run.is_training() != trainings) continue;
    agents.insert(text_at(run.run.definition, "agent"));
    const std::string env = text_at(run.run.definition, "env");
    environments.insert(env.substr(0, env.find(':')));
    seeds.push_back(seed_of(run));
  }
  if (seeds.empty()) return "";
  const std::vector<std::string> names(environments.begin(), environments.end());
  return fmt::format("{} of {} in {} (seeds {})",
                     counted(seeds.size(), trainings ? "training" : "run"),
                     counted(agents.size(), "agent"), listed(names), seeds_text(seeds));
}

std::string what_was_read(const Collection& collection) {
  std::set<std::string> versions;
  for (const RunDigest& run : collection.runs) versions.insert(run.run.version);
  for (const TraceDigest& trace : collection.traces) versions.insert(trace.run.version);
  std::vector<std::string> parts;
  for (const bool trainings : {false, true})
    if (std::string part = runs_read(collection, trainings); !part.empty())
      parts.push_back(std::move(part));
  if (!collection.findings.empty())
    parts.push_back("the findings of " + counted(collection.findings.size(), "experiment"));
  if (!collection.traces.empty())
    parts.push_back(counted(collection.traces.size(), "solver trace"));
  std::string text = "This report was made from records alone: " + listed(parts) + ".";
  if (!versions.empty())
    text +=
        fmt::format(" Version{} {}.", versions.size() == 1 ? "" : "s", fmt::join(versions, ", "));
  return text;
}

// Every run of the report with its command.
DataTable all_runs(const Collection& collection) {
  DataTable table;
  table.columns = {"folder",   "env",         "agent",         "belief",
                   "seed",     "stop",        "most_episodes", "most_frames",
                   "finished", "version",     "episodes",      "first_success",
                   "solved",   "mean_return", "total_regret",  "command"};
  for (const RunDigest& run : collection.runs) {
    const Definition& d = run.run.definition;
    table.rows.push_back(
        {run.folder, text_at(d, "env"), text_at(d, "agent"), text_at(d, "belief"), seed_of(run),
         text_at(d, "stop"), d.value("episodes", ordered_json()), d.value("frames", ordered_json()),
         run.run.finished, run.run.version, run.summary.episodes,
         number_or_null(run.summary.first_success), number_or_null(run.summary.solved),
         run.summary.mean_return,
         run.summary.total_regret ? ordered_json(*run.summary.total_regret) : ordered_json(),
         run.run.command});
  }
  return table;
}

[[noreturn]] void nothing_to_show(std::span<const std::string> paths,
                                  const std::vector<LeftOut>& left_out) {
  std::string message = fmt::format(
      "nothing to show in {}: no run.json or findings.json below them", fmt::join(paths, ", "));
  if (!left_out.empty()) message += " that can be shown";
  for (const LeftOut& item : left_out)
    message += fmt::format("; left out {}: {}", item.path, item.reason);
  throw InputError("", message);
}

ReportPage page_of(const Collection& collection, const Studies& studies,
                   const ReportOptions& options) {
  ReportPage page;
  page.title = options.title;
  page.read = what_was_read(collection);
  page.left_out = collection.left_out;
  page.left_out.insert(page.left_out.end(), studies.refused.begin(), studies.refused.end());
  Ids ids;
  PlotStyle style;
  const std::vector<std::string> titles = titles_of(studies.studies);
  for (std::size_t i = 0; i < studies.studies.size(); ++i) {
    if (options.progress) options.progress("drawing " + titles[i]);
    if (!studies.studies[i].cells.empty())
      page.sections.push_back(
          section_of(studies.studies[i], titles[i], collection, ids, style, page.left_out));
  }
  if (count_trainings(collection) > 0)
    if (Section section = trainings_section(collection, ids, style, page.left_out);
        !section.figures.empty())
      page.sections.push_back(std::move(section));
  for (const ExperimentFindings& findings : collection.findings)
    page.sections.push_back(section_of(findings, ids, page.left_out));
  if (!collection.traces.empty()) page.sections.push_back(section_of(collection.traces, ids));
  return page;
}

}  // namespace

ReportSummary write_report(std::span<const std::string> paths, const std::string& out,
                           const ReportOptions& options) {
  if (paths.empty()) throw InputError("RUNS", "name at least one folder of records");
  const Collection collection = collect(paths, [&](std::size_t records) {
    if (options.progress) options.progress(fmt::format("reading records: {}", records));
  });
  Studies studies = studies_of(collection.runs);
  std::ranges::stable_sort(studies.studies, std::greater(), runs_of);  // what is large comes first
  const ReportPage page = page_of(collection, studies, options);
  if (page.sections.empty()) nothing_to_show(paths, page.left_out);
  expect_room_for_report(out);

  ReportSummary summary;
  summary.page = out + "/index.html";
  summary.trainings = count_trainings(collection);
  summary.runs = collection.runs.size() - summary.trainings;
  summary.studies = studies.studies.size();
  summary.experiments = collection.findings.size();
  summary.traces = collection.traces.size();
  summary.left_out = page.left_out;
  const DataTable runs = all_runs(collection);
  std::vector<ReportFile> files = {{"runs", &runs}};
  for (const Section& section : page.sections)
    for (const Figure& figure : section.figures) {
      files.push_back({figure.id, &figure.full});
      ++summary.figures;
    }
  if (options.progress) options.progress("writing " + summary.page);
  const std::string html = html_of(page);
  summary.bytes = html.size();
  write_report_folder(out, html, files);
  return summary;
}

}  // namespace vapor
