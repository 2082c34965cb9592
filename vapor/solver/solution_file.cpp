#include "vapor/solver/solution_file.h"

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <span>

#include "vapor/core/error.h"
#include "vapor/core/output_file.h"
#include "vapor/core/regular_file.h"

namespace vapor {
namespace {

std::string number(double x) { return std::isfinite(x) ? fmt::format("{}", x) : "null"; }

// [ write(first), ..., write(last - 1) ]
std::string list(Range range, const char* separator,
                 const std::function<std::string(Index)>& item) {
  std::string text = "[";
  for (Index i : range) text += (i == range.first() ? "" : separator) + item(i);
  return text + "]";
}

std::string by_state(const Shape& shape, std::span<const double> table) {
  return list(Range(0, shape.layers()), ",\n    ", [&](Index l) {
    return list(shape.states_of(l), ", ", [&](Index s) { return number(table[s]); });
  });
}

std::string by_pair(const Shape& shape, std::span<const double> table) {
  return list(Range(0, shape.layers()), ",\n    ", [&](Index l) {
    return list(shape.states_of(l), ", ", [&](Index s) {
      return list(shape.pairs_of(s), ", ", [&](Index p) { return number(table[p]); });
    });
  });
}

void check_list(const nlohmann::json& value, Index size, const std::string& place) {
  if (!value.is_array()) throw InputError(place, "must be a list");
  if (value.size() != static_cast<std::size_t>(size))
    throw InputError(place, fmt::format("must have {} entries, got {}", size, value.size()));
}

// A solution file is as large as its problem; anything much larger is not one.
nlohmann::json parse_bounded(const std::string& path, const Shape& shape) {
  const double largest = 1e6 + 400.0 * shape.pairs();
  const std::optional<std::string> text = read_whole_file(path, static_cast<std::int64_t>(largest));
  if (!text) throw InputError(path, "there is no such file");
  // The parser takes a zero byte for the end of its text.
  if (text->find('\0') != std::string::npos)
    throw InputError(path, "is not a solution file (it holds a zero byte)");
  // Five levels are all that a solution has: the tables are lists of lists of lists.
  constexpr int kDeepest = 6;
  bool too_deep = false;
  const auto shallow = [&](int depth, nlohmann::json::parse_event_t, nlohmann::json&) {
    too_deep = too_deep || depth > kDeepest;
    return !too_deep;
  };
  nlohmann::json file = nlohmann::json::parse(*text, shallow, /*allow_exceptions=*/false);
  if (too_deep) throw InputError(path, "is not a solution file (its lists are nested too deeply)");
  if (file.is_discarded() || !file.is_object())
    throw InputError(path, "is not a solution file (no JSON object)");
  return file;
}

std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// What a problem with constraints has beside the certificate of one without.
std::string constraints_json(const Solution& solution) {
  if (solution.constraints.empty()) return "";
  std::string text = fmt::format(", \"constraint_residual\": {}, \"constraints\": [",
                                 number(solution.constraint_residual));
  for (const ConstraintUse& c : solution.constraints)
    text += fmt::format(
        "{}{{\"name\": {}, \"sense\": \"{}\", \"bound\": {}, \"used\": {}, \"price\": {}}}",
        &c == solution.constraints.data() ? "" : ", ", quoted(c.name), symbol_of(c.sense),
        number(c.bound), number(c.used), number(c.price));
  text += ']';
  if (solution.status == Status::kInfeasible)
    text += fmt::format(", \"infeasibility\": {}", number(solution.infeasibility));
  return text;
}

// Of a stationary problem: its discount and what the value is as a discounted sum.
std::string discount_json(const Solution& solution) {
  if (!solution.discount) return "";
  return fmt::format(", \"discount\": {}, \"discounted_return\": {}", number(*solution.discount),
                     number(solution.discounted_return()));
}

}  // namespace

std::string certificate_json(const Solution& solution, Method method) {
  // Nothing is feasible, so nothing has a value.
  const bool none = solution.status == Status::kInfeasible;
  const double gap = none ? -std::numeric_limits<double>::infinity() : solution.gap;
  const double relative_gap = none ? gap : solution.relative_gap();
  return fmt::format(
      "\"status\": \"{}\", \"method\": \"{}\", \"value\": {}, \"upper_bound\": {}, \"gap\": {}, "
      "\"relative_gap\": {}, \"flow_residual\": {}, \"dual_residual\": {}, \"iterations\": {}, "
      "\"linear_iterations\": {}, \"seconds\": {}{}{}",
      name_of(solution.status), name_of(method), number(solution.value),
      number(solution.upper_bound()), number(gap), number(relative_gap),
      number(solution.flow_residual), number(solution.dual_residual), solution.iterations,
      solution.linear_iterations, number(solution.seconds), discount_json(solution),
      constraints_json(solution));
}

void write_solution_file(const std::string& path, const Shape& shape, const Solution& solution,
                         Method method) {
  write_file(path, [&](std::ostream& out) {
    out << "{ \"format\": \"vapor-solution\", \"version\": 1,\n  "
        << certificate_json(solution, method);
    out << ",\n  \"occupancy\": " << by_pair(shape, solution.occupancy);
    out << ",\n  \"policy\": " << by_pair(shape, solution.policy);
    out << ",\n  \"temperature\": " << by_pair(shape, solution.temperature);
    out << ",\n  \"values\": " << by_state(shape, solution.values) << " }\n";
  });
}

std::vector<double> read_policy(const std::string& path, const Shape& shape) {
  const nlohmann::json file = parse_bounded(path, shape);
  if (file.value("format", nlohmann::json()) != "vapor-solution")
    throw InputError(path + ": format", "must be \"vapor-solution\"");
  if (file.value("version", nlohmann::json()) != 1)
    throw InputError(path + ": version", "must be 1: the file is of another version of vapor");
  if (!file.contains("policy")) throw InputError(path + ": policy", "is missing");
  std::vector<double> policy;
  policy.reserve(shape.pairs());
  const nlohmann::json& layers = file["policy"];
  check_list(layers, shape.layers(), path + ": policy");
  for (Index l = 0; l < shape.layers(); ++l) {
    const Range states = shape.states_of(l);
    const std::string layer = fmt::format("{}: policy[{}]", path, l);
    check_list(layers[l], states.size(), layer);
    for (Index s : states) {
      const Range pairs = shape.pairs_of(s);
      const Index i = s - states.first();
      const std::string place = fmt::format("{}[{}]", layer, i);
      check_list(layers[l][i], pairs.size(), place);
      for (const nlohmann::json& x : layers[l][i]) {
        if (!x.is_number()) throw InputError(place, "must be a list of numbers");
        policy.push_back(x.get<double>());
      }
    }
  }
  return policy;
}

}  // namespace vapor
