#include "terminal.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace vapor::command {
namespace {

std::string styled(std::string_view text, const char* style) {
  static const bool colour = isatty(STDOUT_FILENO) && std::getenv("NO_COLOR") == nullptr;
  return colour ? fmt::format("\033[{}m{}\033[0m", style, text) : std::string(text);
}

}  // namespace

std::string bold(std::string_view text) { return styled(text, "1"); }
std::string dim(std::string_view text) { return styled(text, "2"); }

std::string duration(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.3g} us", 1e6 * seconds);
  if (seconds < 1.0) return fmt::format("{:.3g} ms", 1e3 * seconds);
  if (seconds < 100.0) return fmt::format("{:.3g} s", seconds);
  return fmt::format("{:.0f} min {:.0f} s", std::floor(seconds / 60.0),
                     seconds - 60.0 * std::floor(seconds / 60.0));
}

void print_table(const std::vector<std::vector<std::string>>& rows, std::size_t right_from) {
  std::vector<std::size_t> width;
  for (const auto& row : rows)
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (width.size() <= c) width.push_back(0);
      width[c] = std::max(width[c], row[c].size());
    }
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::string line;
    for (std::size_t c = 0; c < rows[r].size(); ++c) {
      if (c > 0) line += "  ";
      line += c < right_from ? fmt::format("{:<{}}", rows[r][c], width[c])
                             : fmt::format("{:>{}}", rows[r][c], width[c]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    fmt::print("  {}\n", r == 0 ? bold(line) : line);
  }
}

ProgressLine::ProgressLine(bool enabled)
    : enabled_(enabled),
      terminal_(isatty(STDERR_FILENO) != 0),
      next_(std::chrono::steady_clock::now() + std::chrono::seconds(1)) {}

ProgressLine::~ProgressLine() { clear(); }

void ProgressLine::show(const std::string& text) {
  const auto now = std::chrono::steady_clock::now();
  if (!enabled_ || now < next_) return;
  next_ = now + (terminal_ ? std::chrono::milliseconds(100) : std::chrono::seconds(10));
  fmt::print(stderr, "{}{}{}", terminal_ ? "\r\033[K" : "", text, terminal_ ? "" : "\n");
  std::fflush(stderr);
  visible_ = terminal_;
}

void ProgressLine::clear() {
  if (visible_) fmt::print(stderr, "\r\033[K");
  visible_ = false;
}

}  // namespace vapor::command
