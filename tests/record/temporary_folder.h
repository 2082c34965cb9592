// A folder of its own for each test, removed afterwards.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "vapor/core/error.h"

namespace vapor::test_support {

namespace fs = std::filesystem;

inline std::string contents(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

inline void write_contents(const fs::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

class FolderTest : public testing::Test {
 protected:
  FolderTest() {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~FolderTest() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return folder_ / name; }

  // What the call says is wrong; it must throw InputError.
  template <typename Call>
  static std::string complaint(const Call& call) {
    try {
      call();
    } catch (const InputError& e) {
      return e.what();
    }
    ADD_FAILURE() << "nothing was refused";
    return "";
  }

  const fs::path folder_ = fs::path(testing::TempDir()) / ("vapor_" + std::to_string(getpid()));
};

}  // namespace vapor::test_support
