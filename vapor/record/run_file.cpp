#include "vapor/record/run_file.h"

#include <fmt/format.h>

#include "vapor/core/checksum.h"
#include "vapor/core/error.h"
#include "vapor/record/file.h"
#include "vapor/record/json_text.h"

namespace vapor {
namespace {

using nlohmann::ordered_json;

constexpr const char* kFormat = "vapor-run";
constexpr std::int64_t kLargestRunFile = 1 << 20;  // bytes

std::string path_in(const std::string& folder) { return folder + "/run.json"; }

std::string field_text(const ordered_json& value) {
  return value.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

std::string field_text(const ordered_json& fields, const std::string& key) {
  return fields.contains(key) ? field_text(fields[key]) : "absent";
}

const ordered_json& member(const std::string& path, const ordered_json& file, const char* key,
                           ordered_json::value_t type) {
  if (!file.contains(key)) throw InputError(path, fmt::format("{}: is missing", key));
  const ordered_json& value = file[key];
  if (value.type() != type)
    throw InputError(path,
                     fmt::format("{}: must be {}, got {}", key,
                                 type == ordered_json::value_t::object ? "an object" : "a string",
                                 value.type_name()));
  return value;
}

std::string string_member(const std::string& path, const ordered_json& file, const char* key) {
  return member(path, file, key, ordered_json::value_t::string).get<std::string>();
}

// Fields that older programs left out: a record without one goes on as it was begun.
bool came_later(const std::string& key) { return key == "tolerance"; }

bool finished_of(const std::string& path, const std::string& status) {
  if (status != "finished" && status != "running")
    throw InputError(path, "status: must be running or finished, got " + status);
  return status == "finished";
}

std::map<std::string, FileSum> files_of(const std::string& path, const ordered_json& files) {
  std::map<std::string, FileSum> all;
  for (const auto& [name, sum] : files.items()) {
    if (!sum.is_object() || !sum.value("bytes", ordered_json()).is_number_integer() ||
        !sum.value("checksum", ordered_json()).is_string())
      throw InputError(path, fmt::format("files: {}: must have bytes and a checksum", name));
    all[name] = {sum["bytes"].get<std::int64_t>(), sum["checksum"].get<std::string>()};
  }
  return all;
}

}  // namespace

void expect_as_finished(const RunFile& run, const std::string& folder, const std::string& name,
                        std::string_view text) {
  const auto found = run.files.find(name);
  if (!run.finished || found == run.files.end()) return;
  const FileSum& sum = found->second;
  constexpr const char* kRemedy = "delete the folder to make the run again";
  if (static_cast<std::int64_t>(text.size()) != sum.bytes)
    throw InputError(folder + "/" + name,
                     fmt::format("is damaged: it has {} bytes, and had {} when the run was "
                                 "finished; {}",
                                 text.size(), sum.bytes, kRemedy));
  if (checksum_text(text) != sum.checksum)
    throw InputError(folder + "/" + name,
                     fmt::format("is damaged: its checksum is {}, and was {} when the run was "
                                 "finished; {}",
                                 checksum_text(text), sum.checksum, kRemedy));
}

void write_run_file(const std::string& folder, const RunFile& run) {
  ordered_json file;
  file["format"] = kFormat;
  file["format_version"] = kRunFormat;
  file["status"] = run.finished ? "finished" : "running";
  file["version"] = run.version;
  file["command"] = run.command;
  file["definition"] = run.definition;
  for (const auto& [name, sum] : run.files)
    file["files"][name] = {{"bytes", sum.bytes}, {"checksum", sum.checksum}};
  replace_file(path_in(folder), sealed(file, 2));
}

std::optional<RunFile> read_run_file(const std::string& folder) {
  const std::string path = path_in(folder);
  const std::optional<std::string> text = read_whole_file(path, kLargestRunFile);
  if (!text) return std::nullopt;
  const ordered_json file = parse_json(path, *text);
  RunFile run;
  run.format = expect_format(path, file, kFormat, kRunFormat);
  run.finished = finished_of(path, string_member(path, file, "status"));
  run.version = string_member(path, file, "version");
  run.command = string_member(path, file, "command");
  run.definition = member(path, file, "definition", ordered_json::value_t::object);
  if (file.contains("files")) run.files = files_of(path, file["files"]);
  return run;
}

void expect_same_definition(const std::string& place, const Definition& there,
                            const Definition& here) {
  const auto refuse_difference = [&](const std::string& key) {
    const std::string old_text = field_text(there, key);
    const std::string new_text = field_text(here, key);
    if (old_text != new_text)
      throw InputError(
          place, fmt::format("{}: is {} in this run, {} was asked for; choose another folder, "
                             "or delete this one",
                             key, old_text, new_text));
  };
  for (const auto& [key, value] : here.items())
    if (there.contains(key) || !came_later(key)) refuse_difference(key);
  for (const auto& [key, value] : there.items()) refuse_difference(key);
}

}  // namespace vapor
