#include "vapor/core/spec.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>
#include <vector>

namespace vapor {
namespace {

// Insertions, deletions and replacements that turn a into b.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, replaced}));
    }
  }
  return row.back();
}

std::string suggestion(std::string_view name, std::span<const std::string> names) {
  const std::string closest = closest_name(name, names);
  return closest.empty() ? "" : fmt::format(" (did you mean {}?)", closest);
}

template <typename T>
T parse(const Place& place, std::string_view text, const char* what) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    throw InputError(place, fmt::format("must be {}, got \"{}\"", what, text));
  return value;
}

}  // namespace

std::string closest_name(std::string_view name, std::span<const std::string> names) {
  std::string closest;
  std::size_t best = std::max<std::size_t>(2, name.size() / 3) + 1;
  for (const std::string& candidate : names) {
    const std::size_t distance = edit_distance(name, candidate);
    if (distance >= best) continue;
    best = distance;
    closest = candidate;
  }
  return closest;
}

InputError unknown_name(const Place& place, std::string_view name,
                        std::span<const std::string> names, std::string_view more) {
  return {place, fmt::format("must be one of {}{}, got \"{}\"{}", fmt::join(names, ", "), more,
                             name, suggestion(name, names))};
}

std::vector<std::string> split_specs(std::string_view text) {
  std::vector<std::string> specs;
  while (true) {
    const std::size_t comma = text.find(',');
    const std::string_view item = text.substr(0, comma);
    if (!specs.empty() && item.find('=') < item.find(':'))
      specs.back().append(",").append(item);
    else
      specs.emplace_back(item);
    if (comma == std::string_view::npos) return specs;
    text.remove_prefix(comma + 1);
  }
}

std::string folder_name(std::string spec) {
  for (char& c : spec)
    if (c == ':' || c == ',' || c == '/') c = '-';
  return spec;
}

std::int64_t parse_integer(const Place& place, std::string_view text) {
  return parse<std::int64_t>(place, text, "a whole number");
}

double parse_number(const Place& place, std::string_view text) {
  const double value = parse<double>(place, text, "a number");
  if (!std::isfinite(value))
    throw InputError(place, fmt::format("must be finite, got \"{}\"", text));
  return value;
}

Spec::Spec(Place place, std::string_view text) : place_(std::move(place)) {
  const std::size_t colon = text.find(':');
  name_ = text.substr(0, colon);
  if (name_.empty()) throw InputError(place_, fmt::format("has no name: \"{}\"", text));
  if (colon == std::string_view::npos) return;
  std::string_view rest = text.substr(colon + 1);
  while (true) {
    const std::size_t comma = rest.find(',');
    const std::string_view item = rest.substr(0, comma);
    const std::size_t equals = item.find('=');
    if (equals == 0 || equals == std::string_view::npos)
      throw InputError(place_, fmt::format("must be name:key=value,key=value, got \"{}\"", text));
    const std::string key(item.substr(0, equals));
    if (!values_.emplace(key, item.substr(equals + 1)).second)
      throw InputError(where(key), "is given twice");
    if (comma == std::string_view::npos) break;
    rest = rest.substr(comma + 1);
  }
}

const std::string* Spec::find(const std::string& key, const std::string& otherwise) {
  known_.emplace(key, otherwise);
  const auto found = values_.find(key);
  return found == values_.end() ? nullptr : &found->second;
}

std::int64_t Spec::integer(const std::string& key, std::int64_t otherwise, std::int64_t low,
                           std::int64_t high) {
  const std::string* text = find(key, fmt::format("{}", otherwise));
  if (text == nullptr) return otherwise;
  const std::int64_t value = parse_integer(where(key), *text);
  if (value < low || value > high)
    throw InputError(where(key), fmt::format("must be in {}..{}, got {}", low, high, value));
  return value;
}

double Spec::number(const std::string& key, double otherwise, double low, double high) {
  const std::string* text = find(key, fmt::format("{}", otherwise));
  if (text == nullptr) return otherwise;
  const double value = parse_number(where(key), *text);
  if (!(value >= low && value <= high))
    throw InputError(where(key), fmt::format("must be in [{}, {}], got {}", low, high, value));
  return value;
}

bool Spec::flag(const std::string& key, bool otherwise) {
  const std::string* text = find(key, fmt::format("{}", otherwise));
  if (text == nullptr) return otherwise;
  if (*text == "true") return true;
  if (*text == "false") return false;
  throw InputError(where(key), fmt::format("must be true or false, got \"{}\"", *text));
}

std::string Spec::text(const std::string& key, const std::string& otherwise) {
  const std::string* text = find(key, otherwise);
  return text == nullptr ? otherwise : *text;
}

std::string Spec::choice(const std::string& key, const std::string& otherwise,
                         std::span<const std::string> names) {
  const std::string* text = find(key, otherwise);
  if (text == nullptr) return otherwise;
  if (std::find(names.begin(), names.end(), *text) == names.end())
    throw unknown_name(where(key), *text, names);
  return *text;
}

void Spec::refuse_unknown_keys() const {
  std::vector<std::string> known;
  for (const auto& [key, otherwise] : known_) known.push_back(key);
  for (const auto& [key, value] : values_) {
    if (known_.contains(key)) continue;
    throw InputError(place_.within(name_),
                     known.empty() ? fmt::format("takes no settings, got {}", key)
                                   : fmt::format("has no setting {}{}; it has {}", key,
                                                 suggestion(key, known), fmt::join(known, ", ")));
  }
}

}  // namespace vapor
