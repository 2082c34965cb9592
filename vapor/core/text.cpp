#include "vapor/core/text.h"

#include <fmt/format.h>

#include <cmath>

namespace vapor {
namespace {

// How many bytes at the front are a character of UTF-8; 0: they are none. Overlong forms,
// surrogates and what lies beyond U+10FFFF are none.
std::size_t character_at(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t size = first < 0xc2   ? 0
                           : first < 0xe0 ? 2
                           : first < 0xf0 ? 3
                           : first < 0xf5 ? 4
                                          : 0;
  if (size == 0 || size > text.size()) return 0;
  for (std::size_t i = 1; i < size; ++i)
    if ((byte(i) & 0xc0U) != 0x80U) return 0;
  const bool overlong = (first == 0xe0 && byte(1) < 0xa0) || (first == 0xf0 && byte(1) < 0x90);
  const bool beyond = (first == 0xed && byte(1) > 0x9f) || (first == 0xf4 && byte(1) > 0x8f);
  return overlong || beyond ? 0 : size;
}

bool is_control(std::string_view character) {
  const auto first = static_cast<unsigned char>(character[0]);
  if (character.size() == 1) return first < 0x20 || first == 0x7f;
  return first == 0xc2 && static_cast<unsigned char>(character[1]) < 0xa0;  // C1
}

}  // namespace

std::string printable(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t size = character_at(text);
    const std::string_view character = text.substr(0, size == 0 ? 1 : size);
    text.remove_prefix(character.size());
    if (size > 0 && !is_control(character))
      result += character;
    else if (character == "\n")
      result += "\\n";
    else if (character == "\t")
      result += "\\t";
    else if (character == "\r")
      result += "\\r";
    else
      for (const char c : character)
        result += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  }
  return result;
}

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
