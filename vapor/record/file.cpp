#include "vapor/record/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
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

void write_all(int descriptor, const std::string& path, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(path, "written");
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace

AppendedFile::AppendedFile(std::string path)
    : path_(std::move(path)), file_(open_regular(path_, O_RDWR | O_CREAT | O_APPEND)) {
  size_ = size_of(file_, path_);
}

std::string AppendedFile::text() const {
  return read_first(file_, path_, static_cast<std::size_t>(size_));
}

Checksum AppendedFile::checksum_of_first(std::int64_t size) const {
  Checksum sum;
  std::string part(std::size_t{1} << 16, '\0');
  for (std::int64_t at = 0; at < size;) {
    const auto wanted =
        static_cast<std::size_t>(std::min<std::int64_t>(std::ssize(part), size - at));
    const ssize_t count = pread(file_.number(), part.data(), wanted, at);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(path_, "read");
    if (count == 0) break;
    sum.add(std::string_view(part).substr(0, static_cast<std::size_t>(count)));
    at += count;
  }
  return sum;
}

void AppendedFile::cut_to(std::int64_t size, const Checksum& checksum) {
  if (size != size_ && ftruncate(file_.number(), size) != 0) fail(path_, "written");
  size_ = size;
  checksum_ = checksum;
}

void AppendedFile::append(std::string_view text) {
  write_all(file_.number(), path_, text);
  size_ += static_cast<std::int64_t>(text.size());
  checksum_.add(text);
}

void AppendedFile::flush_to_disk() { sync_to_disk(file_, path_); }

FolderLock::FolderLock(const std::string& folder)
    : file_(open_regular(folder + "/lock", O_RDWR | O_CREAT)) {
  if (flock(file_.number(), LOCK_EX | LOCK_NB) == 0) return;
  if (errno == EWOULDBLOCK) throw InputError(folder, kInUse);
  fail(folder + "/lock", "locked");
}

WaitingLock::WaitingLock(const std::string& folder)
    : folder_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (folder_.number() < 0) fail(folder, "read");
  while (flock(folder_.number(), LOCK_EX) != 0)
    if (errno != EINTR) fail(folder, "locked");
}

bool is_in_use(const std::string& folder) {
  std::error_code error;
  const std::string path = folder + "/lock";
  if (!std::filesystem::is_regular_file(path, error)) return false;
  const Descriptor file = open_regular(path, O_RDONLY);
  return flock(file.number(), LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

void replace_file(const std::string& path, std::string_view contents) {
  const std::string temporary = path + ".tmp";
  try {
    const Descriptor file = open_regular(temporary, O_WRONLY | O_CREAT | O_TRUNC);
    write_all(file.number(), temporary, contents);
    sync_to_disk(file, temporary);
    if (rename(temporary.c_str(), path.c_str()) != 0) fail(path, "written");
  } catch (const InputError&) {
    unlink(temporary.c_str());
    throw;
  }
  sync_folder_of(path);
}

void refuse_other_than_folder(const std::string& path) {
  std::error_code error;
  if (std::filesystem::exists(path, error) && !std::filesystem::is_directory(path, error))
    throw InputError(path, "is not a folder");
}

void make_folder(const std::string& folder) {
  refuse_impossible_name(folder);
  refuse_other_than_folder(folder);
  std::error_code error;
  if (std::filesystem::create_directories(folder, error)) sync_folder_of(folder);
  if (error) throw InputError(folder, "cannot be made: " + error.message());
}

}  // namespace vapor
