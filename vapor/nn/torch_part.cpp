#include "vapor/nn/torch_part.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "vapor/core/error.h"
#include "vapor/nn/build_tag.h"

namespace vapor::nn {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPartFile = "libvapor_torch.so";  // vapor/nn/torch/CMakeLists.txt
constexpr const char* kPartSymbol = "vapor_torch_part";
constexpr const char* kPartVariable = "VAPOR_TORCH_PART";
constexpr const char* kTorchInMemory = "libtorch_cpu";

std::atomic<bool> part_is_open = false;

[[noreturn]] void refuse_arrays(const std::string& why) {
  throw InputError(setting("env"), "is observed as arrays, and networks on arrays " + why);
}

// A file that is mapped into this process, or a piece of one.
struct MappedFile {
  std::uintptr_t begin = 0, end = 0;
  fs::path path;
};

std::vector<MappedFile> mapped_files() {
  std::vector<MappedFile> files;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    std::istringstream words(line);
    MappedFile file;
    char dash = 0;
    std::string rights, offset, device, inode, path;
    words >> std::hex >> file.begin >> dash >> file.end >> rights >> offset >> device >> inode;
    if (!std::getline(words >> std::ws, path) || path[0] != '/') continue;
    file.path = path;
    files.push_back(file);
  }
  return files;
}

// Not dladdr, which knows the program by the word it was called by.
fs::path folder_of_this_object() {
  const auto here = reinterpret_cast<std::uintptr_t>(&folder_of_this_object);
  for (const MappedFile& file : mapped_files())
    if (file.begin <= here && here < file.end) return file.path.parent_path();
  return {};
}

// The part, or an empty path.
fs::path find_part() {
  std::error_code error;
  if (const char* named = std::getenv(kPartVariable)) return fs::exists(named, error) ? named : "";
  const fs::path folder = folder_of_this_object();
  // Beside bin/, of a prefix and of a build; from the build's python/vapor; from the package vapor
  // in lib/python3.x/site-packages.
  for (const char* place : {".", "lib/vapor", "../lib/vapor", "../../lib/vapor", "../../../vapor"})
    if (const fs::path file = folder / place / kPartFile; fs::exists(file, error)) return file;
  return {};
}

void expect_no_other_torch() {
  std::error_code error;
  const fs::path own = fs::weakly_canonical(kTorchLibrary, error);
  for (const MappedFile& file : mapped_files())
    if (file.path.filename().string().find(kTorchInMemory) != std::string::npos &&
        fs::weakly_canonical(file.path, error) != own)
      refuse_arrays(fmt::format("use {}, but {} is loaded already: {}", kTorchLibrary,
                                file.path.string(), kOneTorch));
}

const TorchPart* open_part() {
  const fs::path file = find_part();
  if (file.empty())
    refuse_arrays(fmt::format(
        "are a part that is not here, {}: install libtorch-dev and build again (`./run train` of a "
        "clone does both; the wheel has no such part)",
        std::getenv(kPartVariable) == nullptr ? kPartFile : std::getenv(kPartVariable)));
  expect_no_other_torch();
  void* const part = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (part == nullptr)
    refuse_arrays(
        fmt::format("cannot be loaded: {}; install libtorch-dev and build again", dlerror()));
  using Answer = const TorchPart* (*)();
  const auto answer = reinterpret_cast<Answer>(dlsym(part, kPartSymbol));
  const std::string build = answer == nullptr ? "no build of VAPOR" : answer()->build;
  if (build != build_of_this_object())
    refuse_arrays(fmt::format("cannot be loaded: {} is of {}, and this is {}; build both again",
                              file.string(), build, build_of_this_object()));
  part_is_open = true;
  return answer();
}

}  // namespace

const char* build_of_this_object() { return kBuildTag; }

bool has_torch_part() { return !find_part().empty(); }

const TorchPart& torch_part() {
  static const TorchPart* const part = open_part();
  return *part;
}

std::unique_ptr<Network> make_torch_network(const TorchNetworkSettings& settings,
                                            const ObservationStore& store,
                                            const RandomStream& random) {
  return torch_part().make_network(settings, store, random);
}

std::string open_torch_library() { return part_is_open ? kTorchLibrary : ""; }

}  // namespace vapor::nn
