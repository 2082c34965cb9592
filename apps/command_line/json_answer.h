// The one JSON object of --json.
#pragma once

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace vapor::command {

// Names of files may be other than UTF-8, which JSON is: what is not is shown as U+FFFD.
inline void print_json(const nlohmann::ordered_json& answer, int indent = 2) {
  fmt::print("{}\n",
             answer.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

}  // namespace vapor::command
