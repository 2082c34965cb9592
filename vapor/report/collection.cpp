#include "vapor/report/collection.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include "vapor/core/error.h"
#include "vapor/core/regular_file.h"
#include "vapor/core/text.h"
#include "vapor/record/damage.h"
#include "vapor/record/json_text.h"
#include "vapor/record/sweep_manifest.h"

namespace vapor {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr std::int64_t kLargestFindings = std::int64_t{1} << 24;  // bytes
constexpr double kLargestRegret = 1e100;  // what pictures can have on an axis
constexpr std::int64_t kMostEpisodes = 1'000'000'000'000;

std::int64_t cap_of(const std::string& folder, const Definition& definition) {
  const auto found = definition.find("episodes");
  if (found == definition.end() || !found->is_number_integer() || *found < 1 ||
      *found > kMostEpisodes)
    throw InputError(folder + "/run.json",
                     fmt::format("definition: episodes: must be in 1..{}", kMostEpisodes));
  return found->get<std::int64_t>();
}

void add_regrets(RunDigest& digest, const RunRecord& record) {
  const std::string& folder = record.folder;
  const std::span<const double> regret = record.episodes.column("regret");
  const std::span<const double> value = record.episodes.column("value");
  double regret_so_far = 0.0;
  std::size_t row = 0;
  for (const std::int64_t episode : picture_episodes(cap_of(folder, record.run.definition))) {
    if (static_cast<std::uint64_t>(episode) > value.size()) break;
    while (row < static_cast<std::size_t>(episode)) regret_so_far += regret[row++];
    if (std::abs(regret_so_far) > kLargestRegret)
      throw InputError(folder + "/episodes.csv",
                       fmt::format("regret: sums to more than {}", kLargestRegret));
    digest.regret_so_far.push_back(regret_so_far);
    digest.value.push_back(value[row - 1]);
  }
}

// Reads the whole run, and keeps little of it.
RunDigest digest(const std::string& folder) {
  RunRecord record = read_run(folder);
  RunDigest digest;
  digest.timing_problem = record.timing_problem;
  digest.folder = folder;
  digest.summary = summarise(record);
  digest.returns = return_curve(record);
  digest.known_values = has_known_values(record);
  if (digest.known_values) add_regrets(digest, record);
  digest.run = std::move(record.run);
  std::error_code ignored;
  digest.has_snapshots = fs::exists(folder + "/snapshots/drawing.json", ignored);
  return digest;
}

ExperimentFindings read_findings(const std::string& folder) {
  const std::string path = folder + "/findings.json";
  const std::optional<std::string> text = read_whole_file(path, kLargestFindings);
  if (!text) throw InputError(path, "is missing");
  ordered_json findings = parse_json(path, *text);
  if (!findings.is_object())
    throw InputError(path, fmt::format("must be an object, got {}", findings.type_name()));
  // Findings of before there was a format have none.
  if (findings.contains("format")) expect_format(path, findings, "vapor-findings", 1);
  const auto experiment = findings.find("experiment");
  if (experiment == findings.end() || !experiment->is_string())
    throw InputError(path, "experiment: must be a string");
  return {folder, std::move(findings)};
}

// What a folder holds, closed before any other is opened.
struct Listing {
  std::set<std::string> files;    // of whatever kind
  std::set<std::string> folders;  // and links to folders
};

Listing list(const std::string& folder) {
  Listing listing;
  std::error_code error;
  fs::directory_iterator entry(folder, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    std::error_code dangling;
    (entry->is_directory(dangling) ? listing.folders : listing.files)
        .insert(entry->path().filename().string());
  }
  if (error) throw InputError(folder, "cannot be read: " + error.message());
  return listing;
}

// A message about a folder or a file in it, without the path of the folder.
std::string named_within(const std::string& folder, std::string message) {
  for (const std::string& prefix : {printable(folder) + "/", printable(folder) + ": "})
    if (message.starts_with(prefix)) message.erase(0, prefix.size());
  return message;
}

class Search {
 public:
  explicit Search(const std::function<void(std::size_t)>& progress) : progress_(progress) {}

  void from(const std::string& path) {
    std::error_code error;
    const fs::path folder = fs::canonical(path, error);
    if (error == std::errc::no_such_file_or_directory) throw InputError(path, "does not exist");
    if (error) throw InputError(path, "cannot be read: " + error.message());
    if (!fs::is_directory(folder, error))
      throw InputError(path, "is not a folder; name the folder of a run, or one that holds runs");
    visit(folder.string());
  }

  Collection result() && {
    for (RunDigest& run : collection_.runs) run.of_a_sweep = of_sweeps_.contains(run.folder);
    std::ranges::sort(collection_.runs, {}, &RunDigest::folder);
    std::ranges::sort(collection_.traces, {}, &TraceDigest::folder);
    std::ranges::sort(collection_.findings, {}, &ExperimentFindings::folder);
    std::ranges::sort(collection_.left_out);
    return std::move(collection_);
  }

 private:
  // `folder` is canonical.
  void visit(const std::string& folder) {
    if (!visited_.insert(folder).second) return;
    Listing listing;
    or_leave_out(folder, [&] { listing = list(folder); });
    if (listing.files.contains("run.json"))
      or_leave_out(folder, [&] { add_record(folder, listing.files); });
    if (listing.files.contains("sweep.json"))
      or_leave_out(folder, [&] {
        for (const ManifestCell& cell : read_manifest(folder))
          of_sweeps_.insert(folder + "/" + cell.folder);
      });
    if (listing.files.contains("findings.json"))
      or_leave_out(folder, [&] { collection_.findings.push_back(read_findings(folder)); });
    for (const std::string& name : listing.folders) {
      if (name == "snapshots" || name == "data" || name == "tensorboard") continue;
      std::error_code error;
      const fs::path below = fs::canonical(fs::path(folder) / name, error);
      if (!error) visit(below.string());
    }
  }

  void add_record(const std::string& folder, const std::set<std::string>& files) {
    if (files.contains("episodes.csv")) {
      collection_.runs.push_back(digest(folder));
      if (const std::string& problem = collection_.runs.back().timing_problem; !problem.empty())
        collection_.left_out.push_back({folder, named_within(folder, problem)});
      for (const DamagedFile& file : damaged_files(folder)) {
        collection_.left_out.push_back({folder, file.name + ": " + file.problem});
        if (file.name.starts_with("snapshots/")) collection_.runs.back().has_snapshots = false;
      }
    } else if (files.contains("trace.csv")) {
      collection_.traces.push_back(read_trace(folder));
    } else {
      read_run_file(folder);  // a newer format may have other files, and says so
      throw InputError(folder, "holds neither episodes.csv nor trace.csv");
    }
    if (progress_) progress_(collection_.runs.size() + collection_.traces.size());
  }

  template <typename Read>
  void or_leave_out(const std::string& folder, const Read& read) {
    try {
      read();
    } catch (const InputError& e) {
      collection_.left_out.push_back({folder, named_within(folder, e.what())});
    }
  }

  const std::function<void(std::size_t)>& progress_;
  std::set<std::string> visited_;
  std::set<std::string> of_sweeps_;  // folders of cells
  Collection collection_;
};

}  // namespace

Collection collect(std::span<const std::string> paths,
                   const std::function<void(std::size_t)>& progress) {
  Search search(progress);
  for (const std::string& path : paths) search.from(path);
  return std::move(search).result();
}

}  // namespace vapor
