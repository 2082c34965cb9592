// JSON of files that anyone may have written.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace vapor {

// Throws InputError that names `path` if the text is not JSON, or is nested so deep that the
// recursive functions of the library could run out of stack.
nlohmann::ordered_json parse_json(const std::string& path, std::string_view text);

}  // namespace vapor
