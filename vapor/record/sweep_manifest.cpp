#include "vapor/record/sweep_manifest.h"

#include <fmt/format.h>

#include "vapor/core/error.h"
#include "vapor/record/file.h"
#include "vapor/record/json_text.h"

namespace vapor {
namespace {

using nlohmann::ordered_json;

constexpr const char* kManifestFormat = "vapor-sweep";
constexpr int kManifestVersion = 1;
constexpr std::int64_t kLargestManifest = 1 << 28;  // bytes

std::string manifest_in(const std::string& out) { return out + "/sweep.json"; }

ManifestCell cell_of(const std::string& path, std::size_t i, const ordered_json& value) {
  const auto refuse = [&](const char* key, const char* wanted) {
    throw InputError(path, fmt::format("cells[{}].{}: must be {}", i, key, wanted));
  };
  ManifestCell cell;
  if (!value.is_object() || !value.contains("folder") || !value["folder"].is_string())
    refuse("folder", "a string");
  cell.folder = value["folder"].get<std::string>();
  if (!value.contains("definition") || !value["definition"].is_object())
    refuse("definition", "an object");
  cell.definition = value["definition"];
  const ordered_json varied = value.value("varied", ordered_json::object());
  for (const auto& [name, text] : varied.items()) {
    if (!text.is_string()) refuse("varied", "texts by name");
    cell.varied[name] = text.get<std::string>();
  }
  return cell;
}

}  // namespace

std::vector<ManifestCell> read_manifest(const std::string& out) {
  const std::string path = manifest_in(out);
  const std::optional<std::string> text = read_whole_file(path, kLargestManifest);
  if (!text) return {};
  const ordered_json file = parse_json(path, *text);
  expect_format(path, file, kManifestFormat, kManifestVersion);
  if (!file.contains("cells") || !file["cells"].is_array())
    throw InputError(path, "cells: must be a list");
  std::vector<ManifestCell> cells;
  for (const ordered_json& value : file["cells"])
    cells.push_back(cell_of(path, cells.size(), value));
  return cells;
}

void add_to_manifest(const std::string& out, const std::vector<ManifestCell>& cells) {
  make_folder(out);
  const WaitingLock lock(out);  // two sweeps of one folder may begin at the same moment
  std::map<std::string, ManifestCell> all;
  for (ManifestCell& cell : read_manifest(out)) all[cell.folder] = std::move(cell);
  for (const ManifestCell& cell : cells) all[cell.folder] = cell;
  ordered_json file = {{"format", kManifestFormat}, {"format_version", kManifestVersion}};
  file["cells"] = ordered_json::array();
  for (const auto& [folder, cell] : all)
    file["cells"].push_back(
        {{"folder", folder}, {"varied", cell.varied}, {"definition", cell.definition}});
  replace_file(manifest_in(out), sealed(file, 1));
}

}  // namespace vapor
