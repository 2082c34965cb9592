#include "vapor/run/snapshot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <span>
#include <vector>

#include "vapor/mdp/policy.h"
#include "vapor/record/json_text.h"

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

// By pair: the most likely next state of the true model, numbered within its layer; null in the
// last layer. Of the states that only the base reaches, one with the most of it is as good as any.
std::vector<double> likeliest_next(const Problem& model) {
  const Shape& shape = model.shape;
  const Transitions& t = model.transitions;
  std::vector<double> likeliest(shape.pairs(), std::numeric_limits<double>::quiet_NaN());
  std::vector<double> sparse(shape.states(), 0.0);  // of the pair at hand; next states may repeat
  for (Index layer = 0; layer + 1 < shape.layers(); ++layer) {
    const Range next = shape.states_of(layer + 1);
    const auto base = std::span(t.base).subspan(next.first(), next.size());
    const Index base_best =
        next.first() + static_cast<Index>(std::ranges::max_element(base) - base.begin());
    for (Index p : shape.pairs_of_layer(layer)) {
      const auto probability = [&](Index s) { return sparse[s] + t.base_weight[p] * t.base[s]; };
      for (Offset k = t.begin[p]; k < t.begin[p + 1]; ++k)
        sparse[t.next_state[k]] += t.probability[k];
      Index best = base_best;
      for (Offset k = t.begin[p]; k < t.begin[p + 1]; ++k)
        if (probability(t.next_state[k]) > probability(best)) best = t.next_state[k];
      for (Offset k = t.begin[p]; k < t.begin[p + 1]; ++k) sparse[t.next_state[k]] = 0.0;
      likeliest[p] = best - next.first();
    }
  }
  return likeliest;
}

}  // namespace

std::vector<double> next_values(const Problem& problem, std::span<const double> V) {
  const Shape& shape = problem.shape;
  // A state without V is one that no policy reaches: it weighs nothing in the prices of the others.
  std::vector<double> known(V.begin(), V.end());
  for (double& v : known)
    if (std::isnan(v)) v = 0.0;
  std::vector<double> result(shape.pairs(), 0.0);
  for (Index layer = 0; layer < shape.layers(); ++layer) {
    const bool last = layer + 1 == shape.layers();
    const double base = last ? 0.0 : base_value(shape, problem.transitions, layer + 1, known);
    for (Index s : shape.states_of(layer))
      for (Index p : shape.pairs_of(s))
        result[p] = std::isnan(V[s]) ? V[s] : problem.transitions.expectation(p, known, base);
  }
  return result;
}

namespace {

// How the constraints of a solution stand.
std::string uses_text(const Solution& solution) {
  std::string text;
  for (const ConstraintUse& c : solution.constraints)
    text += fmt::format(R"({}{{"name": {}, "sense": "{}", "bound": {}, "used": {}, "price": {}}})",
                        text.empty() ? "" : ", ", nlohmann::json(c.name).dump(), symbol_of(c.sense),
                        number(c.bound), number(c.used), number(c.price));
  return "[" + text + "]";
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
  add("program",
      solution != nullptr ? fmt::format("\"{}\"", name_of(solution->regulariser)) : "null");
  add("policy", by_pair(shape, parts.policy));
  add("lambda", by_pair(shape, solution != nullptr ? solution->occupancy
                                                   : occupancy_of(parts.problem, parts.policy)));
  add("tau", solution != nullptr ? by_pair(shape, solution->temperature) : "null");
  add("V", solution != nullptr ? by_state(shape, solution->values) : "null");
  add("next_value",
      solution != nullptr ? by_pair(shape, next_values(parts.problem, solution->values)) : "null");
  add("reward_mean", by_pair(shape, parts.problem.reward_mean));
  add("sigma_hat", by_pair(shape, parts.problem.sigma));
  add("counts", by_pair(shape, parts.visits));
  if (solution != nullptr && !solution->constraints.empty()) {
    add("constraints", uses_text(*solution));
    if (!parts.charges.empty()) add("charge", by_pair(shape, parts.charges));
  }
  return sealed(text + "}\n");
}

std::string drawing_text(const Environment& environment) {
  const Shape& shape = environment.shape();
  std::vector<std::int64_t> goal(shape.pairs(), 0);
  for (Index p : environment.goals) goal[p] = 1;
  const std::vector<std::string>& names = environment.action_names;
  const std::string named =
      names.empty() ? ""
                    : fmt::format(",\n \"action_names\": [\"{}\"]", fmt::join(names, "\", \""));
  return sealed(fmt::format(
      "{{\"format\": \"vapor-drawing\", \"format_version\": 1,\n \"rows\": {}, \"columns\": {}{},\n"
      " \"cells\": {},\n \"goals\": {},\n \"next\": {}}}\n",
      environment.rows, environment.columns, named, by_state(shape, environment.cells),
      by_pair(shape, goal), by_pair(shape, likeliest_next(environment.model))));
}

}  // namespace vapor
