// `vapor reproduce NAME`: a table or figure of the paper, from the folders of experiments/.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "commands.h"
#include "experiments/common/experiment.h"
#include "interruption.h"
#include "json_answer.h"
#include "options.h"
#include "sweep_progress.h"
#include "vapor/core/error.h"
#include "vapor/core/output_file.h"
#include "vapor/core/regular_file.h"
#include "vapor/record/file.h"

namespace vapor::command {
namespace {

using experiments::Experiment;
using experiments::Study;

struct ReproduceOptions {
  bool quick = false;
  std::map<std::string, bool> parts;  // by flag
  std::map<std::string, std::string> texts;
  std::string out;
  int threads = 0;
  Output output;
  const CLI::App* command = nullptr;  // that took them

  std::string part() const {
    for (const auto& [name, chosen] : parts)
      if (chosen) return name;
    return quick ? "quick" : "full";
  }

  std::map<std::string, std::string> given() const {
    std::map<std::string, std::string> all;
    for (const auto& [name, text] : texts)
      if (command->get_option(name)->count() > 0) all[name] = text;
    return all;
  }

  std::string folder(const std::string& name) const {
    if (!out.empty()) return out;
    std::string folder = "out/experiments/" + name;
    if (part() != "full" && part() != "quick") folder += "-" + part();
    return quick ? folder + "-quick" : folder;
  }
};

// What the file is, and the command that makes it, before what was found.
Findings signed_by(const Findings& findings, const CLI::App& command) {
  Findings file = {{"format", "vapor-findings"}, {"format_version", 1}};
  file["command"] = command_line_of(command);
  file.update(findings);
  return file;
}

// Before the work: what stands there is replaced only if it is an earlier answer to the same.
void expect_room_for_findings(const std::string& folder, const std::string& experiment) {
  constexpr std::int64_t kLargestFindings = std::int64_t{1} << 24;  // bytes
  expect_room_for_folder(folder);
  const std::string path = folder + "/findings.json";
  const std::optional<std::string> text = read_whole_file(path, kLargestFindings);
  if (!text) return;
  const auto there = nlohmann::json::parse(*text, nullptr, /*allow_exceptions=*/false);
  if (!there.is_object() || there.value("experiment", nlohmann::json()) != experiment)
    throw InputError(path, fmt::format("exists and is not of vapor reproduce {}; choose another "
                                       "--out",
                                       experiment));
  expect_room_for_file(path);
}

// The findings also stay beside the records, for reports.
int reproduce(const Experiment& experiment, const ReproduceOptions& options) {
  ReproductionOptions how;
  how.out = options.folder(experiment.name);
  how.threads = threads_or_all(options.threads);
  how.interrupt = &interrupted();
  SweepProgressLine progress(!options.output.quiet);
  how.progress = [&](const SweepProgress& p) { progress.show(p); };
  const Study study = study_of(experiment, options.part(), options.given());
  expect_room_for_findings(how.out, experiment.name);
  catch_signals();
  Findings findings;
  try {
    findings = signed_by(experiments::reproduce(experiment, study, how), *options.command);
  } catch (const Interrupted&) {
    return end_interrupted();
  }
  make_folder(how.out);
  write_file(how.out + "/findings.json",
             [&](std::ostream& out) { out << findings.dump(2) << "\n"; });
  if (options.output.json) {
    print_json(findings);
  } else if (!options.output.quiet) {
    progress.clear();
    experiment.print(findings);
    fmt::print("{}\n", dim("records and findings.json in " + how.out));
  }
  return kGood;
}

void add_own_options(const Experiment& experiment, CLI::App& command, ReproduceOptions& options) {
  const experiments::Tables full = tables_of(experiment, "full");
  const experiments::Tables quick = tables_of(experiment, "quick");
  for (const experiments::Option& option : experiment.options) {
    if (option.values) define_type(option.type, option.values);
    std::string otherwise = option.otherwise(full);
    if (option.otherwise(quick) != otherwise)
      otherwise += "; with --quick " + option.otherwise(quick);
    add_text(command, option.name.c_str(), options.texts[option.name], option.type.c_str(),
             option.help)
        ->default_str(otherwise);
  }
  for (const auto& [part, help] : experiment.parts)
    command.add_flag("--" + part, options.parts[part], help);
}

void add_experiment(CLI::App& parent, Action& action, const Experiment& experiment) {
  auto options = std::make_shared<ReproduceOptions>();
  CLI::App* command = parent.add_subcommand(experiment.name, experiment.summary);
  options->command = command;
  command->add_flag("--quick", options->quick, "A small version, to see that it works");
  add_path(*command, "--out", options->out, "DIR", "Folder of the records and of findings.json")
      ->default_str(fmt::format("out/experiments/{0}; with --quick out/experiments/{0}-quick",
                                experiment.name));
  add_whole(*command, "--threads", options->threads, {0, 1024},
            "Runs made at the same time; 0: all cores")
      ->capture_default_str();
  add_output_flags(*command, options->output);
  add_own_options(experiment, *command, *options);
  command->footer(experiment.footer);
  command->callback([options, &experiment, &action] {
    action = [options, &experiment] { return reproduce(experiment, *options); };
  });
}

}  // namespace

void add_reproduce(CLI::App& app, Action& action, const std::vector<std::string>& words) {
  CLI::App* command = app.add_subcommand("reproduce", "Reproduce a table or figure of the paper");
  // The options of experiments show defaults from the files of their sweeps, and reading those was
  // a third of every start.
  if (std::ranges::find(words, "reproduce") == words.end()) return;
  command->require_subcommand(1);
  command->footer(
      "Examples:\n"
      "  vapor reproduce toy-chain\n"
      "  vapor reproduce deep-sea --quick\n"
      "  vapor reproduce grid-world --json > grid-world.json\n"
      "What each claims, and what came out: experiments/NAME/README.md");
  for (const Experiment& experiment : experiments::experiments())
    add_experiment(*command, action, experiment);
}

}  // namespace vapor::command
