// `vapor reproduce NAME`: a table or figure of the paper.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "interruption.h"
#include "reproduce.h"
#include "sweep_progress.h"
#include "terminal.h"
#include "vapor/core/error.h"
#include "vapor/core/output_file.h"
#include "vapor/core/spec.h"

namespace vapor::command {
namespace {

using nlohmann::ordered_json;

std::string cell_text(const ordered_json& value) {
  if (value.is_null()) return "-";
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_integer()) return std::to_string(value.get<std::int64_t>());
  if (value.is_number()) return fmt::format("{:.5g}", value.get<double>());
  if (value.is_array()) {
    std::string text;
    for (const ordered_json& item : value) text += (text.empty() ? "(" : ", ") + cell_text(item);
    return text + ")";
  }
  return value.dump();
}

// An array of objects with the same names as an aligned table.
void print_rows(const ordered_json& rows) {
  if (rows.empty()) return;
  std::vector<std::vector<std::string>> table(1);
  for (const auto& [name, value] : rows.front().items()) {
    table[0].push_back(name);
    std::replace(table[0].back().begin(), table[0].back().end(), '_', ' ');
  }
  for (const ordered_json& row : rows) {
    table.emplace_back();
    for (const ordered_json& value : row) table.back().push_back(cell_text(value));
  }
  print_table(table);
}

}  // namespace

void print_findings_table(const Findings& findings, const std::string& name) {
  fmt::print("{}\n", bold(name == "rows" ? findings["experiment"].get<std::string>() : name));
  print_rows(findings[name]);
}

void print_findings(const Findings& findings) {
  for (const auto& [name, value] : findings.items())
    if (value.is_array() && !value.empty() && value.front().is_object())
      print_findings_table(findings, name);
}

std::vector<int> parse_list(const std::string& place, const std::string& text) {
  std::vector<int> numbers;
  for (const std::string& item : CLI::detail::split(text, ',')) {
    const std::int64_t number = parse_integer(place, item);
    if (number < 1 || number > 1'000'000)
      throw InputError(place, fmt::format("must be in 1..1000000, got {}", number));
    numbers.push_back(static_cast<int>(number));
  }
  return numbers;
}

// The findings also stay beside the records, for reports.
int run_reproduction(const std::string& name, const ExperimentOptions& common,
                     const Reproduce& reproduce, const PrintForPeople& print) {
  ReproductionOptions options;
  options.out = !common.out.empty()
                    ? common.out
                    : fmt::format("out/experiments/{}{}", name, common.quick ? "-quick" : "");
  options.threads = threads_or_all(common.threads);
  options.interrupt = &interrupted();
  SweepProgressLine progress(!common.output.quiet);
  options.progress = [&](const SweepProgress& p) { progress.show(p); };
  catch_signals();
  Findings findings;
  try {
    findings = reproduce(options);
  } catch (const Interrupted&) {
    return end_interrupted();
  }
  std::error_code error;
  std::filesystem::create_directories(options.out, error);
  if (error) throw InputError(options.out, "cannot be made: " + error.message());
  write_file(options.out + "/findings.json",
             [&](std::ostream& out) { out << findings.dump(2) << "\n"; });
  if (common.output.json) {
    fmt::print("{}\n", findings.dump(2));
  } else if (!common.output.quiet) {
    print(findings);
    fmt::print("{}\n", dim("records and findings.json in " + options.out));
  }
  return kGood;
}

CLI::App* add_experiment(CLI::App& parent, const char* name, const char* summary,
                         ExperimentOptions& common) {
  CLI::App* command = parent.add_subcommand(name, summary);
  command->add_flag("--quick", common.quick, "A small version, to see that it works");
  command
      ->add_option("--out", common.out,
                   fmt::format("Folder of the records (default: out/experiments/{})", name))
      ->type_name("DIR");
  command->add_option("--threads", common.threads, "Runs made at the same time (0: all cores)")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  command->add_flag("--json", common.output.json, "Print one JSON object");
  command->add_flag("--quiet", common.output.quiet, "Print nothing but errors (and the JSON)");
  return command;
}

void add_reproduce(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("reproduce", "Reproduce a table or figure of the paper");
  command->require_subcommand(1);
  command->footer(
      "Examples:\n"
      "  vapor reproduce toy-chain\n"
      "  vapor reproduce deep-sea --quick\n"
      "  vapor reproduce grid-world --json > grid-world.json\n"
      "What each claims, and what came out: experiments/NAME/README.md");
  add_reproduce_deep_sea(*command, action);
  add_reproduce_grid_world(*command, action);
  add_reproduce_four_rooms(*command, action);
  add_reproduce_regret(*command, action);
  add_reproduce_toy_chain(*command, action);
}

}  // namespace vapor::command
