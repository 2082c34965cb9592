#include "vapor/record/json_text.h"

#include <fmt/format.h>

#include "vapor/core/error.h"

namespace vapor {
namespace {

using nlohmann::ordered_json;

constexpr int kDeepest = 64;

}  // namespace

ordered_json parse_json(const std::string& path, std::string_view text) {
  const auto refuse_depth = [&](int depth, ordered_json::parse_event_t, const ordered_json&) {
    if (depth > kDeepest) throw InputError(path, fmt::format("is nested deeper than {}", kDeepest));
    return true;
  };
  try {
    return ordered_json::parse(text, refuse_depth);
  } catch (const ordered_json::parse_error& e) {
    throw InputError(path, fmt::format("is not JSON at byte {}", e.byte));
  } catch (const ordered_json::out_of_range&) {
    throw InputError(path, "holds a number that no double can be");
  }
}

}  // namespace vapor
