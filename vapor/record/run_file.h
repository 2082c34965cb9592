// run.json: all that defines a run, whether it is finished, and what its files then hold.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace vapor {

// What makes a run the run it is: an object of names and values, in the order in which they are
// written. Two runs with the same definition, from the same version, have the same bytes.
using Definition = nlohmann::ordered_json;

// Of the record as a whole; older ones are read too (older_records.h).
inline constexpr int kRunFormat = 2;

// What a finished run says of a file that was appended to.
struct FileSum {
  std::int64_t bytes = 0;
  std::string checksum;  // Checksum::text()
};

struct RunFile {
  Definition definition = Definition::object();
  std::string command;  // that makes this run
  std::string version;  // of this library
  bool finished = false;
  int format = kRunFormat;
  std::map<std::string, FileSum> files = {};  // by name; none in a run that is not finished, or old
};

// Throws InputError that names the file unless the text is what `run` says of it, if it does.
void expect_as_finished(const RunFile& run, const std::string& folder, const std::string& name,
                        std::string_view text);

void write_run_file(const std::string& folder, const RunFile& run);

// Nothing if the folder has none. Throws InputError that names the file and the place in it.
std::optional<RunFile> read_run_file(const std::string& folder);

// Throws InputError that names the first field in which two definitions differ; `place` is the
// file that `there` was read from. `there` may lack `tolerance`, which older programs did not
// write.
void expect_same_definition(const std::string& place, const Definition& there,
                            const Definition& here);

}  // namespace vapor
