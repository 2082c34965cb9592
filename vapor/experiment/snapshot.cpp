#include "vapor/experiment/snapshot.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <vector>

#include "vapor/mdp/policy.h"

namespace vapor {
namespace {

std::string number(double value) {
  return std::isfinite(value) ? fmt::format("{}", value) : "null";
}
std::string number(std::int64_t value) { return std::to_string(value); }
std::string number(const Cell& cell) { return fmt::format("[{}, {}]", cell.row, cell.column); }

// "[a, b, c]" of the items that `text` makes of the indices in a range.
template <typename Text>
std::string list(const Range& range, const char* separator, const Text& text) {
  std::string result = "[";
  for (Index i : range) {
    if (i != *range.begin()) result += separator;
    result += text(i);
  }
  return result + "]";
}

template <typename Table>
std::string by_state(const Shape& shape, const Table& table) {
  return list({0, shape.layers()}, ",\n  ", [&](Index layer) {
    return list(shape.states_of(layer), ", ", [&](Index s) { return number(table[s]); });
  });
}

template <typename Table>
std::string by_pair(const Shape& shape, const Table& table) {
  return list({0, shape.layers()}, ",\n  ", [&](Index layer) {
    return list(shape.states_of(layer), ", ", [&](Index s) {
      return list(shape.pairs_of(s), ", ", [&](Index p) { return number(table[p]); });
    });
  });
}

}  // namespace

std::string snapshot_text(const SnapshotParts& parts) {
  const Shape& shape = parts.problem.shape;
  const Solution* solution = parts.solution;
  std::string text = "{\"format\": \"vapor-snapshot\", \"format_version\": 1";
  const auto add = [&](const char* key, const std::string& value) {
    text += fmt::format(",\n \"{}\": {}", key, value);
  };
  add("episodes", number(parts.episodes));
  add("policy", by_pair(shape, parts.policy));
  add("lambda", by_pair(shape, solution != nullptr ? solution->occupancy
                                                   : occupancy_of(parts.problem, parts.policy)));
  add("tau", solution != nullptr ? by_pair(shape, solution->temperature) : "null");
  add("V", solution != nullptr ? by_state(shape, solution->values) : "null");
  add("reward_mean", by_pair(shape, parts.problem.reward_mean));
  add("sigma_hat", by_pair(shape, parts.problem.sigma));
  add("counts", by_pair(shape, parts.visits));
  return text + "}\n";
}

std::string drawing_text(const Environment& environment) {
  const Shape& shape = environment.shape();
  std::vector<std::int64_t> goal(shape.pairs(), 0);
  for (Index p : environment.goals) goal[p] = 1;
  return fmt::format(
      "{{\"format\": \"vapor-drawing\", \"format_version\": 1,\n \"rows\": {}, \"columns\": {},\n"
      " \"cells\": {},\n \"goals\": {}}}\n",
      environment.rows, environment.columns, by_state(shape, environment.cells),
      by_pair(shape, goal));
}

}  // namespace vapor
