#include "vapor/run/sweep_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <utility>

// In this file alone, so that nobody who links the library needs it.
#define TOML_HEADER_ONLY 1
#include <toml++/toml.h>

#include "vapor/core/error.h"
#include "vapor/core/random.h"
#include "vapor/core/regular_file.h"
#include "vapor/core/spec.h"
#include "vapor/core/text.h"

namespace vapor {
namespace {

using Names = std::vector<std::string>;

constexpr std::int64_t kLargestFile = 1 << 20;  // bytes
constexpr std::int64_t kMostEpisodes = 1'000'000'000;
constexpr std::int64_t kMostFrames = 1'000'000'000'000;

Names keys_of(RunKind kind) {
  Names keys = {"kind", "name",     "envs", "agents",           "seeds",
                "vary", "episodes", "stop", "stop_when_solved", "checkpoint_every"};
  if (kind == RunKind::kTable)
    keys.insert(keys.end(), {"beliefs", "snapshot_every"});
  else
    keys.insert(keys.end(), {"frames", "places", "actors", "clip_rewards", "checkpoint_frames"});
  return keys;
}

// A value of the file with its place. Every question that it does not answer is an InputError.
class Value {
 public:
  Value(const toml::node& node, const std::string& file, std::string key)
      : node_(node), file_(file), key_(std::move(key)) {}

  std::string place() const {
    const std::string line = fmt::format("{}:{}", file_, node_.source().begin.line);
    return key_.empty() ? line : line + ": " + key_;
  }

  [[noreturn]] void refuse(const std::string& wanted) const {
    throw InputError(place(), fmt::format("must be {}, got {}", wanted, kind()));
  }

  std::string text() const {
    if (!node_.is_string()) refuse("text in quotes");
    return node_.as_string()->get();
  }

  std::int64_t whole(std::int64_t low, std::int64_t high) const {
    const std::string wanted = fmt::format("a whole number in {}..{}", low, high);
    if (!node_.is_integer()) refuse(wanted);
    const std::int64_t value = node_.as_integer()->get();
    if (value < low || value > high)
      throw InputError(place(), fmt::format("must be {}, got {}", wanted, value));
    return value;
  }

  bool flag() const {
    if (!node_.is_boolean()) refuse("true or false");
    return node_.as_boolean()->get();
  }

  std::string choice(const Names& names) const {
    const std::string name = text();
    if (std::ranges::find(names, name) == names.end()) throw unknown_name(place(), name, names);
    return name;
  }

  bool is_list() const { return node_.is_array(); }
  bool is_table() const { return node_.is_table(); }

  // The elements of a list, or the value itself; never none of them.
  std::vector<Value> elements() const {
    if (!is_list()) return {*this};
    std::vector<Value> all;
    for (const toml::node& element : *node_.as_array())
      all.emplace_back(element, file_, fmt::format("{}[{}]", key_, all.size()));
    if (all.empty()) throw InputError(place(), "must not be empty");
    return all;
  }

  // The values of a table by name, in the order of their names.
  std::map<std::string, Value> members() const {
    if (!is_table()) refuse("a table");
    std::map<std::string, Value> all;
    for (const auto& [key, node] : *node_.as_table())
      all.emplace(std::string(key.str()), Value(node, file_, key_of(std::string(key.str()))));
    return all;
  }

  // A value as it stands in a spec, e.g. 0.5 or true.
  std::string written() const {
    if (node_.is_string()) return node_.as_string()->get();
    if (node_.is_integer()) return fmt::format("{}", node_.as_integer()->get());
    if (node_.is_floating_point()) return fmt::format("{}", node_.as_floating_point()->get());
    if (node_.is_boolean()) return flag() ? "true" : "false";
    refuse("text, a number, true or false");
  }

 private:
  std::string key_of(const std::string& member) const {
    return key_.empty() ? member : fmt::format("{}.{}", key_, member);
  }

  std::string kind() const {
    switch (node_.type()) {
      case toml::node_type::table:
        return "a table";
      case toml::node_type::array:
        return "a list";
      case toml::node_type::string:
        return "text";
      case toml::node_type::integer:
        return "a whole number";
      case toml::node_type::floating_point:
        return "a number with a point";
      case toml::node_type::boolean:
        return node_.as_boolean()->get() ? "true" : "false";
      default:
        return "a date or time";
    }
  }

