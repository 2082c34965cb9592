#include "vapor/core/regular_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "vapor/core/error.h"

namespace vapor {
namespace {

[[noreturn]] void cannot_be(const char* what, const std::string& path) {
  throw InputError(path, fmt::format("cannot be {}: {}", what, std::strerror(errno)));
}

const char* what_is_done(int flags) { return (flags & O_ACCMODE) == O_RDONLY ? "read" : "written"; }

struct stat status_of(int descriptor, const std::string& path) {
  struct stat status{};
  if (fstat(descriptor, &status) != 0) cannot_be("read", path);
  return status;
}

// What open(2) returned, if it is what is wanted.
Descriptor expect_regular(Descriptor file, const std::string& path, int flags) {
  if (file.number() < 0 && errno == ENXIO) throw InputError(path, "is not a regular file");
  if (file.number() < 0 && errno == ELOOP && (flags & O_CREAT) != 0)
    throw InputError(path, "is a link, and nothing is written through links");
  if (file.number() < 0) cannot_be(what_is_done(flags), path);
  if (!S_ISREG(status_of(file.number(), path).st_mode))
    throw InputError(path, "is not a regular file");
  return file;
}

// Without waiting: for writing, a pipe that nobody reads is ENXIO. A link in a folder that somebody
// else made would lead what is made here to another file.
Descriptor open_at_once(const std::string& path, int flags) {
  refuse_impossible_name(path);
  const int follow = (flags & O_CREAT) != 0 ? O_NOFOLLOW : 0;
  return Descriptor(open(path.c_str(), flags | follow | O_CLOEXEC | O_NONBLOCK, 0644));
}

std::optional<Descriptor> open_if_there(const std::string& path) {
  Descriptor file = open_at_once(path, O_RDONLY);
  if (file.number() < 0 && errno == ENOENT) return std::nullopt;
  return expect_regular(std::move(file), path, O_RDONLY);
}

}  // namespace

Descriptor::~Descriptor() {
  if (number_ >= 0) close(number_);
}

void refuse_impossible_name(const std::string& path) {
  if (path.empty()) throw InputError(path, "the name of a file or folder is empty");
  if (path.find('\0') != std::string::npos)
    throw InputError(path, "a name cannot hold a zero byte");
}

Descriptor open_regular(const std::string& path, int flags) {
  return expect_regular(open_at_once(path, flags), path, flags);
}

std::string read_first(const Descriptor& file, const std::string& path, std::size_t size) {
  std::string text(size, '\0');
  std::size_t filled = 0;
  while (filled < text.size()) {
    const ssize_t count = pread(file.number(), text.data() + filled, text.size() - filled,
                                static_cast<off_t>(filled));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) cannot_be("read", path);
    if (count == 0) break;
    filled += static_cast<std::size_t>(count);
  }
  text.resize(filled);
  return text;
}

std::int64_t size_of(const Descriptor& file, const std::string& path) {
  return status_of(file.number(), path).st_size;
}

void sync_to_disk(const Descriptor& file, const std::string& path) {
  if (fdatasync(file.number()) != 0) cannot_be("written", path);
}

void sync_folder_of(const std::string& path) {
  const std::filesystem::path above = std::filesystem::path(path).parent_path();
  const std::string folder = above.empty() ? "." : above.string();
  const Descriptor file(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  // A folder that may be searched and written to but not read cannot be synced.
  if (file.number() < 0) return;
  // File systems that know no such thing say EINVAL.
  if (fsync(file.number()) != 0 && errno != EINVAL) cannot_be("written", folder);
}

std::optional<std::string> read_whole_file(const std::string& path, std::int64_t limit) {
  const std::optional<Descriptor> file = open_if_there(path);
  if (!file) return std::nullopt;
  const std::int64_t size = size_of(*file, path);
  if (size > limit) throw InputError(path, fmt::format("is larger than {} bytes", limit));
  return read_first(*file, path, static_cast<std::size_t>(size));
}

std::optional<std::string> read_front_of_file(const std::string& path, std::size_t bytes) {
  const std::optional<Descriptor> file = open_if_there(path);
  if (!file) return std::nullopt;
  return read_first(*file, path, bytes);
}

}  // namespace vapor
