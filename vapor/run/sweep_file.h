// The file of `vapor sweep`, TOML: which agents play in which environments, with which settings and
// seeds. docs/sweep.md describes it with examples.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "vapor/run/run_settings.h"

namespace vapor {

// Text of the file, and where it stands there: "sweep.toml:3: envs[1]".
struct PlacedText {
  std::string text;
  std::string place;
};

// One table of the file. Specs may hold {name}, which `vary` gives values to.
struct SweepTable {
  std::string place;  // "sweep.toml:1"
  std::string name;   // a folder of its own for the runs; empty: none
  std::vector<PlacedText> envs;
  std::vector<PlacedText> agents;
  std::vector<PlacedText> beliefs;  // of tables; one empty text: the belief that fits
  std::map<std::string, std::vector<std::string>> vary;
  std::map<std::string, std::string> vary_places;  // by name
  std::vector<std::uint64_t> seeds = {1};
  RunRequest request;  // all that its cells have in common

  std::map<std::string, std::string> key_places;  // of what was given, by key
};

// The most seeds of a table, and the most cells of a file.
inline constexpr std::int64_t kMostCells = 100'000;

// Throws InputError that names file, line and key.
std::vector<SweepTable> read_sweep_file(const std::string& path);

// The same of text; `path` is what its places are called by.
std::vector<SweepTable> parse_sweep(const std::string& text, const std::string& path);

}  // namespace vapor
