// Files of a run on POSIX: what is appended reaches the kernel line by line, what is replaced is
// complete or as it was. Every error is an InputError that names the file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace vapor {

// A file that grows at its end.
class AppendedFile {
 public:
  // Opens the file, creating it if it is missing.
  explicit AppendedFile(std::string path);
  ~AppendedFile();
  AppendedFile(const AppendedFile&) = delete;
  AppendedFile& operator=(const AppendedFile&) = delete;

  std::int64_t size() const { return size_; }
  const std::string& path() const { return path_; }

  void truncate(std::int64_t size);
  void append(std::string_view text);
  void flush_to_disk();

 private:
  std::string path_;
  int descriptor_ = -1;
  std::int64_t size_ = 0;
};

// An exclusive lock on a folder (flock on its file `lock`), held as long as the object lives. A
// second one, of this process or another, is refused.
class FolderLock {
 public:
  explicit FolderLock(const std::string& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_ = -1;
};

// Writes PATH.tmp to the disk and renames it to PATH. Killed at any moment, PATH is the old or the
// new file; a PATH.tmp that is left over is overwritten the next time.
void replace_file(const std::string& path, std::string_view contents);

// Something of that name that is not a folder is refused.
void refuse_other_than_folder(const std::string& path);

// The folder, with those above it; as it is if it stands already.
void make_folder(const std::string& folder);

// The whole file, or nothing if there is none; at most `limit` bytes.
std::optional<std::string> read_whole_file(const std::string& path, std::int64_t limit);

}  // namespace vapor
