#include "vapor/deep/policy_file.h"

#include <cstdint>
#include <optional>
#include <utility>

#include "vapor/core/error.h"
#include "vapor/record/damage.h"
#include "vapor/record/file.h"

namespace vapor::deep {
namespace {

constexpr std::int64_t kLargestPolicy = std::int64_t{1} << 34;  // bytes

std::string path_of(const std::string& folder) { return folder + "/policy"; }

}  // namespace

void write_policy(const std::string& folder, Agent& agent) {
  Archive archive;
  agent.archive_playing(archive);
  replace_file(path_of(folder), sealed_policy(archive.bytes()));
}

void read_policy(const std::string& folder, Agent& agent) {
  const std::string path = path_of(folder);
  std::optional<std::string> text = read_whole_file(path, kLargestPolicy);
  if (!text)
    throw InputError(path, "is missing: a training writes it when it ends or is interrupted");
  Archive archive = Archive::restoring(unsealed_policy(path, *std::move(text)));
  try {
    agent.archive_playing(archive);
    archive.expect_end();
  } catch (const InputError& error) {
    throw InputError(path, std::string("is not the policy of this run: ") + error.what());
  }
}

}  // namespace vapor::deep