  const toml::node& node_;
  std::string file_;
  std::string key_;
};

using Members = std::map<std::string, Value>;

void refuse_unknown(const Members& members, const Names& known) {
  for (const auto& [key, value] : members) {
    if (std::ranges::find(known, key) != known.end()) continue;
    const std::string closest = closest_name(key, known);
    throw InputError(value.place(),
                     fmt::format("is no key of this table{}; it takes {}",
                                 closest.empty() ? "" : fmt::format(" (did you mean {}?)", closest),
                                 fmt::join(known, ", ")));
  }
}

std::vector<PlacedText> placed_texts(const Value& value) {
  std::vector<PlacedText> texts;
  for (const Value& element : value.elements()) {
    texts.push_back({element.text(), element.place()});
    if (texts.back().text.empty()) throw InputError(element.place(), "must not be empty");
  }
  return texts;
}

std::vector<std::uint64_t> counted_seeds(std::int64_t first, std::int64_t count) {
  std::vector<std::uint64_t> seeds;
  for (std::int64_t k = 0; k < count; ++k) seeds.push_back(static_cast<std::uint64_t>(first + k));
  return seeds;
}

// 10, [1, 2, 3] or {first = 101, count = 10}.
std::vector<std::uint64_t> seeds_of(const Value& value) {
  if (value.is_table()) {
    const Members members = value.members();
    refuse_unknown(members, {"first", "count"});
    if (!members.contains("count")) throw InputError(value.place(), "count is missing");
    const auto first = members.find("first");
    const std::int64_t from = first == members.end() ? 1 : first->second.whole(0, kLastSeed);
    const std::int64_t count = members.at("count").whole(1, kMostCells);
    expect_seeds(value.place(), from, count);
    return counted_seeds(from, count);
  }
  if (!value.is_list()) return counted_seeds(1, value.whole(1, kMostCells));
  std::set<std::int64_t> seen;
  std::vector<std::uint64_t> seeds;
  for (const Value& element : value.elements()) {
    const std::int64_t seed = element.whole(0, kLastSeed);
    if (!seen.insert(seed).second)
      throw InputError(element.place(), fmt::format("seed {} is given twice", seed));
    seeds.push_back(static_cast<std::uint64_t>(seed));
  }
  return seeds;
}

void read_vary(const Value& value, SweepTable& table) {
  for (const auto& [name, values] : value.members()) {
    table.vary_places[name] = values.place();
    std::set<std::string> seen;
    for (const Value& element : values.elements()) {
      const std::string text = element.written();
      if (!seen.insert(text).second)
        throw InputError(element.place(), fmt::format("{} is given twice", text));
      table.vary[name].push_back(text);
    }
  }
}

std::string stop_rule_in(const Value& value) {
  const std::string name = value.text();
  try {
    stop_rule_of(name);
  } catch (const InputError& error) {
    throw InputError(value.place(), error.problem());
  }
  return name;
}

std::string folder_of(const Value& value) {
  std::string name = value.text();
  if (name.empty() || name.find('/') != std::string::npos || name.front() == '.' ||
      printable(name) != name)
    throw InputError(value.place(),
                     "must be the name of a folder, without /, control characters and no . in "
                     "front");
  return name;
}

SweepTable read_table(const Value& value) {
  const Members members = value.members();
  SweepTable table;
  table.place = value.place();
  RunRequest& r = table.request;
  if (const auto kind = members.find("kind"); kind != members.end())
    r.kind = kind->second.choice({"run", "train"}) == "run" ? RunKind::kTable : RunKind::kNetwork;
  refuse_unknown(members, keys_of(r.kind));
  for (const char* key : {"envs", "agents"})
    if (!members.contains(key)) throw InputError(value.place(), fmt::format("{} is missing", key));
  for (const auto& [key, v] : members) {
    table.key_places[key] = v.place();
    if (key == "name") table.name = folder_of(v);
    if (key == "envs") table.envs = placed_texts(v);
    if (key == "agents") table.agents = placed_texts(v);
    if (key == "beliefs") table.beliefs = placed_texts(v);
    if (key == "seeds") table.seeds = seeds_of(v);
    if (key == "vary") read_vary(v, table);
    if (key == "episodes") r.episodes = v.whole(1, kMostEpisodes);
    if (key == "frames") r.frames = v.whole(1, kMostFrames);
    if (key == "stop") r.stop = stop_rule_in(v);
    if (key == "stop_when_solved" && v.flag()) r.stop = "solved";
    if (key == "checkpoint_every") r.checkpoint_every = v.whole(0, kMostEpisodes);
    if (key == "snapshot_every") r.snapshot_every = v.whole(0, kMostEpisodes);
    if (key == "places") r.places = static_cast<Index>(v.whole(1, 1024));
    if (key == "actors") r.actors = static_cast<Index>(v.whole(0, 256));
    if (key == "clip_rewards") r.clip_rewards = v.flag();
    if (key == "checkpoint_frames") r.checkpoint_frames = v.whole(1, kMostFrames);
  }
  if (table.beliefs.empty()) table.beliefs = {{"", table.place}};
  return table;
}

toml::table parse(const std::string& text, const std::string& path) {
  try {
    return toml::parse(text, path);
  } catch (const toml::parse_error& error) {
    const toml::source_position& at = error.source().begin;
    throw InputError(fmt::format("{}:{}:{}", path, at.line, at.column),
                     fmt::format("is not TOML: {}", error.description()));
  }
}

}  // namespace

std::vector<SweepTable> read_sweep_file(const std::string& path) {
  const std::optional<std::string> text = read_whole_file(path, kLargestFile);
  if (!text) throw InputError(path, "there is no such file");
  return parse_sweep(*text, path);
}

std::vector<SweepTable> parse_sweep(const std::string& text, const std::string& path) {
  const toml::table root = parse(text, path);
  const toml::node* tables = root.get("sweep");
  if (tables == nullptr) return {read_table(Value(root, path, ""))};
  const Value list(*tables, path, "sweep");
  if (!tables->is_array_of_tables()) list.refuse("tables, each under [[sweep]]");
  for (const auto& [key, node] : root)
    if (key != "sweep")
      throw InputError(
          Value(node, path, std::string(key.str())).place(),
          "stands outside the [[sweep]] tables; put it into each that it is meant for");
  std::vector<SweepTable> all;
  for (const toml::node& table : *tables->as_array())
    all.push_back(read_table(Value(table, path, "")));
  return all;
}

}  // namespace vapor
