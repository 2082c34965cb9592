// Files of a run on POSIX: what is appended reaches the kernel line by line, what is replaced is
// complete or as it was. Every error is an InputError that names the file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "vapor/core/checksum.h"
#include "vapor/core/regular_file.h"

namespace vapor {

// A file that grows at its end, with the checksum of all that it holds.
class AppendedFile {
 public:
  // Opens the file, creating it if it is missing. What it holds must be cut to what is known of it,
  // before anything is appended.
  explicit AppendedFile(std::string path);

  std::int64_t size() const { return size_; }
  const Checksum& checksum() const { return checksum_; }
  const std::string& path() const { return path_; }

  std::string text() const;  // all of it

  // Of so many bytes from the front; the file is read for it.
  Checksum checksum_of_first(std::int64_t size) const;

  // Cuts the file to so many bytes, which have this checksum.
  void cut_to(std::int64_t size, const Checksum& checksum);

  void append(std::string_view text);
  void flush_to_disk();

 private:
  std::string path_;
  Descriptor file_;
  std::int64_t size_ = 0;
  Checksum checksum_;
};

// An exclusive lock on a folder (flock on its file `lock`), held as long as the object lives. A
// second one, of this process or another, is refused.
class FolderLock {
 public:
  explicit FolderLock(const std::string& folder);

 private:
  Descriptor file_;
};

// What FolderLock says of a folder that someone else holds.
inline constexpr const char* kInUse = "is in use by another process";

// A lock on the folder itself, for a moment's work: a second one waits. It is another lock than
// FolderLock's.
class WaitingLock {
 public:
  explicit WaitingLock(const std::string& folder);

 private:
  Descriptor folder_;
};

// Whether someone holds the lock at this moment.
bool is_in_use(const std::string& folder);

// Writes PATH.tmp to the disk and renames it to PATH. Killed at any moment, PATH is the old or the
// new file; a PATH.tmp that is left over is overwritten the next time. Only for files of a folder
// that the caller has locked.
void replace_file(const std::string& path, std::string_view contents);

// Something of that name that is not a folder is refused.
void refuse_other_than_folder(const std::string& path);

// The folder, with those above it; as it is if it stands already.
void make_folder(const std::string& folder);

}  // namespace vapor
