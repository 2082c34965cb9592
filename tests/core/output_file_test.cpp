#include "vapor/core/output_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

#include "vapor/core/error.h"

namespace vapor {
namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// An empty folder of its own, removed afterwards.
class OutputFile : public testing::Test {
 protected:
  OutputFile() {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~OutputFile() override { fs::remove_all(folder_); }

  long files() const {
    return std::distance(fs::directory_iterator(folder_), fs::directory_iterator());
  }

  const fs::path folder_ =
      fs::path(testing::TempDir()) / ("vapor_test_" + std::to_string(getpid()));
  const fs::path file_ = folder_ / "result.json";
};

TEST_F(OutputFile, HoldsWhatWasWritten) {
  write_file(file_, [](std::ostream& out) { out << "first"; });
  EXPECT_EQ(contents(file_), "first");
  write_file(file_, [](std::ostream& out) { out << "second"; });
  EXPECT_EQ(contents(file_), "second");
  EXPECT_EQ(files(), 1);
}

TEST_F(OutputFile, AFailedWriteLeavesTheOldFileAndNothingElse) {
  write_file(file_, [](std::ostream& out) { out << "old"; });
  const auto fail = [](std::ostream& out) {
    out << "half of the new";
    throw std::runtime_error("interrupted");
  };
  EXPECT_THROW(write_file(file_, fail), std::runtime_error);
  EXPECT_EQ(contents(file_), "old");
  EXPECT_EQ(files(), 1);
}

TEST_F(OutputFile, AStreamThatFailsIsNotRenamed) {
  const auto fail = [](std::ostream& out) { out.setstate(std::ios::badbit); };
  EXPECT_THROW(write_file(file_, fail), InputError);
  EXPECT_EQ(files(), 0);
}

TEST_F(OutputFile, NamesThePathThatCannotBeWritten) {
  const auto write = [](std::ostream& out) { out << "x"; };
  const std::string missing = folder_ / "no" / "such" / "folder";
  try {
    write_file(missing, write);
    FAIL() << "wrote " << missing;
  } catch (const InputError& error) {
    EXPECT_EQ(error.place(), missing);
    EXPECT_EQ(error.what(), missing + ": cannot be written: No such file or directory");
  }
  EXPECT_THROW(write_file(folder_, write), InputError);
  EXPECT_THROW(write_file("", write), InputError);
}

TEST_F(OutputFile, KeepsASymbolicLinkAndThePermissions) {
  write_file(file_, [](std::ostream& out) { out << "old"; });
  fs::permissions(file_, fs::perms::owner_read | fs::perms::owner_write);
  const fs::path link = folder_ / "link";
  fs::create_symlink("result.json", link);
  write_file(link, [](std::ostream& out) { out << "new"; });
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(contents(file_), "new");
  EXPECT_EQ(fs::status(file_).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

// A rename over a device would replace the device.
TEST_F(OutputFile, WritesIntoWhatIsNotARegularFile) {
  write_file("/dev/null", [](std::ostream& out) { out << "gone"; });
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(OutputFile, ReportsAFullDevice) {
  ASSERT_TRUE(fs::is_character_file("/dev/full"));
  EXPECT_THROW(write_file("/dev/full", [](std::ostream& out) { out << "x"; }), InputError);
}

}  // namespace
}  // namespace vapor
