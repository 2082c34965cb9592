#include "vapor/record/trace_record.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <iterator>
#include <optional>
#include <vector>

#include "vapor/core/check.h"
#include "vapor/core/checksum.h"
#include "vapor/core/error.h"
#include "vapor/core/version.h"
#include "vapor/record/file.h"
#include "vapor/record/run_folder.h"

namespace vapor {
namespace {

const std::vector<std::string>& trace_columns() {
  static const std::vector<std::string> columns = {"iteration", "seconds", "lower_bound",
                                                   "upper_bound"};
  return columns;
}

std::string trace_path(const std::string& folder) { return folder + "/trace.csv"; }

std::string csv_of(std::span<const TraceRow> rows) {
  std::string text = fmt::format("{}\n", fmt::join(trace_columns(), ","));
  for (const TraceRow& row : rows) {
    for (const double value : {row.seconds, row.lower_bound, row.upper_bound})
      VAPOR_CHECK_EQ(std::isfinite(value), true);
    fmt::format_to(std::back_inserter(text), "{},{:.9f},{},{}\n", row.iteration, row.seconds,
                   row.lower_bound, row.upper_bound);
  }
  return text;
}

}  // namespace

void write_trace(const std::string& folder, const TraceHeader& header,
                 std::span<const TraceRow> rows) {
  const std::string text = csv_of(rows);
  expect_room_for(folder, header.definition);
  make_folder(folder);
  const FolderLock lock(folder);
  expect_room_for(folder, header.definition);  // it may have been made before the lock was ours
  RunFile run = {.definition = header.definition, .command = header.command, .version = kVersion};
  write_run_file(folder, run);
  replace_file(trace_path(folder), text);
  run.files["trace.csv"] = {std::ssize(text), checksum_text(text)};
  run.finished = true;
  write_run_file(folder, run);
}

TraceRecord read_trace(const std::string& folder) {
  TraceRecord record;
  record.folder = folder;
  std::optional<RunFile> run = read_run_file(folder);
  if (!run) throw InputError(folder, "is not a trace: it holds no run.json");
  record.run = *std::move(run);
  record.trace = read_number_table(trace_path(folder), [&](std::string_view text) {
    expect_as_finished(record.run, folder, "trace.csv", text);
  });
  if (record.trace.columns != trace_columns())
    throw InputError(trace_path(folder) + ":1",
                     fmt::format("the columns must be {}, got {}", fmt::join(trace_columns(), ","),
                                 fmt::join(record.trace.columns, ",")));
  return record;
}

}  // namespace vapor
