#include "vapor/record/snapshot_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "vapor/core/error.h"
#include "vapor/record/file.h"
#include "vapor/record/json_text.h"

namespace vapor {
namespace {

using json = nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr int kSnapshotVersion = 1;
constexpr std::int64_t kLargestSnapshot = std::int64_t{1} << 31;  // bytes
constexpr Index kMostRows = 1'000'000;                            // of a drawing, and columns

std::string snapshot_folder(const std::string& run) { return run + "/snapshots"; }

// A file, or a part of one. The place in it is put together only if something is wrong there: a
// part knows the part it belongs to, which must outlive it.
class Part {
 public:
  Part(const std::string& file, const json& value) : file_(file), value_(value) {}

  const json& value() const { return value_; }
  std::size_t size() const { return value_.size(); }
  bool has(const char* key) const { return value_.contains(key); }

  Part member(const char* key) const {
    if (!has(key)) refuse(fmt::format("{}: is missing", key));
    Part part(file_, value_[key]);
    part.whole_ = this;
    part.key_ = key;
    return part;
  }

  Part item(std::size_t i) const {
    Part part(file_, value_[i]);
    part.whole_ = this;
    part.index_ = i;
    return part;
  }

  [[noreturn]] void refuse(const std::string& problem) const {
    const std::string where = place();
    throw InputError(file_, where.empty() ? problem : where + ": " + problem);
  }

  void expect_list() const {
    if (!value_.is_array()) refuse(fmt::format("must be a list, got {}", value_.type_name()));
  }
  void expect_list_of(Index count, const char* what) const {
    expect_list();
    if (size() != static_cast<std::size_t>(count))
      refuse(fmt::format("must have {} {}, has {}", count, what, size()));
  }

  Index index(Index low, Index high) const {
    if (!value_.is_number_integer() || value_.get<double>() < low || value_.get<double>() > high)
      refuse(fmt::format("must be a whole number from {} to {}, got {}", low, high, value_.dump()));
    return value_.get<Index>();
  }

 private:
  std::string place() const {
    if (whole_ == nullptr) return "";
    if (key_ != nullptr) return whole_->place() + key_;
    return fmt::format("{}[{}]", whole_->place(), index_);
  }

  const std::string& file_;
  const json& value_;
  const Part* whole_ = nullptr;
  const char* key_ = nullptr;
  std::size_t index_ = 0;
};

// Calls take(part, state, layer) for every state of a table of layers x states, in order.
template <typename Take>
void for_each_state(const Part& table, const Drawing& drawing, const Take& take) {
  const auto layers = static_cast<Index>(drawing.layer_states.size());
  table.expect_list_of(layers, "layers");
  Index state = 0;
  for (Index l = 0; l < layers; ++l) {
    const Part layer = table.item(l);
    layer.expect_list_of(drawing.layer_states[l], "states");
    for (std::size_t s = 0; s < layer.size(); ++s) take(layer.item(s), state++, l);
  }
}

// Calls take(part, layer) for every pair of a table of layers x states x actions, in order.
template <typename Take>
void for_each_pair(const Part& table, const Drawing& drawing, const Take& take) {
  for_each_state(table, drawing, [&](const Part& state, Index s, Index layer) {
    state.expect_list_of(drawing.actions[s], "actions");
    for (std::size_t a = 0; a < state.size(); ++a) take(state.item(a), layer);
  });
}

void read_cells(const Part& cells, Drawing& drawing) {
  cells.expect_list();
  if (cells.size() == 0) cells.refuse("must have a layer");
  for (std::size_t l = 0; l < cells.size(); ++l) {
    const Part layer = cells.item(l);
    layer.expect_list();
    drawing.layer_states.push_back(static_cast<Index>(layer.size()));
    for (std::size_t s = 0; s < layer.size(); ++s) {
      const Part cell = layer.item(s);
      cell.expect_list_of(2, "numbers");
      drawing.row.push_back(cell.item(0).index(0, drawing.rows - 1));
      drawing.column.push_back(cell.item(1).index(0, drawing.columns - 1));
    }
  }
}

void read_goals(const Part& goals, Drawing& drawing) {
  for_each_state(goals, drawing, [&](const Part& state, Index, Index) {
    state.expect_list();
    drawing.actions.push_back(static_cast<Index>(state.size()));
    for (std::size_t a = 0; a < state.size(); ++a)
      drawing.goal.push_back(state.item(a).index(0, 1) == 1 ? 1 : 0);
  });
}

void read_next(const Part& table, Drawing& drawing) {
  std::vector<Index> first_state = {0};  // by layer
  for (Index states : drawing.layer_states) first_state.push_back(first_state.back() + states);
  const auto last = static_cast<Index>(drawing.layer_states.size()) - 1;
  for_each_pair(table, drawing, [&](const Part& next, Index layer) {
    drawing.next.push_back(layer == last ? -1
                                         : first_state[layer + 1] +
                                               next.index(0, drawing.layer_states[layer + 1] - 1));
  });
}

struct Limits {
  double low = std::numeric_limits<double>::lowest();
  double high = std::numeric_limits<double>::max();
};

double number_of(const Part& part, const Limits& limits) {
  if (part.value().is_null()) return std::numeric_limits<double>::quiet_NaN();
  if (!part.value().is_number())
    part.refuse(fmt::format("must be a number or null, got {}", part.value().type_name()));
  const double value = part.value().get<double>();
  if (value < limits.low) part.refuse(fmt::format("must be >= {}, got {}", limits.low, value));
  if (value > limits.high) part.refuse(fmt::format("must be <= {}, got {}", limits.high, value));
  return value;
}

std::vector<double> read_pairs(const Part& table, const Drawing& drawing, const Limits& limits) {
  std::vector<double> values;
  values.reserve(drawing.pairs());
  for_each_pair(table, drawing,
                [&](const Part& part, Index) { values.push_back(number_of(part, limits)); });
  return values;
}

std::vector<double> read_states(const Part& table, const Drawing& drawing) {
  std::vector<double> values;
  values.reserve(drawing.states());
  for_each_state(table, drawing,
                 [&](const Part& part, Index, Index) { values.push_back(number_of(part, {})); });
  return values;
}

std::string text_of(const Part& part) {
  if (!part.value().is_string())
    part.refuse(fmt::format("must be text, got {}", part.value().type_name()));
  return part.value().get<std::string>();
}

std::vector<SnapshotConstraint> read_constraints(const Part& list) {
  list.expect_list();
  std::vector<SnapshotConstraint> constraints;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Part part = list.item(i);
    constraints.push_back({.name = text_of(part.member("name")),
                           .sense = text_of(part.member("sense")),
                           .bound = number_of(part.member("bound"), {}),
                           .used = number_of(part.member("used"), {}),
                           .price = number_of(part.member("price"), {})});
  }
  return constraints;
}

SnapshotProgram program_of(const Part& file) {
  if (!file.has("program")) return SnapshotProgram::kUnknown;
  const Part program = file.member("program");
  if (program.value().is_null()) return SnapshotProgram::kNone;
  if (program.value() == "vapor") return SnapshotProgram::kVapor;
  if (program.value() == "weighted_entropy") return SnapshotProgram::kWeightedEntropy;
  program.refuse("must be vapor, weighted_entropy or null, got " + program.value().dump());
}

}  // namespace

