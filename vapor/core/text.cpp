#include "vapor/core/text.h"

#include <fmt/format.h>

#include <cmath>

namespace vapor {

std::string shell_word(std::string_view text) {
  constexpr std::string_view kSafe =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./@%";
  if (!text.empty() && text.find_first_not_of(kSafe) == std::string_view::npos)
    return std::string(text);
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string number_text(double value) {
  const double size = std::abs(value);
  const bool in_full = size < 1e9 && (size >= 1e4 || value == std::round(value));
  return in_full ? fmt::format("{:.0f}", value) : fmt::format("{:.4g}", value);
}

int second_digit(double error) {
  const double rounded = std::stod(fmt::format("{:.1e}", error));
  return static_cast<int>(std::floor(std::log10(rounded))) - 1;
}

}  // namespace vapor
