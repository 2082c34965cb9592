// run.json: all that defines a run, and whether it is finished.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace vapor {

// What makes a run the run it is: an object of names and values, in the order in which they are
// written. Two runs with the same definition, from the same version, have the same bytes.
using Definition = nlohmann::ordered_json;

// Of the record as a whole; older ones are read too (older_records.h).
inline constexpr int kRunFormat = 2;

struct RunFile {
  Definition definition = Definition::object();
  std::string command;  // that makes this run
  std::string version;  // of this library
  bool finished = false;
  int format = kRunFormat;
};

void write_run_file(const std::string& folder, const RunFile& run);

// Nothing if the folder has none. Throws InputError that names the file and the place in it.
std::optional<RunFile> read_run_file(const std::string& folder);

// Throws InputError that names the first field in which two definitions differ; `place` is the
// file that `there` was read from.
void expect_same_definition(const std::string& place, const Definition& there,
                            const Definition& here);

}  // namespace vapor
