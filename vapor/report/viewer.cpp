#include "vapor/report/viewer.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "vapor/core/check.h"
#include "vapor/core/error.h"
#include "vapor/core/regular_file.h"
#include "vapor/record/run_record.h"
#include "vapor/record/run_summary.h"
#include "vapor/record/snapshot_record.h"
#include "vapor/report/page.h"

namespace vapor {
namespace {

using nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr std::string_view kMark = "<main id=\"view\" data-vapor-page=\"view\">";

// The first run in a folder of runs, such as DIR/seed-1 in DIR; "" if there is none nearby.
std::string run_inside(const fs::path& folder) {
  constexpr int kDeepest = 3;
  std::string first;
  std::error_code error;
  for (fs::recursive_directory_iterator at(folder, error), end; at != end; at.increment(error)) {
    if (error) break;
    if (at.depth() > kDeepest) at.disable_recursion_pending();
    if (at->path().filename() != "run.json") continue;
    const std::string run = at->path().parent_path();
    if (first.empty() || run < first) first = run;
  }
  return first;
}

// Throws InputError if that cannot be told, e.g. without permission.
bool exists(const std::string& path) {
  std::error_code error;
  const bool there = fs::exists(path, error);
  if (error) throw InputError(path, "cannot be read: " + error.message());
  return there;
}

RunRecord read_viewed_run(const std::string& folder) {
  if (!exists(folder)) throw InputError(folder, "there is no such folder");
  std::error_code error;
  if (!fs::is_directory(folder, error))
    throw InputError(folder, "is a file; name the folder of a run, e.g. out/runs/ENV/AGENT/seed-1");
  if (exists(folder + "/trace.csv"))
    throw InputError(folder, "is the trace of a solve, not a run; vapor report shows it");
  if (!exists(folder + "/run.json")) {
    const std::string inside = run_inside(folder);
    if (inside.empty()) throw InputError(folder, "is not a run: it holds no run.json");
    throw InputError(folder, "holds runs and is not one itself; view one of them, e.g. " + inside);
  }
  RunRecord record = read_run(folder);
  if (is_training(record))
    throw InputError(
        folder, "is a training, which has no snapshots; vapor play shows it: vapor play " + folder);
  return record;
}

template <typename T>
T defined(const RunRecord& record, const char* key, const T& otherwise) {
  const Definition& definition = record.run.definition;
  if (!definition.contains(key)) return otherwise;
  try {
    return definition[key].get<T>();
  } catch (const ordered_json::exception&) {
    return otherwise;
  }
}

[[noreturn]] void refuse_without_snapshots(const RunRecord& record) {
  if (defined<std::int64_t>(record, "snapshot_every", 0) > 0)
    throw InputError(record.folder + "/snapshots",
                     "is missing or empty; make the run again in another folder: " +
                         record.run.command + " --out DIR");
  const auto episodes = defined<std::int64_t>(record, "episodes", 20);
  throw InputError(record.folder,
                   fmt::format("has no snapshots; make the run again with --snapshot-every N: {} "
                               "--snapshot-every {} --out DIR",
                               record.run.command, std::max<std::int64_t>(1, episodes / 20)));
}

// A run with what its snapshots are known to be before any of them is read.
struct Source {
  RunRecord record;
  std::vector<std::int64_t> episodes;  // of its snapshots
  Drawing drawing;
};

Source open_source(const std::string& folder) {
  Source source{read_viewed_run(folder), snapshot_episodes(folder), {}};
  if (source.episodes.empty()) refuse_without_snapshots(source.record);
  if (!exists(folder + "/snapshots/drawing.json"))
    throw InputError(folder + "/snapshots/drawing.json",
                     "is missing; make the run again in another folder: " +
                         source.record.run.command + " --out DIR");
  source.drawing = read_drawing(folder);
  return source;
}

// In base64, four bytes a number: seven tables by pair, or eight, and V.
std::size_t bytes_of_snapshot(const Drawing& drawing) {
  const std::size_t numbers = 8 * static_cast<std::size_t>(drawing.pairs()) + drawing.states();
  return numbers * 16 / 3 + 200;
}

void append_base64(std::string& text, std::span<const std::uint8_t> bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t here = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t three = 0;
    for (std::size_t k = 0; k < 3; ++k) three = three << 8 | (k < here ? bytes[i + k] : 0u);
    for (std::size_t k = 0; k < 4; ++k)
      text += k <= here ? kDigits[three >> (18 - 6 * k) & 63u] : '=';
  }
}

// Single precision, little end first; null if the table does not exist.
ordered_json numbers_of(const std::vector<double>& table) {
  if (table.empty()) return nullptr;
  std::vector<std::uint8_t> bytes;
  bytes.reserve(4 * table.size());
  for (const double value : table) {
    constexpr double kMost = std::numeric_limits<float>::max();  // clamping keeps NaN
    const auto bits =
        std::bit_cast<std::uint32_t>(static_cast<float>(std::clamp(value, -kMost, kMost)));
    for (int shift = 0; shift < 32; shift += 8)
      bytes.push_back(static_cast<std::uint8_t>(bits >> shift));
  }
  std::string text;
  text.reserve(bytes.size() * 4 / 3 + 4);
  append_base64(text, bytes);
  return text;
}

const char* name_of(SnapshotProgram program) {
  switch (program) {
    case SnapshotProgram::kUnknown:
      return "unknown";
    case SnapshotProgram::kNone:
      return "none";
    case SnapshotProgram::kVapor:
      return "vapor";
    case SnapshotProgram::kWeightedEntropy:
      return "weighted_entropy";
  }
  return "";
}

ordered_json json_of(const std::vector<SnapshotConstraint>& constraints) {
  ordered_json list = ordered_json::array();
  for (const SnapshotConstraint& c : constraints)  // a price that is NaN is null
    list.push_back({{"name", c.name},
                    {"sense", c.sense},
                    {"bound", c.bound},
                    {"used", c.used},
                    {"price", c.price}});
  return list;
}

ordered_json json_of(const Snapshot& snapshot) {
  return {{"episodes", snapshot.episodes},
          {"constraints", json_of(snapshot.constraints)},
          {"charge", numbers_of(snapshot.charge)},
          {"program", name_of(snapshot.program)},
          {"policy", numbers_of(snapshot.policy)},
          {"lambda", numbers_of(snapshot.lambda)},
          {"tau", numbers_of(snapshot.tau)},
          {"sigma_hat", numbers_of(snapshot.sigma_hat)},
          {"counts", numbers_of(snapshot.counts)},
          {"V", numbers_of(snapshot.V)},
          {"reward_mean", numbers_of(snapshot.reward_mean)},
          {"next_value", numbers_of(snapshot.next_value)}};
}

ordered_json json_of(const Drawing& drawing) {
  std::vector<Index> goals;
  for (Index p = 0; p < drawing.pairs(); ++p)
    if (drawing.goal[p] != 0) goals.push_back(p);
  return {{"rows", drawing.rows},
          {"columns", drawing.columns},
          {"layer_states", drawing.layer_states},
          {"actions", drawing.actions},
          {"row", drawing.row},
          {"column", drawing.column},
          {"goals", goals},
          {"next", drawing.next},
          {"action_names", drawing.action_names}};
}

ordered_json json_of(const Source& source, const std::vector<std::size_t>& kept) {
  const RunRecord& record = source.record;
  const Definition& definition = record.run.definition;
  ordered_json run = {{"folder", record.folder},
                      {"agent", defined<std::string>(record, "agent", "agent")},
                      {"env", defined<std::string>(record, "env", "")},
                      {"belief", defined<std::string>(record, "belief", "")},
                      {"seed", definition.contains("seed") ? definition["seed"] : nullptr},
                      {"episodes", record.episodes.rows()},
                      {"finished", record.run.finished},
                      {"command", record.run.command},
                      {"version", record.run.version},
                      {"snapshots_recorded", source.episodes.size()},
                      {"drawing", json_of(source.drawing)},
                      {"snapshots", ordered_json::array()}};
  for (const std::size_t i : kept)
    run["snapshots"].push_back(
        json_of(read_snapshot(record.folder, source.episodes[i], source.drawing)));
  return run;
}

std::string title_of(const std::vector<ViewedRun>& runs) {
  std::string title = runs[0].agent;
  if (runs.size() > 1) title += " and " + runs[1].agent;
  title += " in " + runs[0].env;
  if (runs.size() > 1 && runs[1].env != runs[0].env) title += " and " + runs[1].env;
  return title;
}

}  // namespace

