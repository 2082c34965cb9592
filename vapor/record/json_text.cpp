#include "vapor/record/json_text.h"

#include <fmt/format.h>

#include "vapor/core/error.h"
#include "vapor/core/version.h"

namespace vapor {
namespace {

using nlohmann::ordered_json;

constexpr int kDeepest = 64;

std::string text_of(const ordered_json& value) {
  return value.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

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
    throw InputError(path, "holds a number beyond the range of doubles (no double is that large)");
  }
}

int expect_format(const std::string& path, const ordered_json& file, const std::string& format,
                  int version, int oldest) {
  if (!file.is_object() || !file.contains("format") || file["format"] != format)
    throw InputError(path, "format: must be " + format);
  const ordered_json there = file.value("format_version", ordered_json());
  const std::string versions =
      oldest == version ? std::to_string(version) : fmt::format("{} to {}", oldest, version);
  if (there.is_number_integer() && there >= oldest && there <= version) return there;
  if (there.is_number_integer() && there > version)
    throw InputError(path,
                     fmt::format("format_version: is {}; a newer vapor wrote it, and this one "
                                 "({}) reads {}",
                                 text_of(there), kVersion, versions));
  throw InputError(path, fmt::format("format_version: must be {}, got {}", versions,
                                     file.contains("format_version") ? text_of(there) : "absent"));
}

}  // namespace vapor
