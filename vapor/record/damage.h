// The files of a record that say of themselves whether they are whole: snapshots and the policy.
// run.json, episodes.csv and the checkpoint are checked by whoever reads them.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace vapor {

struct DamagedFile {
  std::string name;     // below the folder
  std::string problem;  // e.g. "is damaged: ..."
};

// Those that are not as they were written, of the snapshots after at most so many episodes. Files
// of before there were checksums are not looked at.
std::vector<DamagedFile> damaged_files(
    const std::string& run_folder,
    std::int64_t episodes = std::numeric_limits<std::int64_t>::max());

// The bytes of a policy as they stand in its file, with a checksum; and out of it. Files of before
// there were checksums are their bytes. Throws InputError that names the file.
std::string sealed_policy(std::string_view bytes);
std::string unsealed_policy(const std::string& path, std::string text);

}  // namespace vapor
