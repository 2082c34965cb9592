#include "terminal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "vapor/core/text.h"

namespace vapor::command {
namespace {

// An environment variable that is present and not empty, else "".
std::string variable(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? "" : text;
}

std::string styled(std::string_view text, const char* style, Stream stream) {
  return is_terminal(stream) && variable("NO_COLOR").empty()
             ? fmt::format("\033[{}m{}\033[0m", style, text)
             : std::string(text);
}

// What the locale says about characters, by the variables that set it: LANG=C.UTF-8 is meant even
// where that locale is not installed.
bool is_utf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    std::string locale = variable(name);
    if (locale.empty()) continue;
    std::transform(locale.begin(), locale.end(), locale.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return locale.find("utf-8") != std::string::npos || locale.find("utf8") != std::string::npos;
  }
  return false;
}

// The digits of a whole number with commas, from five on.
std::string grouped(std::string text) {
  const std::size_t first = text[0] == '-' ? 1 : 0;
  if (text.size() - first < 5) return text;
  for (std::size_t at = text.size() - 3; at > first; at -= std::min<std::size_t>(at - first, 3))
    text.insert(at, ",");
  return text;
}

}  // namespace

bool is_terminal(Stream stream) {
  const std::string terminal = variable("TERM");
  return isatty(static_cast<int>(stream)) != 0 && !terminal.empty() && terminal != "dumb";
}

std::string bold(std::string_view text, Stream stream) { return styled(text, "1", stream); }
std::string dim(std::string_view text, Stream stream) { return styled(text, "2", stream); }
std::string red(std::string_view text, Stream stream) { return styled(text, "1;31", stream); }

void tell(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

void say(std::string_view message) {
  tell(fmt::format("{} {}\n", red("vapor:"), printable(message)));
}

void keep_standard_streams() {
  for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; ++descriptor)
    // The lowest number that is free is the one that open() takes.
    if (fcntl(descriptor, F_GETFD) < 0) open("/dev/null", O_RDWR);
}

std::string program() {
  const std::string called = variable("VAPOR_PROGRAM");
  return called.empty() ? "vapor" : called;
}

std::size_t display_width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U;  // not inside a code point
  }));
}

std::string_view plus_minus() { return is_utf8() ? "±" : "+-"; }

std::string duration(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.3g} us", 1e6 * seconds);
  if (seconds < 1.0) return fmt::format("{:.3g} ms", 1e3 * seconds);
  if (seconds < 100.0) return fmt::format("{:.3g} s", seconds);
  const auto whole_seconds = static_cast<std::int64_t>(std::min(std::round(seconds), 1e15));
  if (whole_seconds < 3600)
    return fmt::format("{} min {} s", whole_seconds / 60, whole_seconds % 60);
  return fmt::format("{} h {} min", whole(whole_seconds / 3600), whole_seconds % 3600 / 60);
}

std::string whole(std::int64_t number) { return grouped(std::to_string(number)); }

std::string number(double value) {
  const std::string text = number_text(value);
  return text.find_first_not_of("-0123456789") == std::string::npos ? grouped(text) : text;
}

std::string with_error(double mean, double error) {
  if (!(error > 0.0) || !std::isfinite(error)) return number(mean);
  const int places = -second_digit(error);
  const std::string_view sign = plus_minus();
  if (places > 6 || std::abs(mean) >= 1e9)
    return fmt::format("{} {} {:.2g}", number(mean), sign, error);
  if (places <= 0)
    return fmt::format("{} {} {}", whole(std::llround(mean)), sign, whole(std::llround(error)));
  return fmt::format("{:.{}f} {} {:.{}f}", mean, places, sign, error, places);
}

}  // namespace vapor::command
