// Bad input: the only exception that a user's data can cause. It names the place and what is wrong
// there, e.g. "layers[3].sigma[2][0]: must be >= 0, got -1".
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#include "vapor/core/text.h"

namespace vapor {

// Where something is wrong: in a file, in an array, or in a setting that was asked for.
class Place {
 public:
  // Not explicit: a place is its text.
  Place(const char* text) : text_(text) {}
  Place(std::string text) : text_(std::move(text)) {}
  operator const std::string&() const { return text_; }

  const std::string& text() const { return text_; }

  // The name of the setting, e.g. "env", or "" if this is the place of something else. The library
  // calls a setting by its name; whoever asked people for it says it as they wrote it: --env.
  const std::string& setting() const { return setting_; }

  // What stands there in place of this name, e.g. "--env deep_sea:depth".
  std::string with_setting_as(const std::string& words) const {
    return words + text_.substr(setting_.size());
  }

  // A place within this one: "env deep_sea:depth" is within "env".
  Place within(const std::string& rest) const {
    Place place(text_ + " " + rest);
    place.setting_ = setting_;
    return place;
  }

  friend Place setting(const std::string& name);

 private:
  std::string text_;
  std::string setting_;
};

inline Place setting(const std::string& name) {
  Place place(name);
  place.setting_ = name;
  return place;
}

// what() is one line that can be shown: names of files may hold anything (text.h, printable).
class InputError : public std::runtime_error {
 public:
  InputError(Place place, const std::string& problem)
      : std::runtime_error(
            printable(place.text().empty() ? problem : place.text() + ": " + problem)),
        place_(std::move(place)),
        problem_(problem) {}

  const std::string& place() const { return place_.text(); }
  const Place& where() const { return place_; }
  const std::string& problem() const { return problem_; }

 private:
  Place place_;
  std::string problem_;
};

}  // namespace vapor
