// Records as reports and resumed runs read them.
#include <string>
#include <vector>

#include "scratch.h"
#include "targets.h"
#include "vapor/core/check.h"
#include "vapor/core/error.h"
#include "vapor/record/run_folder.h"
#include "vapor/record/run_summary.h"
#include "vapor/record/snapshot_record.h"
#include "vapor/record/sweep_manifest.h"
#include "vapor/record/trace_record.h"
#include "vapor/report/collection.h"
#include "vapor/report/report.h"
#include "vapor/run/run_settings.h"

namespace vapor::fuzz {
namespace {

const std::vector<std::string> kRunFiles = {"run.json", "episodes.csv", "timing.csv"};

// What a run says of itself is written and read again.
void expect_same_run_file(const std::string& folder, const RunFile& run) {
  write_run_file(folder, run);
  const RunFile again = read_run_file(folder).value();
  VAPOR_CHECK_EQ(again.definition.dump(), run.definition.dump());
  VAPOR_CHECK_EQ(again.command, run.command);
  VAPOR_CHECK_EQ(again.version, run.version);
  VAPOR_CHECK_EQ(again.finished, run.finished);
}

// A report shows what is there, or says why it does not.
void expect_report(const std::string& folder) {
  const std::vector<std::string> paths = {folder};
  const Collection collection = collect(paths);
  VAPOR_CHECK_EQ(collection.empty() && collection.left_out.empty(), false);
  try {
    write_report(paths, folder + "/report");
  } catch (const InputError& refusal) {
    VAPOR_CHECK_GT(std::string(refusal.what()).size(), 0U);
  }
}

}  // namespace

void read_run_bytes(std::string_view bytes) {
  const std::string& folder = scratch_folder(split_files(bytes, "run.json"), kRunFiles);
  expect_report(folder);
  const RunRecord record = read_run(folder);
  summarise(record);
  expect_same_run_file(folder, record.run);
  const RunSettings settings = settings_of(folder, record.run.definition);
  const RunHeader header = header_of(settings);
  VAPOR_CHECK_EQ(header_of(settings_of(folder, header.definition)).command, header.command);
}

void read_trace_bytes(std::string_view bytes) {
  const std::string& folder =
      scratch_folder(split_files(bytes, "run.json"), {"run.json", "trace.csv"});
  expect_report(folder);
  const TraceRecord record = read_trace(folder);
  expect_same_run_file(folder, record.run);
}

void read_manifest_bytes(std::string_view bytes) {
  const std::string& folder = scratch_folder({{"sweep.json", std::string(bytes)}}, {"sweep.json"});
  const std::vector<ManifestCell> cells = read_manifest(folder);
  add_to_manifest(folder, cells);
  const std::string text = contents_of(folder + "/sweep.json");
  add_to_manifest(folder, read_manifest(folder));
  VAPOR_CHECK_EQ(contents_of(folder + "/sweep.json"), text);
}

void read_snapshot_bytes(std::string_view bytes) {
  const std::string& folder = scratch_folder(
      split_files(bytes, "snapshots/drawing.json"),
      {"snapshots/drawing.json", "snapshots/000000000.json", "snapshots/000000007.json"});
  const Drawing drawing = read_drawing(folder);
  VAPOR_CHECK_EQ(drawing.row.size(), static_cast<std::size_t>(drawing.states()));
  VAPOR_CHECK_EQ(drawing.column.size(), static_cast<std::size_t>(drawing.states()));
  for (const std::int64_t episodes : snapshot_episodes(folder)) {
    const Snapshot snapshot = read_snapshot(folder, episodes, drawing);
    VAPOR_CHECK_EQ(snapshot.policy.size(), static_cast<std::size_t>(drawing.pairs()));
  }
}

void read_findings_bytes(std::string_view bytes) {
  const std::string& folder =
      scratch_folder({{"findings.json", std::string(bytes)}}, {"findings.json"});
  expect_report(folder);
}

// A run that was interrupted is opened again: what the checkpoint counts has to be there.
void read_checkpoint_bytes(std::string_view bytes) {
  std::vector<std::string> files = kRunFiles;
  files.emplace_back("checkpoint");
  const std::string& folder = scratch_folder(split_files(bytes, "run.json"), files);
  if (const auto checkpoint = read_checkpoint(folder + "/checkpoint")) {
    write_checkpoint(folder + "/again", *checkpoint);
    VAPOR_CHECK_EQ(contents_of(folder + "/again"), contents_of(folder + "/checkpoint"));
  }
  const std::optional<RunFile> there = read_run_file(folder);
  RunHeader header;
  header.columns = {"episode", "return"};
  if (there) header.definition = there->definition;
  RunFolder run(folder, header);
  if (run.finished()) return;
  VAPOR_CHECK_GE(run.episodes(), 0);
  const std::vector<double> values = {1.0};
  run.append(values, 0.001);
  run.save("state");
  const std::int64_t counted = read_checkpoint(folder + "/checkpoint").value().episodes;
  VAPOR_CHECK_EQ(counted, run.episodes());
}

}  // namespace vapor::fuzz
