#include "vapor/record/damage.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <utility>

#include "vapor/core/archive.h"
#include "vapor/core/checksum.h"
#include "vapor/core/error.h"
#include "vapor/core/regular_file.h"
#include "vapor/record/json_text.h"
#include "vapor/record/snapshot_record.h"

namespace vapor {
namespace {

constexpr std::string_view kPolicyMagic = "vapor-policy 2\n";
constexpr std::int64_t kLargestFile = std::int64_t{1} << 34;  // bytes

template <typename Check>
void look_at(const std::string& folder, const std::string& name, std::vector<DamagedFile>& damaged,
             const Check& check) {
  const std::string path = folder + "/" + name;
  try {
    if (std::optional<std::string> text = read_whole_file(path, kLargestFile))
      check(path, *std::move(text));
  } catch (const InputError& error) {
    damaged.push_back({name, error.problem()});
  }
}

}  // namespace

std::vector<DamagedFile> damaged_files(const std::string& run_folder, std::int64_t episodes) {
  std::vector<DamagedFile> damaged;
  const auto check_json = [](const std::string& path, const std::string& text) {
    expect_own_checksum(path, text);
  };
  look_at(run_folder, "snapshots/drawing.json", damaged, check_json);
  for (const std::int64_t after : snapshot_episodes(run_folder))
    if (after <= episodes) look_at(run_folder, snapshot_name(after), damaged, check_json);
  look_at(run_folder, "policy", damaged, [](const std::string& path, std::string text) {
    unsealed_policy(path, std::move(text));
  });
  return damaged;
}

std::string sealed_policy(std::string_view bytes) {
  std::string text(kPolicyMagic);
  text += bytes;
  std::uint32_t sum = crc32c(text);
  Archive tail;
  tail(sum);
  return text + tail.bytes();
}

std::string unsealed_policy(const std::string& path, std::string text) {
  if (!text.starts_with(kPolicyMagic)) {
    // An old one begins with the size of a table, never with most of these letters.
    const std::size_t compared = std::min(text.size(), kPolicyMagic.size());
    const auto same =
        std::inner_product(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(compared),
                           kPolicyMagic.begin(), 0, std::plus(), std::equal_to());
    if (2 * static_cast<std::size_t>(same) > kPolicyMagic.size())
      throw InputError(path, "is damaged, or of another version");
    return text;
  }
  std::uint32_t sum = 0;
  if (text.size() < kPolicyMagic.size() + sizeof sum)
    throw InputError(path, "is damaged: its end is missing");
  const std::size_t end = text.size() - sizeof sum;
  Archive::restoring(text.substr(end))(sum);
  if (sum != crc32c(std::string_view(text).substr(0, end)))
    throw InputError(path, "is damaged: it does not have the checksum that it was written with");
  return text.substr(kPolicyMagic.size(), end - kPolicyMagic.size());
}

}  // namespace vapor
