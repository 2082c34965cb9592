// What people see: aligned tables, a line of progress, colour only on a terminal.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace vapor::command {

// What every subcommand takes.
struct Output {
  bool json = false;
  bool quiet = false;
};

// Wraps text in an ANSI style if standard output is a terminal and NO_COLOR is not set.
std::string bold(std::string_view text);
std::string dim(std::string_view text);

// "340 us", "2.1 ms", "1.3 s", "4 min 10 s"
std::string duration(double seconds);

// Rows of cells in aligned columns, the first row as head; numbers are the caller's strings.
// Columns from `right_from` on are aligned to the right.
void print_table(const std::vector<std::vector<std::string>>& rows, std::size_t right_from = 1);

// One line on standard error that is rewritten in place on a terminal, and printed anew every ten
// seconds elsewhere. Nothing appears in the first second, or ever if not enabled.
class ProgressLine {
 public:
  explicit ProgressLine(bool enabled);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(const std::string& text);
  void clear();

 private:
  bool enabled_;
  bool terminal_;
  bool visible_ = false;
  std::chrono::steady_clock::time_point next_;
};

}  // namespace vapor::command
