#include "vapor/report/figure.h"

#include <algorithm>

namespace vapor {

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
