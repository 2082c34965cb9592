// Writing a whole file: complete or not at all.
#pragma once

#include <functional>
#include <iosfwd>
#include <string>

namespace vapor {

// Calls `write` on a temporary file beside `path` and renames it to `path` when all of it is on the
// disk; if anything fails, `path` is left as it was and nothing else remains. What a killed process
// left beside `path` is removed. What is not a regular file (a pipe, a terminal) is written
// directly. Throws InputError that names the path.
void write_file(const std::string& path, const std::function<void(std::ostream&)>& write);

// Throws the InputError that write_file(path) would, as far as can be seen before there is anything
// to write: for whoever is about to work for it. Writes nothing.
void expect_room_for_file(const std::string& path);

// The same for a folder that is made if it is missing, with those above it.
void expect_room_for_folder(const std::string& path);

// Removes the temporary files of calls that are going on. For handlers of signals that end the
// process: it calls nothing but unlink(2).
void remove_temporary_files() noexcept;

}  // namespace vapor
