// Opening files on POSIX. What is not a regular file is refused without waiting for it: a pipe in
// the place of a record would wait for a writer for good. Every error is an InputError that names
// the file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace vapor {

// A file descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor();
  Descriptor(Descriptor&& other) noexcept : number_(other.release()) {}
  Descriptor& operator=(Descriptor&&) = delete;
  int number() const { return number_; }
  int release() { return std::exchange(number_, -1); }

 private:
  int number_;
};

// A name that the system would read to its first \0 alone, or not at all.
void refuse_impossible_name(const std::string& path);

// `flags` are those of open(2) beside O_CLOEXEC; a file that is made gets the mode 0644.
Descriptor open_regular(const std::string& path, int flags);

// The first bytes, as many as there are up to `size`.
std::string read_first(const Descriptor& file, const std::string& path, std::size_t size);

std::int64_t size_of(const Descriptor& file, const std::string& path);

// What was written is on the disk; of a folder, which names it has.
void sync_to_disk(const Descriptor& file, const std::string& path);
void sync_folder_of(const std::string& path);  // the folder that holds it

// The whole file, or nothing if there is none; at most `limit` bytes.
std::optional<std::string> read_whole_file(const std::string& path, std::int64_t limit);

// The same, but no more than its first bytes.
std::optional<std::string> read_front_of_file(const std::string& path, std::size_t bytes);

}  // namespace vapor
