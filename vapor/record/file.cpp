#include "vapor/record/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "vapor/core/error.h"

namespace vapor {
namespace {

[[noreturn]] void fail(const std::string& path, const char* what) {
  throw InputError(path, fmt::format("cannot be {}: {}", what, std::strerror(errno)));
}

// A file descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }
  int release() { return std::exchange(number_, -1); }

 private:
  int number_;
};

Descriptor open_file(const std::string& path, int flags, const char* what) {
  // A link in a folder that somebody else made would lead what is written here to another file.
  const int follow = (flags & O_CREAT) != 0 ? O_NOFOLLOW : 0;
  const int number = open(path.c_str(), flags | follow | O_CLOEXEC, 0644);
  if (number < 0 && errno == ELOOP && follow != 0)
    throw InputError(path, "is a link, and nothing is written through links");
  if (number < 0) fail(path, what);
  return Descriptor(number);
}

void write_all(int descriptor, const std::string& path, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(path, "written");
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

struct stat status_of(int descriptor, const std::string& path) {
  struct stat status{};
  if (fstat(descriptor, &status) != 0) fail(path, "read");
  if (!S_ISREG(status.st_mode)) throw InputError(path, "is not a regular file");
  return status;
}

}  // namespace

AppendedFile::AppendedFile(std::string path) : path_(std::move(path)) {
  Descriptor file = open_file(path_, O_WRONLY | O_CREAT | O_APPEND, "written");
  size_ = status_of(file.number(), path_).st_size;
  descriptor_ = file.release();
}

AppendedFile::~AppendedFile() { close(descriptor_); }

void AppendedFile::truncate(std::int64_t size) {
  if (ftruncate(descriptor_, size) != 0) fail(path_, "written");
  size_ = size;
}

void AppendedFile::append(std::string_view text) {
  write_all(descriptor_, path_, text);
  size_ += static_cast<std::int64_t>(text.size());
}

void AppendedFile::flush_to_disk() {
  if (fdatasync(descriptor_) != 0) fail(path_, "written");
}

FolderLock::FolderLock(const std::string& folder) {
  const std::string path = folder + "/lock";
  Descriptor file = open_file(path, O_RDWR | O_CREAT, "written");
  if (flock(file.number(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) throw InputError(folder, "is in use by another process");
    fail(path, "locked");
  }
  descriptor_ = file.release();
}

FolderLock::~FolderLock() { close(descriptor_); }

void replace_file(const std::string& path, std::string_view contents) {
  const std::string temporary = path + ".tmp";
  {
    const Descriptor file = open_file(temporary, O_WRONLY | O_CREAT | O_TRUNC, "written");
    write_all(file.number(), temporary, contents);
    if (fdatasync(file.number()) != 0) fail(temporary, "written");
  }
  if (rename(temporary.c_str(), path.c_str()) != 0) fail(path, "written");
}

void refuse_other_than_folder(const std::string& path) {
  std::error_code error;
  if (std::filesystem::exists(path, error) && !std::filesystem::is_directory(path, error))
    throw InputError(path, "is not a folder");
}

void make_folder(const std::string& folder) {
  refuse_other_than_folder(folder);
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw InputError(folder, "cannot be made: " + error.message());
}

std::optional<std::string> read_whole_file(const std::string& path, std::int64_t limit) {
  const int number = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (number < 0 && errno == ENOENT) return std::nullopt;
  if (number < 0) fail(path, "read");
  const Descriptor file(number);
  const std::int64_t size = status_of(number, path).st_size;
  if (size > limit) throw InputError(path, fmt::format("is larger than {} bytes", limit));
  std::string text(static_cast<std::size_t>(size), '\0');
  std::size_t filled = 0;
  while (filled < text.size()) {
    const ssize_t count = read(number, text.data() + filled, text.size() - filled);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(path, "read");
    if (count == 0) break;
    filled += static_cast<std::size_t>(count);
  }
  text.resize(filled);
  return text;
}

}  // namespace vapor