Drawing read_drawing(const std::string& run_folder) {
  const std::string path = snapshot_folder(run_folder) + "/drawing.json";
  const std::optional<std::string> text = read_whole_file(path, kLargestSnapshot);
  if (!text) throw InputError(path, "is missing");
  const json value = parse_json(path, *text);
  const Part file(path, value);
  expect_format(path, value, "vapor-drawing", kSnapshotVersion);
  Drawing drawing;
  drawing.rows = file.member("rows").index(1, kMostRows);
  drawing.columns = file.member("columns").index(1, kMostRows);
  read_cells(file.member("cells"), drawing);
  read_goals(file.member("goals"), drawing);
  if (file.has("next")) read_next(file.member("next"), drawing);
  if (file.has("action_names")) {
    const Part names = file.member("action_names");
    names.expect_list();
    for (std::size_t i = 0; i < names.size(); ++i) {
      const Part name = names.item(i);
      if (!name.value().is_string())
        name.refuse(fmt::format("must be a string, got {}", name.value().type_name()));
      drawing.action_names.push_back(name.value().get<std::string>());
    }
  }
  return drawing;
}

std::string snapshot_name(std::int64_t episodes) {
  return fmt::format("snapshots/{:09}.json", episodes);
}

std::vector<std::int64_t> snapshot_episodes(const std::string& run_folder) {
  std::vector<std::int64_t> episodes;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(snapshot_folder(run_folder), error)) {
    const std::string stem = entry.path().stem();
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    if (entry.path().extension() == ".json" && !stem.empty() && stem.size() <= 18 &&
        std::ranges::all_of(stem, is_digit))
      episodes.push_back(std::stoll(stem));
  }
  std::ranges::sort(episodes);
  return episodes;
}

Snapshot read_snapshot(const std::string& run_folder, std::int64_t episodes,
                       const Drawing& drawing) {
  const std::string path = run_folder + "/" + snapshot_name(episodes);
  const std::optional<std::string> text = read_whole_file(path, kLargestSnapshot);
  if (!text) throw InputError(path, "is missing");
  const json value = parse_json(path, *text);
  const Part file(path, value);
  expect_format(path, value, "vapor-snapshot", kSnapshotVersion);
  Snapshot snapshot;
  snapshot.episodes = episodes;
  if (const Part there = file.member("episodes"); there.value() != episodes)
    there.refuse(fmt::format("must be {}, got {}", episodes, there.value().dump()));
  snapshot.program = program_of(file);
  const auto pairs = [&](const char* key, const Limits& limits = {}) {
    return read_pairs(file.member(key), drawing, limits);
  };
  const auto is_there = [&](const char* key) { return !file.member(key).value().is_null(); };
  const Limits probability{0.0, 1.0 + 1e-9};
  const Limits not_negative{.low = 0.0};
  snapshot.policy = pairs("policy", probability);
  snapshot.lambda = pairs("lambda", probability);
  snapshot.reward_mean = pairs("reward_mean");
  snapshot.sigma_hat = pairs("sigma_hat", not_negative);
  snapshot.counts = pairs("counts", not_negative);
  if (is_there("tau")) snapshot.tau = pairs("tau", not_negative);
  if (is_there("V")) snapshot.V = read_states(file.member("V"), drawing);
  const bool solved = snapshot.program == SnapshotProgram::kVapor ||
                      snapshot.program == SnapshotProgram::kWeightedEntropy;
  if (solved && (snapshot.tau.empty() || snapshot.V.empty()))
    file.member("program").refuse("is given, so tau and V must not be null");
  if (file.has("next_value") && is_there("next_value")) snapshot.next_value = pairs("next_value");
  if (file.has("constraints")) snapshot.constraints = read_constraints(file.member("constraints"));
  if (file.has("charge")) snapshot.charge = pairs("charge");
  return snapshot;
}

}  // namespace vapor
