#include "vapor/deep/policy_file.h"

#include <cstdint>
#include <fstream>
#include <iterator>
#include <ostream>

#include "vapor/core/error.h"
#include "vapor/core/output_file.h"

namespace vapor::deep {
namespace {

std::string path_of(const std::string& folder) { return folder + "/policy"; }

}  // namespace

void write_policy(const std::string& folder, Agent& agent) {
  Archive archive;
  agent.archive_playing(archive);
  write_file(path_of(folder), [&](std::ostream& out) {
    out.write(archive.bytes().data(), static_cast<std::streamsize>(archive.bytes().size()));
  });
}

void read_policy(const std::string& folder, Agent& agent) {
  const std::string path = path_of(folder);
  std::ifstream in(path, std::ios::binary);
  if (!in)
    throw InputError(path, "is missing: a training writes it when it ends or is interrupted");
  Archive archive = Archive::restoring({std::istreambuf_iterator<char>(in), {}});
  try {
    agent.archive_playing(archive);
    archive.expect_end();
  } catch (const InputError& error) {
    throw InputError(path, std::string("is not the policy of this run: ") + error.what());
  }
}

}  // namespace vapor::deep
