// `vapor view`: an interactive page of a run's snapshots.
#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "commands.h"
#include "json_answer.h"
#include "options.h"
#include "terminal.h"
#include "vapor/core/error.h"
#include "vapor/core/output_file.h"
#include "vapor/record/file.h"
#include "vapor/report/viewer.h"

namespace vapor::command {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

struct ViewOptions {
  std::vector<std::string> runs;
  std::string out = "out/view.html";
  Output output;
};

// A folder typed with a slash at its end is the same folder.
std::string without_slash(std::string folder) {
  while (folder.size() > 1 && folder.back() == '/') folder.pop_back();
  return folder;
}

// Before the work; the folder of the page is made if it is missing.
void expect_room_for_page(const std::string& path) {
  const fs::path above = fs::path(path).parent_path();
  expect_room_for_folder(above.empty() ? "." : above.string());
  std::error_code error;
  if (fs::exists(path, error)) expect_room_for_file(path);
  if (fs::is_regular_file(path, error) && fs::file_size(path, error) > 0 && !is_view(path))
    throw InputError(path, "exists and is not a page of vapor view; choose another --out");
}

ordered_json as_json(const ViewOptions& options, const View& view) {
  ordered_json answer = {
      {"file", options.out}, {"bytes", view.html.size()}, {"runs", ordered_json::array()}};
  for (const ViewedRun& run : view.runs)
    answer["runs"].push_back({{"folder", run.folder},
                              {"env", run.env},
                              {"agent", run.agent},
                              {"snapshots", run.snapshots},
                              {"shown", run.shown}});
  return answer;
}

void print_for_people(const ViewOptions& options, const View& view) {
  std::vector<std::vector<std::string>> rows = {{"agent", "environment", "snapshots", "shown"}};
  for (const ViewedRun& run : view.runs)
    rows.push_back({run.agent, run.env, std::to_string(run.snapshots), std::to_string(run.shown)});
  print_table(rows, 2);
  fmt::print("{} {}\n", bold(options.out),
             dim(fmt::format("({:.1f} MB; open it in a browser)",
                             1e-6 * static_cast<double>(view.html.size()))));
}

int view(const ViewOptions& options) {
  expect_room_for_page(options.out);
  std::vector<std::string> folders;
  for (const std::string& run : options.runs) folders.push_back(without_slash(run));
  const View made = make_view(folders);
  if (const fs::path parent = fs::path(options.out).parent_path(); !parent.empty())
    make_folder(parent);
  write_file(options.out, [&](std::ostream& out) { out << made.html; });
  if (options.output.json)
    print_json(as_json(options, made));
  else if (!options.output.quiet)
    print_for_people(options, made);
  return kGood;
}

}  // namespace

void add_view(CLI::App& app, Action& action) {
  auto options = std::make_shared<ViewOptions>();
  CLI::App* command =
      app.add_subcommand("view", "Make an interactive page of a run, or of two side by side");
  command->add_option("runs", options->runs, "One or two folders of runs with snapshots")
      ->required()
      ->expected(1, 2)
      ->type_name("RUN");
  add_path(*command, "--out", options->out, "FILE", "The page to write")->capture_default_str();
  add_output_flags(*command, options->output);
  command->footer(
      "The page needs no network and no server. A file that is not such a page is not "
      "overwritten.\n"
      "Exit code: 0 written, 2 bad input, 3 internal error.\n"
      "Examples:\n"
      "  vapor run --env deep_sea:depth=10 --agent vapor --episodes 60 --snapshot-every 5\n"
      "  vapor view out/runs/deep_sea-depth=10/vapor/seed-1\n"
      "  vapor view runs/vapor/seed-1 runs/thompson/seed-1 --out out/two-agents.html");
  command->callback([options, &action] { action = [options] { return view(*options); }; });
}

}  // namespace vapor::command
