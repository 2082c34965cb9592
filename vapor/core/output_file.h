// Writing a whole file: complete or not at all.
#pragma once

#include <functional>
#include <iosfwd>
#include <string>

namespace vapor {

// Calls `write` on a temporary file beside `path` and renames it to `path` when all is written; if
// anything fails, `path` is left as it was and nothing else remains. What is not a regular file (a
// pipe, a terminal) is written directly. Throws InputError that names the path.
void write_file(const std::string& path, const std::function<void(std::ostream&)>& write);

}  // namespace vapor
