// `vapor report`: a page of figures from records.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "commands.h"
#include "json_answer.h"
#include "options.h"
#include "terminal.h"
#include "vapor/report/report.h"

namespace vapor::command {
namespace {

using nlohmann::ordered_json;

struct ReportWords {
  std::vector<std::string> paths;
  std::string out = "out/report";
  ReportOptions report;
  Output output;
};

ordered_json as_json(const ReportSummary& summary) {
  ordered_json left_out = ordered_json::array();
  for (const LeftOut& item : summary.left_out)
    left_out.push_back({{"path", item.path}, {"reason", item.reason}});
  return {{"page", summary.page},       {"bytes", summary.bytes},
          {"runs", summary.runs},       {"trainings", summary.trainings},
          {"studies", summary.studies}, {"experiments", summary.experiments},
          {"traces", summary.traces},   {"figures", summary.figures},
          {"left_out", left_out}};
}

void print_for_people(const ReportSummary& summary) {
  fmt::print("{}\n", bold("report"));
  std::vector<std::vector<std::string>> rows;
  const auto add = [&](const char* name, std::size_t count) {
    if (count > 0) rows.push_back({name, std::to_string(count)});
  };
  add("runs", summary.runs);
  add("trainings", summary.trainings);
  add("studies", summary.studies);
  add("experiments", summary.experiments);
  add("solver traces", summary.traces);
  add("figures", summary.figures);
  add("left out", summary.left_out.size());
  rows.push_back({"size", fmt::format("{:.1f} MB", static_cast<double>(summary.bytes) / 1e6)});
  print_table(rows);
  fmt::print("{}\n", summary.page);
}

int run(const ReportWords& options) {
  ReportSummary summary;
  {
    ProgressLine progress(!options.output.quiet);
    ReportOptions how = options.report;
    how.progress = [&](const std::string& doing) { progress.show(doing); };
    summary = write_report(options.paths, options.out, how);
  }
  for (const LeftOut& item : summary.left_out) say("left out " + item.path + ": " + item.reason);
  if (options.output.json)
    print_json(as_json(summary));
  else if (!options.output.quiet)
    print_for_people(summary);
  return kGood;
}

}  // namespace

void add_report(CLI::App& app, Action& action) {
  auto options = std::make_shared<ReportWords>();
  CLI::App* command = app.add_subcommand("report", "Make a page of figures from records");
  command
      ->add_option("runs", options->paths,
                   "Folders of runs, of trainings, of experiments or of whatever holds them")
      ->required()
      ->type_name("RUNS");
  add_path(*command, "--out", options->out, "DIR",
           "Folder of the page: DIR/index.html and DIR/data")
      ->capture_default_str();
  command->add_option("--title", options->report.title, "Title of the page")
      ->type_name("TEXT")
      ->capture_default_str();
  add_output_flags(*command, options->output);
  command->footer(
      "The page needs no network and no server. What cannot be shown is named on standard error\n"
      "and on the page, and the rest is shown.\n"
      "Exit code: 0 written, 2 bad input (nothing was written), 3 internal error.\n"
      "Examples:\n"
      "  vapor report out/experiments/deep-sea\n"
      "  vapor report out/runs out/experiments --out out/report --title \"All there is\"\n"
      "  vapor report out/runs --json");
  command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace vapor::command
