// sweep.json: what a sweep made in its folder, the cells with their places in the grid. A report
// reads it, so that it need not guess what was varied.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "vapor/record/run_file.h"

namespace vapor {

struct ManifestCell {
  std::string folder;  // below that of the sweep
  Definition definition = Definition::object();
  std::map<std::string, std::string> varied = {};  // what the grid gave to each of its names
};

// Writes the cells beside those that are there of other sweeps, by folder. Throws InputError that
// names the file if it is something else.
void add_to_manifest(const std::string& out, const std::vector<ManifestCell>& cells);

// Empty if the folder has none.
std::vector<ManifestCell> read_manifest(const std::string& out);

}  // namespace vapor
