#include "vapor/core/output_file.h"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "vapor/core/error.h"

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

// Removes the temporary file unless it has become the real one.
class TemporaryFile {
 public:
  explicit TemporaryFile(const fs::path& target) : name_(target) {
    static std::atomic<int> counter = 0;
    name_ += "." + std::to_string(getpid()) + "-" + std::to_string(counter++) + ".tmp";
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    std::error_code ignored;
    fs::remove(name_, ignored);
  }
  const fs::path& name() const { return name_; }

 private:
  fs::path name_;
};

}  // namespace

void write_file(const std::string& path, const std::function<void(std::ostream&)>& write) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  const bool exists = fs::exists(status);
  if (fs::is_directory(status)) cannot_write(path, "is a directory");
  if (path.empty()) cannot_write(path, "the name is empty");
  if (exists && !fs::is_regular_file(status)) return write_directly(path, path, write);

  // A symbolic link stays, and the file it leads to is replaced.
  const fs::path target = exists ? fs::canonical(path, error) : fs::path(path);
  if (error && exists) cannot_write(path, error.message());
  const TemporaryFile temporary(target);
  write_directly(temporary.name(), path, write);
  if (exists) fs::permissions(temporary.name(), status.permissions(), error);
  fs::rename(temporary.name(), target, error);
  if (error) cannot_write(path, error.message());
}

}  // namespace vapor