std::vector<std::size_t> thinned(std::size_t count, std::size_t most) {
  VAPOR_CHECK_LE(std::size_t{2}, most);
  const std::size_t kept = std::min(count, most);
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < kept; ++i)
    indices.push_back(kept == 1 ? 0 : i * (count - 1) / (kept - 1));
  return indices;
}

View make_view(std::span<const std::string> folders, const ViewSettings& settings) {
  std::vector<Source> sources;
  std::size_t bytes = 0;  // of a snapshot of each run
  for (const std::string& folder : folders) {
    sources.push_back(open_source(folder));
    bytes += bytes_of_snapshot(sources.back().drawing);
  }
  const std::size_t most = std::max<std::size_t>(2, settings.most_bytes / bytes);
  View view;
  ordered_json runs = ordered_json::array();
  for (const Source& source : sources) {
    const std::vector<std::size_t> kept = thinned(source.episodes.size(), most);
    runs.push_back(json_of(source, kept));
    view.runs.push_back({source.record.folder, runs.back()["env"], runs.back()["agent"],
                         source.episodes.size(), kept.size()});
  }
  const std::string title = title_of(view.runs);
  Page page;
  page.title = title + ": VAPOR viewer";
  page.styles = {"viewer.css"};
  page.scripts = {"viewer_data.js",    "viewer_map.js", "viewer_explain.js", "viewer_state.js",
                  "viewer_figures.js", "viewer.js",     "viewer_page.js"};
  page.data.push_back({"runs", std::move(runs)});
  page.body = fmt::format(
      "<a class=\"skip-link\" href=\"#view\">Skip to the maps</a>\n"
      "<header><h1>{}</h1></header>\n{}<noscript><p>This page draws with JavaScript, which is "
      "switched off.</p></noscript></main>\n<footer></footer>",
      escape_html(title), kMark);
  view.html = html_of(page);
  return view;
}

bool is_view(const std::string& path) {
  constexpr std::size_t kHead = std::size_t{1} << 17;  // styles stand before the mark
  const std::optional<std::string> head = read_front_of_file(path, kHead);
  return head && head->find(kMark) != std::string::npos;
}

}  // namespace vapor
