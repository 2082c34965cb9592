#include "vapor/record/checkpoint.h"

#include <string_view>

#include "vapor/core/archive.h"
#include "vapor/core/error.h"
#include "vapor/record/file.h"

namespace vapor {
namespace {

constexpr std::string_view kMagic = "vapor-checkpoint 1\n";
constexpr std::int64_t kLargestCheckpoint = std::int64_t{1} << 34;  // bytes

// FNV-1a of 64 bits.
std::uint64_t checksum(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

void archive_fields(Archive& archive, Checkpoint& checkpoint) {
  archive(checkpoint.episodes);
  archive(checkpoint.episodes_bytes);
  archive(checkpoint.timing_bytes);
  archive(checkpoint.state);
}

[[noreturn]] void damaged(const std::string& path) {
  throw InputError(path, "is damaged or of another version; delete it to run from the start");
}

}  // namespace

void write_checkpoint(const std::string& path, const Checkpoint& checkpoint) {
  Checkpoint copy = checkpoint;
  Archive body;
  archive_fields(body, copy);
  std::uint64_t sum = checksum(body.bytes());
  Archive tail;
  tail(sum);
  replace_file(path, std::string(kMagic) + body.bytes() + tail.bytes());
}

std::optional<Checkpoint> read_checkpoint(const std::string& path) {
  const std::optional<std::string> text = read_whole_file(path, kLargestCheckpoint);
  if (!text) return std::nullopt;
  std::uint64_t sum = 0;
  if (!text->starts_with(kMagic) || text->size() < kMagic.size() + sizeof sum) damaged(path);
  const std::size_t body_size = text->size() - kMagic.size() - sizeof sum;
  const std::string body = text->substr(kMagic.size(), body_size);
  Archive::restoring(text->substr(kMagic.size() + body_size))(sum);
  if (sum != checksum(body)) damaged(path);
  Checkpoint checkpoint;
  Archive archive = Archive::restoring(body);
  try {
    archive_fields(archive, checkpoint);
    archive.expect_end();
  } catch (const InputError&) {
    damaged(path);
  }
  return checkpoint;
}

}  // namespace vapor
