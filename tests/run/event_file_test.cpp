#include "vapor/run/event_file.h"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "tests/record/temporary_folder.h"
#include "vapor/core/checksum.h"
#include "vapor/run/training_log.h"

namespace vapor {
namespace {

using vapor::test_support::contents;
using vapor::test_support::FolderTest;

// A reader of its own, from the descriptions of the formats; the checksum bit by bit.
std::uint32_t slow_crc(std::string_view bytes) {
  std::uint32_t crc = ~0U;
  for (const char byte : bytes) {
    crc ^= static_cast<std::uint8_t>(byte);
    for (int bit = 0; bit < 8; ++bit) crc = crc % 2 == 1 ? crc / 2 ^ 0x82f63b78U : crc / 2;
  }
  return ~crc;
}

template <typename T>
T read(const std::string& bytes, std::size_t at) {
  T value;
  EXPECT_LE(at + sizeof value, bytes.size());
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

std::vector<std::string> records(const std::string& file) {
  const auto masked = [](std::uint32_t crc) { return (crc >> 15 | crc << 17) + 0xa282ead8U; };
  std::vector<std::string> all;
  for (std::size_t at = 0; at < file.size();) {
    const auto size = read<std::uint64_t>(file, at);
    EXPECT_EQ(read<std::uint32_t>(file, at + 8), masked(slow_crc(file.substr(at, 8))));
    all.push_back(file.substr(at + 12, size));
    EXPECT_EQ(read<std::uint32_t>(file, at + 12 + size), masked(slow_crc(all.back())));
    at += size + 16;
  }
  return all;
}

// The fields of a message: by number, the bytes of each in order. Varints are as decimals.
std::multimap<int, std::string> fields(const std::string& message) {
  std::multimap<int, std::string> all;
  std::size_t at = 0;
  const auto varint = [&] {
    std::uint64_t value = 0;
    int shift = 0;
    for (std::uint8_t byte = 0x80; byte >= 0x80; shift += 7) {
      byte = static_cast<std::uint8_t>(message.at(at++));
      value |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
    }
    return value;
  };
  while (at < message.size()) {
    const std::uint64_t key = varint();
    if (key % 8 == 0) {
      all.emplace(key / 8, std::to_string(varint()));
      continue;
    }
    const std::size_t size = key % 8 == 1 ? 8 : key % 8 == 5 ? 4 : varint();
    all.emplace(key / 8, message.substr(at, size));
    at += size;
  }
  return all;
}

std::map<std::string, float> scalars(const std::string& summary) {
  std::map<std::string, float> all;
  for (const auto& [number, value] : fields(summary)) {
    EXPECT_EQ(number, 1);
    const auto parts = fields(value);
    all[parts.find(1)->second] = read<float>(parts.find(2)->second, 0);
  }
  return all;
}

class EventFileTest : public FolderTest {};

TEST_F(EventFileTest, AnIndependentReaderReadsWhatWasWritten) {
  EXPECT_EQ(crc32c("123456789"), 0xe3069283U) << "the check value of CRC-32C";
  EventFile file(path("log"), 301);
  const std::vector<Scalar> first = {{"return", -1.5}, {"losses/value", 0.25}};
  file.add(300, first);
  const std::vector<Scalar> second = {{"return", 1e9}};
  file.add(std::int64_t{1} << 40, second);
  const std::vector<std::string> all = records(contents(file.path()));
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(fields(all[0]).find(3)->second, "brain.Event:2");
  const auto start = fields(all[1]);
  EXPECT_EQ(start.find(2)->second, "301") << "what was written from this step on is void";
  EXPECT_EQ(fields(start.find(7)->second).find(1)->second, "1") << "SessionLog.START";
  EXPECT_EQ(fields(all[2]).find(2)->second, "300");
  EXPECT_EQ(scalars(fields(all[2]).find(5)->second),
            (std::map<std::string, float>{{"return", -1.5F}, {"losses/value", 0.25F}}));
  EXPECT_EQ(fields(all[3]).find(2)->second, "1099511627776");
  EXPECT_EQ(scalars(fields(all[3]).find(5)->second),
            (std::map<std::string, float>{{"return", 1e9F}}));
  for (const std::string& event : all)
    EXPECT_GT(read<double>(fields(event).find(1)->second, 0), 1.6e9) << "seconds since 1970";
}

// A log that goes on is a file of its own, after the older one in the order of names.
TEST_F(EventFileTest, ALogThatGoesOnVoidsWhatLiesBehindItsFrames) {
  TrainingLog(path("run"), 0, 0).add({.episode_return = 1.0, .frames = 500, .losses = {}});
  TrainingLog(path("run"), 400, 0).add({.episode_return = 2.0, .frames = 450, .losses = {}});
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(path("run") + "/tensorboard"))
    files.push_back(entry.path().string());
  std::ranges::sort(files);
  ASSERT_EQ(files.size(), 2u);
  EXPECT_NE(files[0].find("tfevents"), std::string::npos);
  EXPECT_EQ(fields(records(contents(files[0]))[1]).find(2)->second, "0");
  EXPECT_EQ(fields(records(contents(files[1]))[1]).find(2)->second, "401");
  EXPECT_EQ(scalars(fields(records(contents(files[1]))[2]).find(5)->second).at("return"), 2.0F);
}

}  // namespace
}  // namespace vapor
