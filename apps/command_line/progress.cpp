// ProgressLine and ProgressBar of terminal.h.
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "terminal.h"

namespace vapor::command {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// The text as far as it fits into a line of the terminal: what wraps cannot be erased.
std::string cut(const std::string& text) {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col < 2) return text;
  const std::size_t columns = size.ws_col - 1;
  return text.size() <= columns ? text : text.substr(0, columns);
}

}  // namespace

ProgressLine::ProgressLine(bool enabled)
    : enabled_(enabled),
      terminal_(is_terminal(Stream::kErr)),
      period_(terminal_ ? Clock::duration(milliseconds(100)) : Clock::duration(seconds(10))),
      next_(Clock::now() + (terminal_ ? seconds(1) : seconds(10))) {}

ProgressLine::~ProgressLine() {
  clear();
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  changed_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void ProgressLine::show(const std::string& text) {
  if (!enabled_) return;
  const std::lock_guard lock(mutex_);
  text_ = text;
  if (thread_.joinable()) return;
  try {
    thread_ = std::thread([this] { draw_again_and_again(); });
  } catch (const std::system_error&) {
    enabled_ = false;  // the machine gives no more threads, and the work is what they are for
  }
}

void ProgressLine::clear() {
  const std::lock_guard lock(mutex_);
  if (visible_) tell("\r\033[K");
  visible_ = false;
  text_.clear();
}

void ProgressLine::draw_again_and_again() {
  std::unique_lock lock(mutex_);
  while (!over_) {
    changed_.wait_until(lock, next_, [this] { return over_; });
    if (over_) return;
    draw();
    next_ = Clock::now() + period_;
  }
}

void ProgressLine::draw() {
  if (text_.empty()) return;
  tell(terminal_ ? "\r\033[K" + cut(text_) : text_ + "\n");
  visible_ = terminal_;
  text_.clear();
}

ProgressBar::ProgressBar(bool enabled) : line_(enabled) { begin_stage(); }

void ProgressBar::begin_stage() { begin_ = std::chrono::steady_clock::now(); }

void ProgressBar::show(const Part& part, const std::string& text) {
  constexpr int kCells = 24;
  const double share = part.total > 0.0 ? std::clamp(part.done / part.total, 0.0, 1.0) : 0.0;
  const int full = static_cast<int>(share * kCells);
  std::string line = fmt::format("[{}{}] {:3.0f}%  {}", std::string(full, '#'),
                                 std::string(kCells - full, '.'), 100.0 * share, text);
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin_;
  if (part.worked > 0.0)
    line += fmt::format("  {} left", duration(passed.count() *
                                              std::max(0.0, part.total - part.done) / part.worked));
  line_.show(line);
}

}  // namespace vapor::command
