// JSON of files that anyone may have written.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace vapor {

// Throws InputError that names `path` if the text is not JSON, or is nested so deep that the
// recursive functions of the library could run out of stack.
nlohmann::ordered_json parse_json(const std::string& path, std::string_view text);

// Throws InputError that names `path` unless the file is an object of this format and version; one
// of a newer version says so.
void expect_format(const std::string& path, const nlohmann::ordered_json& file,
                   const std::string& format, int version);

}  // namespace vapor
