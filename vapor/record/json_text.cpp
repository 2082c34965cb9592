#include "vapor/record/json_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "vapor/core/checksum.h"
#include "vapor/core/error.h"
#include "vapor/core/version.h"

namespace vapor {
namespace {

using nlohmann::ordered_json;

constexpr int kDeepest = 64;

std::string text_of(const ordered_json& value) {
  return value.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

constexpr std::string_view kSeal = "\"checksum\"";
constexpr std::string_view kSum = "crc32c:";

std::string seal_of(const std::string& sum) { return fmt::format("{}: \"{}\"\n}}\n", kSeal, sum); }

}  // namespace

// Looked for at the end of the text, which is the same for all files that were sealed:
//   "checksum": "crc32c:e3069283"
//   }
// A flipped bit hits the key or the value, and the other still says that there is a checksum.
void expect_own_checksum(const std::string& path, std::string_view text) {
  constexpr std::size_t kLongestEnd = 80;
  const std::size_t from = text.size() - std::min(text.size(), kLongestEnd);
  const std::string_view end = text.substr(from);
  const std::size_t key = end.rfind(kSeal);
  const std::size_t sum = end.rfind(kSum);
  constexpr std::size_t none = std::string_view::npos;
  if (key == none && sum == none) return;
  if (key != none && sum != none &&
      end.substr(key) == seal_of(checksum_text(text.substr(0, from + key))))
    return;
  throw InputError(path, "is damaged: it does not have the checksum that it was written with");
}

std::string sealed(std::string object) {
  const std::size_t last = object.find_last_not_of(" \n", object.rfind('}') - 1);
  object.resize(last + 1);
  object += ",\n  ";
  return object + seal_of(checksum_text(object));
}

std::string sealed(const ordered_json& object, int indent) {
  return sealed(object.dump(indent, ' ', false, ordered_json::error_handler_t::replace));
}

ordered_json parse_json(const std::string& path, std::string_view text) {
  const auto refuse_depth = [&](int depth, ordered_json::parse_event_t, const ordered_json&) {
    if (depth > kDeepest) throw InputError(path, fmt::format("is nested deeper than {}", kDeepest));
    return true;
  };
  // The parser takes a zero byte for the end of its text.
  if (const std::size_t zero = text.find('\0'); zero != std::string_view::npos)
    throw InputError(path, fmt::format("is not JSON at byte {}", zero + 1));
  try {
    ordered_json file = ordered_json::parse(text, refuse_depth);
    expect_own_checksum(path, text);
    return file;
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
