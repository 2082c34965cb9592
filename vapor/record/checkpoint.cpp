#include "vapor/record/checkpoint.h"

#include <string_view>

#include "vapor/core/archive.h"
#include "vapor/core/checksum.h"
#include "vapor/core/error.h"
#include "vapor/record/file.h"

namespace vapor {
namespace {

constexpr std::string_view kMagic = "vapor-checkpoint 2\n";
constexpr std::string_view kOldMagic = "vapor-checkpoint 1\n";  // without the sums of files
static_assert(kMagic.size() == kOldMagic.size());
constexpr std::int64_t kLargestCheckpoint = std::int64_t{1} << 34;  // bytes

// FNV-1a of 64 bits.
std::uint64_t checksum(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

// A part of its own, which can be read without the rest.
void archive_counted(Archive& archive, CountedFiles& files) {
  archive(files.episodes), archive(files.episodes_bytes), archive(files.timing_bytes);
  if (!files.summed) return;
  archive(files.episodes_sum), archive(files.timing_sum);
  Archive counted;
  counted(files.episodes), counted(files.episodes_bytes), counted(files.timing_bytes);
  counted(files.episodes_sum), counted(files.timing_sum);
  const std::uint32_t own = crc32c(counted.bytes());
  std::uint32_t there = own;
  archive(there);
  if (there != own) throw InputError("checkpoint", "is damaged");
}

constexpr std::size_t kCountedBytes = 3 * sizeof(std::int64_t) + 3 * sizeof(std::uint32_t);

[[noreturn]] void damaged(const std::string& path) {
  throw InputError(path, "is damaged or of another version; delete it to run from the start");
}

}  // namespace

void write_checkpoint(const std::string& path, const Checkpoint& checkpoint) {
  CountedFiles files = checkpoint;
  Archive counted;
  archive_counted(counted, files);
  std::string state = checkpoint.state;
  Archive body;
  body(state);
  const std::string covered = counted.bytes() + body.bytes();
  std::uint64_t sum = checksum(covered);
  Archive tail;
  tail(sum);
  replace_file(path, std::string(files.summed ? kMagic : kOldMagic) + covered + tail.bytes());
}

std::optional<Checkpoint> read_checkpoint(const std::string& path) {
  const std::optional<std::string> text = read_whole_file(path, kLargestCheckpoint);
  if (!text) return std::nullopt;
  std::uint64_t sum = 0;
  Checkpoint checkpoint;
  checkpoint.summed = !text->starts_with(kOldMagic);
  if (checkpoint.summed && !text->starts_with(kMagic)) damaged(path);
  if (text->size() < kMagic.size() + sizeof sum) damaged(path);
  const std::size_t body_size = text->size() - kMagic.size() - sizeof sum;
  const std::string body = text->substr(kMagic.size(), body_size);
  Archive::restoring(text->substr(kMagic.size() + body_size))(sum);
  if (sum != checksum(body)) damaged(path);
  Archive archive = Archive::restoring(body);
  try {
    archive_counted(archive, checkpoint);
    archive(checkpoint.state);
    archive.expect_end();
  } catch (const InputError&) {
    damaged(path);
  }
  return checkpoint;
}

std::optional<CountedFiles> read_counted_files(const std::string& path) {
  const std::optional<std::string> text = read_front_of_file(path, kMagic.size() + kCountedBytes);
  if (!text) return std::nullopt;
  CountedFiles files;
  files.summed = !text->starts_with(kOldMagic);
  if (files.summed && !text->starts_with(kMagic)) damaged(path);
  Archive archive = Archive::restoring(text->substr(kMagic.size()));
  try {
    archive_counted(archive, files);
  } catch (const InputError&) {
    damaged(path);
  }
  return files;
}

}  // namespace vapor
