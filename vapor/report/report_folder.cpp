#include "vapor/report/report_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <ostream>

#include "vapor/core/error.h"
#include "vapor/core/output_file.h"
#include "vapor/record/file.h"
#include "vapor/report/report_page.h"

namespace vapor {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kLargestPage = 1'000'000'000;

// What a killed write_file leaves beside its file.
bool is_leftover(const std::string& name) { return name.ends_with(".tmp"); }

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
    names.push_back(entry.path().filename());
  if (error) throw InputError(folder, "cannot be read: " + error.message());
  std::ranges::sort(names);
  return names;
}

bool is_directory(const std::string& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

}  // namespace

void expect_room_for_report(const std::string& folder) {
  if (folder.empty()) throw InputError("--out", "must name a folder");
  const auto refuse = [&](const std::string& why) {
    throw InputError(folder, why + "; choose a new or empty folder with --out");
  };
  std::error_code error;
  if (!fs::exists(folder, error)) return;
  if (!is_directory(folder)) refuse("is not a folder");
  const std::vector<std::string> names = names_in(folder);
  if (std::ranges::all_of(names, is_leftover)) return;
  for (const std::string& name : names)
    if (name != "index.html" && name != "data" && !is_leftover(name))
      refuse("holds \"" + name + "\", which is no part of a report");
  const std::optional<std::string> page = read_whole_file(folder + "/index.html", kLargestPage);
  if (!page || page->find(kReportMark) == std::string::npos)
    refuse("holds files that vapor report has not made");
  if (fs::is_symlink(folder + "/data", error)) refuse("has a link in place of its folder data");
  if (!is_directory(folder + "/data")) return;
  for (const std::string& name : names_in(folder + "/data")) {
    const bool linked = page->find("href=\"data/" + name + "\"") != std::string::npos;
    if (!linked && !is_leftover(name))
      refuse("holds \"data/" + name + "\", which its page does not name");
  }
}

// Killed at any moment, the folder is one that expect_room_for_report takes: there is a page before
// there is data, and no data that the page does not name.
void write_report_folder(const std::string& folder, const std::string& page,
                         const std::vector<ReportFile>& files) {
  const std::string data = folder + "/data";
  make_folder(folder);
  if (is_directory(data)) {
    for (const std::string& name : names_in(data)) {
      const bool ours = std::ranges::any_of(
          files, [&](const ReportFile& file) { return file.name + ".csv" == name; });
      std::error_code ignored;
      if (!ours) fs::remove(fs::path(data) / name, ignored);
    }
  }
  write_file(folder + "/index.html", [&](std::ostream& out) { out << page; });
  make_folder(data);
  for (const ReportFile& file : files)
    write_file(fmt::format("{}/{}.csv", data, file.name),
               [&](std::ostream& out) { write_csv(out, *file.table); });
}

}  // namespace vapor
