#include "scratch.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

namespace vapor::fuzz {
namespace {

namespace fs = std::filesystem;

class Scratch {
 public:
  Scratch() {
    const fs::path memory = "/dev/shm";
    std::error_code ignored;
    const fs::path above = access(memory.c_str(), W_OK) == 0 ? memory : fs::temp_directory_path();
    folder_ = above / ("vapor-fuzz-" + std::to_string(getpid()));
    empty();
  }
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  void empty() {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }

  const std::string& folder() const { return folder_; }

 private:
  std::string folder_;
};

}  // namespace

Files split_files(std::string_view bytes, const std::string& first) {
  constexpr std::string_view kMark = "=== ";
  Files files = {{first, ""}};
  while (!bytes.empty()) {
    const std::size_t end = std::min(bytes.find('\n'), bytes.size() - 1) + 1;
    const std::string_view line = bytes.substr(0, end);
    if (line.starts_with(kMark) && line.ends_with('\n'))
      files.emplace_back(line.substr(kMark.size(), line.size() - kMark.size() - 1), "");
    else
      files.back().second += line;
    bytes.remove_prefix(end);
  }
  return files;
}

const std::string& scratch_folder(const Files& files, const std::vector<std::string>& allowed) {
  static Scratch scratch;
  scratch.empty();
  for (const auto& [name, text] : files) {
    if (std::ranges::find(allowed, name) == allowed.end()) continue;
    const fs::path path = fs::path(scratch.folder()) / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
  }
  return scratch.folder();
}

std::string contents_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace vapor::fuzz
