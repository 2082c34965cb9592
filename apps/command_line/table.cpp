// wrapped and print_table of terminal.h.
#include <fmt/format.h>

#include <algorithm>

#include "terminal.h"

namespace vapor::command {
namespace {

constexpr std::size_t kWidest = 100;

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    if (end > at) words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

class Table {
 public:
  Table(const Rows& rows, std::size_t right_from) : rows_(rows), right_from_(right_from) {
    for (const auto& row : rows) width_.resize(std::max(width_.size(), row.size()), 0);
    for (const auto& row : rows)
      for (std::size_t c = 0; c < row.size(); ++c)
        width_[c] = std::max(width_[c], display_width(row[c]));
    std::size_t total = 2;
    for (const std::size_t width : width_) total += width + 2;
    if (total - 2 > kWidest) narrow();
  }

  void print() const {
    for (const auto& line : head()) fmt::print("  {}\n", bold(text_of(line)));
    for (std::size_t r = 1; r < rows_.size(); ++r) fmt::print("  {}\n", text_of(rows_[r]));
  }

 private:
  // Columns as wide as their numbers and the words of their heads.
  void narrow() {
    std::fill(width_.begin(), width_.end(), 0);
    for (std::size_t r = 0; r < rows_.size(); ++r)
      for (std::size_t c = 0; c < rows_[r].size(); ++c)
        for (const std::string& part :
             r == 0 ? words_of(rows_[0][c]) : std::vector<std::string>{rows_[r][c]})
          width_[c] = std::max(width_[c], display_width(part));
  }

  // The lines of the head, its columns ending on the same line.
  Rows head() const {
    Rows columns;
    std::size_t height = 0;
    for (std::size_t c = 0; c < rows_[0].size(); ++c) {
      columns.push_back(wrapped(rows_[0][c], width_[c]));
      height = std::max(height, columns.back().size());
    }
    Rows lines(height, std::vector<std::string>(columns.size()));
    for (std::size_t c = 0; c < columns.size(); ++c)
      for (std::size_t i = 0; i < columns[c].size(); ++i)
        lines[height - columns[c].size() + i][c] = columns[c][i];
    return lines;
  }

  std::string text_of(const std::vector<std::string>& row) const {
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
