#include "vapor/record/run_file.h"

#include <fmt/format.h>

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

bool finished_of(const std::string& path, const std::string& status) {
  if (status != "finished" && status != "running")
    throw InputError(path, "status: must be running or finished, got " + status);
  return status == "finished";
}

}  // namespace

void write_run_file(const std::string& folder, const RunFile& run) {
  ordered_json file;
  file["format"] = kFormat;
  file["format_version"] = kRunFormat;
  file["status"] = run.finished ? "finished" : "running";
  file["version"] = run.version;
  file["command"] = run.command;
  file["definition"] = run.definition;
  replace_file(path_in(folder),
               file.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n");
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
  for (const auto& [key, value] : here.items()) refuse_difference(key);
  for (const auto& [key, value] : there.items()) refuse_difference(key);
}

}  // namespace vapor
