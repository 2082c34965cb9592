// What people see: styles only where the stream is a terminal, aligned tables, numbers that can be
// read, a line of progress.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace vapor::command {

// What every subcommand takes (add_output_flags in options.h).
struct Output {
  bool json = false;
  bool quiet = false;

  bool for_people() const { return !json && !quiet; }
};

enum class Stream { kOut = 1, kErr = 2 };  // the numbers of the descriptors

// Whether the stream is a terminal that understands escape sequences.
bool is_terminal(Stream stream);

// Wraps text in an ANSI style if its stream is a terminal, TERM is not dumb and NO_COLOR is not set
// to anything (https://no-color.org).
std::string bold(std::string_view text, Stream stream = Stream::kOut);
std::string dim(std::string_view text, Stream stream = Stream::kOut);
std::string red(std::string_view text, Stream stream = Stream::kErr);

// Says something to people, on standard error. What cannot be written is lost: nothing that is said
// may end what is being done.
void tell(std::string_view text);

// "vapor: ..." as one line on standard error, whatever the message holds.
void say(std::string_view message);

// Opens standard input, output and error on /dev/null where they are closed. Otherwise the next
// file that is opened would take their place, and what is said would be written into it.
void keep_standard_streams();

// What the user calls this program: vapor, or what ./run says it was called.
std::string program();

// The columns that UTF-8 text takes, a code point each.
std::size_t display_width(std::string_view text);

// The words of a text in lines of at most `width`, unless a word is longer.
std::vector<std::string> wrapped(const std::string& text, std::size_t width);

// "±", or "+-" where the locale is not UTF-8.
std::string_view plus_minus();

// "340 us", "2.1 ms", "1.3 s", "4 min 10 s", "2 h 5 min"
std::string duration(double seconds);

// "1,234,567": commas from five digits on.
std::string whole(std::int64_t number);

// Four digits, and those of a large number in full: "0.01235", "123,457", "1.235e+12".
std::string number(double value);

// "52.3 ± 1.2": the error to two digits, the mean to as many places.
std::string with_error(double mean, double error);

using Rows = std::vector<std::vector<std::string>>;

// Rows of cells in aligned columns, the first row as head; numbers are the caller's strings.
// Columns from `right_from` on are aligned to the right. Heads, and cells of
// the columns before it, take several lines where the table would be wider than 100 characters. A
// row of one cell, other than the head, stands above those it speaks of.
void print_table(const Rows& rows, std::size_t right_from = 1);

// One line on standard error that is rewritten in place on a terminal, and printed anew every ten
// seconds elsewhere. On a terminal nothing appears in the first second; nothing ever does if not
// enabled. A thread draws it, so that it appears however long a step takes.
class ProgressLine {
 public:
  explicit ProgressLine(bool enabled);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // From any thread.
  void show(const std::string& text);
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  void draw_again_and_again();
  void draw();  // with mutex_ held

  bool enabled_;
  const bool terminal_;
  const Clock::duration period_;
  std::mutex mutex_;
  std::condition_variable changed_;  // by the destructor alone
  Clock::time_point next_;
  std::string text_;  // empty: nothing to draw that is not drawn
  bool visible_ = false;
  bool over_ = false;
  std::thread thread_;
};

// How far a job is.
struct Part {
  double done = 0.0;
  double total = 0.0;
  double worked = 0.0;  // of `done`, by this call: the rest was there before
};

// The line of a job whose length is known: a bar, a text, the time left.
class ProgressBar {
 public:
  explicit ProgressBar(bool enabled);

  void show(const Part& part, const std::string& text);
  void begin_stage();  // the time left is that of the stage
  void clear() { line_.clear(); }

 private:
  ProgressLine line_;
  std::chrono::steady_clock::time_point begin_;
};

}  // namespace vapor::command
