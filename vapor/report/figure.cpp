#include "vapor/report/figure.h"

#include <algorithm>

namespace vapor {

std::vector<std::size_t> rows_of_curves(const DataTable& table, std::size_t most) {
  std::vector<std::size_t> rows;
  for (std::size_t begin = 0; begin < table.rows.size();) {
    std::size_t end = begin;
    while (end < table.rows.size() && table.at(end, "panel") == table.at(begin, "panel") &&
           table.at(end, "agent") == table.at(begin, "agent"))
      ++end;
    const std::size_t count = std::min(most, end - begin);
    for (std::size_t i = 0; i < count; ++i)
      rows.push_back(count == 1 ? end - 1 : begin + i * (end - 1 - begin) / (count - 1));
    begin = end;
  }
  return rows;
}

std::string id_of(std::string_view text) {
  std::string id;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (plain)
      id += c;
    else if (!id.empty() && id.back() != '-')
      id += '-';
  }
  id.resize(std::min<std::size_t>(id.size(), 60));  // it is part of file names
  while (!id.empty() && id.back() == '-') id.pop_back();
  return id.empty() ? "unnamed" : id;
}

}  // namespace vapor
