// JSON of files that anyone may have written.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace vapor {

// The text of an object that has members, with one more as its last: `checksum`, that of every byte
// before its key.
std::string sealed(std::string object);

// The same of a value; text in it that is not UTF-8 is replaced.
std::string sealed(const nlohmann::ordered_json& object, int indent);

// Throws InputError that names `path` if the text has a checksum that is not its own. Files of
// before there were checksums have none.
void expect_own_checksum(const std::string& path, std::string_view text);

// Throws InputError that names `path` if the text is not JSON, is nested so deep that the recursive
// functions of the library could run out of stack, or has a checksum that is not its own.
nlohmann::ordered_json parse_json(const std::string& path, std::string_view text);

// The version of a file of this format. Throws InputError that names `path` unless it is an object
// of this format and of a version from `oldest` to `version`; one of a newer version says so.
int expect_format(const std::string& path, const nlohmann::ordered_json& file,
                  const std::string& format, int version, int oldest = 1);
}  // namespace vapor
