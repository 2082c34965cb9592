#include "vapor/core/version.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

namespace vapor {
namespace {

TEST(Version, IsTheOneOfTheProject) {
  std::ostringstream project;
  project << std::ifstream(std::string(VAPOR_SOURCE_DIR) + "/CMakeLists.txt").rdbuf();
  EXPECT_NE(project.str().find(std::string("VERSION ") + kVersion + " "), std::string::npos)
      << kVersion;
}

}  // namespace
}  // namespace vapor
