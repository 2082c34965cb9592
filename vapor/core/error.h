// Bad input: the only exception that a user's data can cause. It names the place and what is wrong
// there, e.g. "layers[3].sigma[2][0]: must be >= 0, got -1".
#pragma once

#include <stdexcept>
#include <string>

namespace vapor {

class InputError : public std::runtime_error {
 public:
  InputError(const std::string& place, const std::string& problem)
      : std::runtime_error(place.empty() ? problem : place + ": " + problem), place_(place) {}

  const std::string& place() const { return place_; }

 private:
  std::string place_;
};

}  // namespace vapor
