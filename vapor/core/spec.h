// "name:key=value,key=value": how environments, agents and beliefs are written on the command line
// and in records, e.g. deep_sea:depth=30,stochastic=true.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vapor/core/error.h"

namespace vapor {

// What a spec can name, and how it is told to people.
struct SpecKind {
  std::string name;      // deep_sea
  std::string settings;  // "depth=10, stochastic=false": every setting with its default
  std::string summary;   // one line
};

// The name among `names` that is closest to a mistyped `name`, or "" if none is close.
std::string closest_name(std::string_view name, std::span<const std::string> names);

// The error about a name that is not one of `names`: it lists them and suggests the closest. `more`
// is what else is allowed, e.g. " or the spec of a belief".
InputError unknown_name(const Place& place, std::string_view name,
                        std::span<const std::string> names, std::string_view more = "");

// A spec as part of a path: deep_sea:depth=30,stochastic=true -> deep_sea-depth=30-stochastic=true.
std::string folder_name(std::string spec);

// "vapor-lite:c=2,schedule=false,thompson" -> two specs: a comma that is followed by key=value
// belongs to the settings of the spec before it.
std::vector<std::string> split_specs(std::string_view text);

// One whole number or one finite number, nothing after it; throws InputError that names `place`.
std::int64_t parse_integer(const Place& place, std::string_view text);
double parse_number(const Place& place, std::string_view text);

class Spec {
 public:
  // Throws InputError that names `place`, e.g. setting("env"), on anything but the form above.
  Spec(Place place, std::string_view text);

  const std::string& name() const { return name_; }
  const Place& place() const { return place_; }
  // How errors name a key, e.g. "env deep_sea:depth".
  Place where(const std::string& key) const { return place_.within(name_ + ":" + key); }
  bool has(const std::string& key) const { return values_.contains(key); }
  const std::map<std::string, std::string>& values() const { return values_; }  // as they are given

  // The value of a key, or the default; throws InputError that names place and key unless it is of
  // the type and within the limits. Each call makes its key known.
  std::int64_t integer(const std::string& key, std::int64_t otherwise, std::int64_t low,
                       std::int64_t high);
  double number(const std::string& key, double otherwise, double low, double high);
  bool flag(const std::string& key, bool otherwise);
  std::string text(const std::string& key, const std::string& otherwise);
  std::string choice(const std::string& key, const std::string& otherwise,
                     std::span<const std::string> names);

  // What the calls above have asked for: each key with its default as it would be written.
  const std::map<std::string, std::string>& defaults() const { return known_; }

  // Throws InputError if a key was given that no call above has made known.
  void refuse_unknown_keys() const;

 private:
  const std::string* find(const std::string& key, const std::string& otherwise);

  Place place_;
  std::string name_;
  std::map<std::string, std::string> values_;
  std::map<std::string, std::string> known_;
};

}  // namespace vapor
