// wrapped and print_table of terminal.h.
#include <fmt/format.h>

#include <algorithm>

#include "terminal.h"

namespace vapor::command {
namespace {

constexpr std::size_t kWidest = 100;
constexpr std::size_t kNarrowest = 16;  // column of text

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    if (end > at) words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

// Text in pieces of at most `width`, broken after signs that settings end with, or anywhere. What
// follows the first is indented a little more than it.
std::vector<std::string> pieces_of(const std::string& text, std::size_t width) {
  std::vector<std::string> pieces;
  const std::string indent(std::min(text.find_first_not_of(' '), width / 4) + 2, ' ');
  std::string rest = text;
  while (display_width(rest) > width) {
    const std::size_t sign = rest.find_last_of(",:", width - 1);
    const std::size_t end = sign == std::string::npos || sign < width / 3 ? width : sign + 1;
    pieces.push_back(rest.substr(0, end));
    rest.erase(0, std::min(rest.find_first_not_of(' ', end), rest.size()));
    rest.insert(0, indent);
  }
  pieces.push_back(rest);
  return pieces;
}

class Table {
 public:
  Table(const Rows& rows, std::size_t right_from) : rows_(rows), right_from_(right_from) {
    for (const auto& row : rows) width_.resize(std::max(width_.size(), row.size()), 0);
    widen([](const std::string& head) { return std::vector{head}; });
    if (excess() > 0) widen(words_of);
    for (; excess() > 0 && widest_text() > kNarrowest; --width_[widest_text_column()]) {
    }
  }

  void print() const {
    for (const auto& line : head()) fmt::print("  {}\n", bold(text_of(line)));
    for (std::size_t r = 1; r < rows_.size(); ++r)
      for (const auto& line : lines_of(rows_[r])) fmt::print("  {}\n", text_of(line));
  }

 private:
  // Columns as wide as their cells and the parts of their heads.
  template <typename Parts>
  void widen(const Parts& parts_of_head) {
    std::fill(width_.begin(), width_.end(), 0);
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      if (rows_[r].size() == 1) continue;  // it spans the table
      for (std::size_t c = 0; c < rows_[r].size(); ++c)
        for (const std::string& part :
             r == 0 ? parts_of_head(rows_[0][c]) : std::vector<std::string>{rows_[r][c]})
          width_[c] = std::max(width_[c], display_width(part));
    }
  }

  // The characters by which a line is too long.
  std::size_t excess() const {
    std::size_t total = 0;
    for (const std::size_t width : width_) total += width + 2;
    return total > kWidest ? total - kWidest : 0;
  }

  std::size_t widest_text_column() const {
    const auto end = width_.begin() + static_cast<std::ptrdiff_t>(right_from_);
    return static_cast<std::size_t>(std::max_element(width_.begin(), end) - width_.begin());
  }
  std::size_t widest_text() const { return right_from_ == 0 ? 0 : width_[widest_text_column()]; }

  // The lines of the head, its columns ending on the same line.
  Rows head() const {
    Rows columns;
    for (std::size_t c = 0; c < rows_[0].size(); ++c)
      columns.push_back(wrapped(rows_[0][c], width_[c]));
    return side_by_side(columns, true);
  }

  // Those of another row: text that is too wide goes on in the next line.
  Rows lines_of(const std::vector<std::string>& row) const {
    if (row.size() == 1) return {row};
    Rows columns;
    for (std::size_t c = 0; c < row.size(); ++c) columns.push_back(pieces_of(row[c], width_[c]));
    return side_by_side(columns, false);
  }

  static Rows side_by_side(const Rows& columns, bool at_the_end) {
    std::size_t height = 0;
    for (const auto& column : columns) height = std::max(height, column.size());
    Rows lines(height, std::vector<std::string>(columns.size()));
    for (std::size_t c = 0; c < columns.size(); ++c)
      for (std::size_t i = 0; i < columns[c].size(); ++i)
        lines[(at_the_end ? height - columns[c].size() : 0) + i][c] = columns[c][i];
    return lines;
  }

  std::string text_of(const std::vector<std::string>& row) const {
    if (row.size() == 1) return row[0];
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::string blank(width_[c] - display_width(row[c]), ' ');
      line += (c > 0 ? "  " : "") + (c < right_from_ ? row[c] + blank : blank + row[c]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
  }

  const Rows& rows_;
  std::size_t right_from_;
  std::vector<std::size_t> width_;
};

}  // namespace

std::vector<std::string> wrapped(const std::string& text, std::size_t width) {
  std::vector<std::string> lines = {""};
  for (const std::string& word : words_of(text)) {
    if (lines.back().empty())
      lines.back() = word;
    else if (display_width(lines.back()) + 1 + display_width(word) <= width)
      lines.back() += " " + word;
    else
      lines.push_back(word);
  }
  return lines;
}

void print_table(const Rows& rows, std::size_t right_from) {
  if (!rows.empty()) Table(rows, right_from).print();
}

}  // namespace vapor::command
