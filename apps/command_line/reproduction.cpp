#include "reproduction.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "interruption.h"
#include "sweep_progress.h"
#include "vapor/core/error.h"
#include "vapor/core/output_file.h"

namespace vapor::command {
namespace {

using nlohmann::ordered_json;

std::string cell_text(const ordered_json& value) {
  if (value.is_null()) return "-";
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (value.is_number_integer()) return whole(value.get<std::int64_t>());
  if (value.is_number()) return number(value.get<double>());
  if (value.is_array()) {
    std::string text;
    for (const ordered_json& item : value)
      text += (text.empty() ? "(" : ", ") +
              (item.is_number() ? fmt::format("{:.2g}", item.get<double>()) : cell_text(item));
    return text + ")";
  }
  return value.dump();
}

// A row of findings as cells: NAME_se is the standard error of the number before it, and a note
// becomes a mark that `notes` explains.
class RowPrinter {
 public:
  std::vector<std::string> head(const ordered_json& row) {
    std::vector<std::string> cells;
    for (const auto& [name, value] : row.items()) {
      if (name.ends_with("_se") || name == "note") continue;
      cells.push_back(name);
      std::ranges::replace(cells.back(), '_', ' ');
    }
    if (row.contains("note")) cells.emplace_back("note");
    return cells;
  }

  std::vector<std::string> cells(const ordered_json& row) {
    std::vector<std::string> cells;
    const ordered_json* before = nullptr;
    for (const auto& [name, value] : row.items()) {
      if (name.ends_with("_se")) {
        if (value.is_number() && before->is_number())
          cells.back() = with_error(before->get<double>(), value.get<double>());
      } else if (name != "note") {
        cells.push_back(cell_text(value));
      }
      before = &value;
    }
    if (row.contains("note")) cells.push_back(mark_of(row["note"]));
    return cells;
  }

  void print_notes() const {
    for (std::size_t i = 0; i < notes_.size(); ++i)
      fmt::print("  {}\n", dim(fmt::format("[{}] {}", i + 1, notes_[i])));
  }

 private:
  std::string mark_of(const ordered_json& note) {
    if (note.is_null()) return "";
    const auto found = std::ranges::find(notes_, note.get<std::string>());
    const auto at = found - notes_.begin();
    if (found == notes_.end()) notes_.push_back(note.get<std::string>());
    return fmt::format("[{}]", at + 1);
  }

  std::vector<std::string> notes_;
};

// An array of objects with the same names as an aligned table.
void print_rows(const ordered_json& rows) {
  if (rows.empty()) return;
  RowPrinter printer;
  Rows table = {printer.head(rows.front())};
  for (const ordered_json& row : rows) table.push_back(printer.cells(row));
  print_table(table);
  printer.print_notes();
}

// What the file is, and the command that makes it, before what was found.
Findings signed_by(const Findings& findings, const CLI::App* command) {
  Findings file = {{"format", "vapor-findings"}, {"format_version", 1}};
  if (command != nullptr) file["command"] = command_line_of(*command);
  file.update(findings);
  return file;
}

}  // namespace

void print_findings_table(const Findings& findings, const std::string& name,
                          const std::string& about) {
  fmt::print("{}{}\n", bold(name == "rows" ? findings["experiment"].get<std::string>() : name),
             about.empty() ? "" : dim("  " + about));
  print_rows(findings[name]);
}

Findings without(Findings findings, const std::string& table,
                 const std::vector<std::string>& columns) {
  for (ordered_json& row : findings[table])
    for (const std::string& column : columns) row.erase(column);
  return findings;
}

std::string capped_mean(const Findings& findings) {
  return fmt::format("mean over {} seeds {} standard error; never counts as {}",
                     findings["rows"][0]["seeds"].get<int>(), plus_minus(),
                     whole(findings["episodes"].get<std::int64_t>()));
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
    findings = signed_by(reproduce(options), common.command);
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
    progress.clear();
    print(findings);
    fmt::print("{}\n", dim("records and findings.json in " + options.out));
  }
  return kGood;
}

CLI::App* add_experiment(CLI::App& parent, const char* name, const char* summary,
                         ExperimentOptions& common) {
  CLI::App* command = parent.add_subcommand(name, summary);
  common.command = command;
  command->add_flag("--quick", common.quick, "A small version, to see that it works");
  add_text(*command, "--out", common.out, "DIR", "Folder of the records and of findings.json")
      ->default_str(
          fmt::format("out/experiments/{0}; with --quick out/experiments/{0}-quick", name));
  add_whole(*command, "--threads", common.threads, {0, 1024},
            "Runs made at the same time; 0: all cores")
      ->capture_default_str();
  add_output_flags(*command, common.output);
  return command;
}

}  // namespace vapor::command
