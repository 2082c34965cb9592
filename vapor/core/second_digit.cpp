#include "vapor/core/second_digit.h"

#include <fmt/format.h>

#include <cmath>
#include <string>

namespace vapor {

int second_digit(double error) {
  const double rounded = std::stod(fmt::format("{:.1e}", error));
  return static_cast<int>(std::floor(std::log10(rounded))) - 1;
}

}  // namespace vapor
