#include "vapor/run/event_file.h"

#include <fmt/format.h>

#include <bit>
#include <chrono>
#include <cstring>

#include "vapor/core/check.h"
#include "vapor/core/checksum.h"

namespace vapor {
namespace {

static_assert(std::endian::native == std::endian::little, "the file is little-endian");

using WallClock = std::chrono::system_clock;

// The numbers of the fields in TensorFlow's event.proto and summary.proto.
constexpr int kWallTime = 1, kStep = 2, kFileVersion = 3, kSummary = 5, kSessionLog = 7;
constexpr int kValue = 1;                                           // of a summary
constexpr int kTag = 1, kSimpleValue = 2;                           // of a value
constexpr int kStatus = 1, kStarted = 1;                            // of a session log
constexpr int kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5;  // kinds of fields

template <typename T>
std::string raw(T value) {
  std::string bytes(sizeof value, '\0');
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 0x80U; value >>= 7U) bytes += static_cast<char>(value | 0x80U);
  return bytes + static_cast<char>(value);
}

std::string key(int number, int kind) {
  return varint(static_cast<std::uint64_t>(number) << 3U | static_cast<std::uint64_t>(kind));
}

std::string whole_field(int number, std::int64_t value) {
  return key(number, kVarint) + varint(static_cast<std::uint64_t>(value));
}

std::string bytes_field(int number, std::string_view bytes) {
  return key(number, kBytes) + varint(bytes.size()) + std::string(bytes);
}

std::string event(std::int64_t step, int content, std::string_view bytes) {
  const double now = std::chrono::duration<double>(WallClock::now().time_since_epoch()).count();
  return key(kWallTime, kFixed64) + raw(now) + whole_field(kStep, step) +
         bytes_field(content, bytes);
}

// A checksum of data that holds checksums is weak; hence the mask.
std::uint32_t masked(std::uint32_t crc) { return std::rotr(crc, 15) + 0xa282ead8U; }

std::string record(std::string_view data) {
  const std::string length = raw(static_cast<std::uint64_t>(data.size()));
  return length + raw(masked(crc32c(length))) + std::string(data) + raw(masked(crc32c(data)));
}

}  // namespace

// TensorBoard reads the files of a folder in the order of their names: the time, here.
EventFile::EventFile(const std::string& folder, std::int64_t first_step) {
  VAPOR_CHECK_GE(first_step, 0);
  make_folder(folder);
  const std::int64_t now =
      std::chrono::duration_cast<std::chrono::microseconds>(WallClock::now().time_since_epoch())
          .count();
  file_.emplace(fmt::format("{}/events.out.tfevents.{:010}.{:06}.vapor", folder, now / 1'000'000,
                            now % 1'000'000));
  file_->append(record(event(0, kFileVersion, "brain.Event:2")));
  file_->append(record(event(first_step, kSessionLog, whole_field(kStatus, kStarted))));
}

void EventFile::add(std::int64_t step, std::span<const Scalar> scalars) {
  std::string summary;
  for (const Scalar& scalar : scalars)
    summary += bytes_field(kValue, bytes_field(kTag, scalar.name) + key(kSimpleValue, kFixed32) +
                                       raw(static_cast<float>(scalar.value)));
  file_->append(record(event(step, kSummary, summary)));
}

}  // namespace vapor
