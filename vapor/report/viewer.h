// `vapor view`: an interactive page of one run, or of two side by side, made of their snapshots.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace vapor {

struct ViewSettings {
  std::size_t most_bytes = 7'500'000;  // of numbers in the page; more snapshots are thinned evenly
};

struct ViewedRun {
  std::string folder;
  std::string env, agent;
  std::size_t snapshots = 0;  // that the run has
  std::size_t shown = 0;      // that the page has: the first, the last, and evenly spaced ones
};

struct View {
  std::string html;
  std::vector<ViewedRun> runs;
};

// `folders` are one or two runs. Throws InputError, with what to do about it, for a folder that is
// no run, a run without snapshots, and a record that cannot be read.
View make_view(std::span<const std::string> folders, const ViewSettings& settings = {});

// Whether a file is such a page.
bool is_view(const std::string& path);

// At most `most` (>= 2) of 0, ..., count - 1, evenly spaced, among them the first and the last.
std::vector<std::size_t> thinned(std::size_t count, std::size_t most);

}  // namespace vapor
