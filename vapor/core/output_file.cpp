#include "vapor/core/output_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "vapor/core/error.h"
#include "vapor/core/regular_file.h"

namespace vapor {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void cannot_write(const std::string& path, const std::string& reason) {
  throw InputError(path, "cannot be written: " + reason);
}

void write_directly(const fs::path& file, const std::string& path,
                    const std::function<void(std::ostream&)>& write) {
  errno = 0;
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  if (!out) cannot_write(path, std::strerror(errno));
  write(out);
  out.close();
  if (!out) cannot_write(path, errno != 0 ? std::strerror(errno) : "output failed");
}

// The names of the temporary files of this process, for a handler of signals: a few places, each
// taken and left by one exchange. A file that finds none free is as safe but for such a signal.
constexpr std::size_t kMostNames = 64;
std::array<std::atomic<const char*>, kMostNames> temporary_names{};
static_assert(std::atomic<const char*>::is_always_lock_free);

void enter(const char* name) {
  for (std::atomic<const char*>& place : temporary_names) {
    const char* free = nullptr;
    if (place.compare_exchange_strong(free, name)) return;
  }
}

void leave(const char* name) {
  for (std::atomic<const char*>& place : temporary_names) {
    const char* ours = name;
    if (place.compare_exchange_strong(ours, nullptr)) return;
  }
}

// PATH.PID-NUMBER.tmp: of this file, and no process, here or on another machine, holds it.
bool is_left_over(const fs::path& file, const std::string& target) {
  const std::string name = file.filename().string();
  if (!name.starts_with(target + ".") || !name.ends_with(".tmp")) return false;
  const std::string between = name.substr(target.size() + 1, name.size() - target.size() - 5);
  if (between.empty() || between.find_first_not_of("0123456789-") != std::string::npos)
    return false;
  const Descriptor held(open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  return held.number() >= 0 && flock(held.number(), LOCK_EX | LOCK_NB) == 0;
}

void remove_left_overs(const fs::path& target) {
  const fs::path above = target.parent_path();
  std::error_code error;
  std::vector<fs::path> found;
  fs::directory_iterator entry(above.empty() ? fs::path(".") : above, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error))
    if (is_left_over(entry->path(), target.filename().string())) found.push_back(entry->path());
  for (const fs::path& file : found) fs::remove(file, error);
}

// Holds the temporary file, and removes it unless it has become the real one.
class TemporaryFile {
 public:
  TemporaryFile(const fs::path& target, const std::string& path) : name_(name_beside(target)) {
    enter(name_.c_str());
    held_.emplace(open(name_.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
    if (held_->number() < 0) {
      leave(name_.c_str());
      cannot_write(path, std::strerror(errno));
    }
    flock(held_->number(), LOCK_EX | LOCK_NB);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    std::error_code ignored;
    fs::remove(name_, ignored);
    leave(name_.c_str());
  }
  const fs::path& name() const { return name_; }
  const Descriptor& file() const { return *held_; }

 private:
  static fs::path name_beside(fs::path target) {
    static std::atomic<int> counter = 0;
    target += "." + std::to_string(getpid()) + "-" + std::to_string(counter++) + ".tmp";
    return target;
  }

  fs::path name_;
  std::optional<Descriptor> held_;
};

void expect_writable_folder(const fs::path& folder, const std::string& path) {
  if (access(folder.c_str(), W_OK | X_OK) != 0) cannot_write(path, std::strerror(errno));
}

}  // namespace

void remove_temporary_files() noexcept {
  for (const std::atomic<const char*>& place : temporary_names)
    if (const char* name = place.load(); name != nullptr) unlink(name);
}

void expect_room_for_file(const std::string& path) {
  refuse_impossible_name(path);
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::is_directory(status)) cannot_write(path, "is a directory");
  if (fs::exists(status) && !fs::is_regular_file(status)) return;
  // A symbolic link stays, and the file it leads to is replaced.
  const fs::path target = fs::exists(status) ? fs::canonical(path, error) : fs::path(path);
  const fs::path above = target.parent_path();
  if (!above.empty() && !fs::exists(above, error))
    cannot_write(path, "there is no folder " + above.string());
  if (!above.empty() && !fs::is_directory(above, error))
    cannot_write(path, above.string() + " is not a folder");
  expect_writable_folder(above.empty() ? fs::path(".") : above, path);
}

void expect_room_for_folder(const std::string& path) {
  refuse_impossible_name(path);
  std::error_code error;
  fs::path at = path;
  while (!fs::exists(at, error)) {
    if (error && error != std::errc::no_such_file_or_directory &&
        error != std::errc::not_a_directory)
      throw InputError(path, "cannot be made: " + error.message());
    const fs::path above = at.parent_path();
    if (above.empty() || above == at) {
      at = ".";
      break;
    }
    at = above;
  }
  if (!fs::is_directory(at, error))
    throw InputError(path, at == fs::path(path)
                               ? std::string("is not a folder")
                               : "cannot be made: " + at.string() + " is not a folder");
  expect_writable_folder(at, path);
}

void write_file(const std::string& path, const std::function<void(std::ostream&)>& write) {
  refuse_impossible_name(path);
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  const bool exists = fs::exists(status);
  if (fs::is_directory(status)) cannot_write(path, "is a directory");
  if (exists && !fs::is_regular_file(status)) return write_directly(path, path, write);

  // A symbolic link stays, and the file it leads to is replaced.
  const fs::path target = exists ? fs::canonical(path, error) : fs::path(path);
  if (error && exists) cannot_write(path, error.message());
  remove_left_overs(target);
  const TemporaryFile temporary(target, path);
  write_directly(temporary.name(), path, write);
  if (exists) fs::permissions(temporary.name(), status.permissions(), error);
  sync_to_disk(temporary.file(), path);
  fs::rename(temporary.name(), target, error);
  if (error) cannot_write(path, error.message());
  sync_folder_of(target);
}

}  // namespace vapor
