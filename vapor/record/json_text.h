// JSON of files that anyone may have written.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace vapor {

// Throws InputError that names `path` if the text is not JSON, or is nested so deep that the
// recursive functions of the library could run out of stack.
nlohmann::ordered_json parse_json(const std::string& path, std::string_view text);

// The version of a file of this format. Throws InputError that names `path` unless it is an object
// of this format and of a version from `oldest` to `version`; one of a newer version says so.
int expect_format(const std::string& path, const nlohmann::ordered_json& file,
                  const std::string& format, int version, int oldest = 1);
}  // namespace vapor
