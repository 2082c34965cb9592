#include "vapor/core/checksum.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstring>

namespace vapor {
namespace {

static_assert(std::endian::native == std::endian::little, "eight bytes are taken as one number");

// tables[k][b]: what the byte b does to the sum when k bytes follow it. Eight bytes then take eight
// look-ups that do not wait for one another.
constexpr auto crc_tables() {
  std::array<std::array<std::uint32_t, 256>, 8> tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? 0x82f63b78U : 0U);
    tables[0][byte] = crc;
  }
  for (std::size_t k = 1; k < 8; ++k)
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t before = tables[k - 1][byte];
      tables[k][byte] = (before >> 8U) ^ tables[0][before & 0xffU];
    }
  return tables;
}

constexpr auto kTables = crc_tables();

}  // namespace

void Checksum::add(std::string_view bytes) {
  std::uint32_t crc = state_;
  for (; bytes.size() >= 8; bytes.remove_prefix(8)) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, bytes.data(), 8);
    eight ^= crc;
    crc = 0;
    for (std::size_t k = 0; k < 8; ++k) crc ^= kTables[7 - k][(eight >> (8 * k)) & 0xffU];
  }
  for (const char byte : bytes)
    crc = (crc >> 8U) ^ kTables[0][(crc ^ static_cast<std::uint8_t>(byte)) & 0xffU];
  state_ = crc;
}

std::string Checksum::text() const { return fmt::format("crc32c:{:08x}", value()); }

std::uint32_t crc32c(std::string_view bytes) {
  Checksum sum;
  sum.add(bytes);
  return sum.value();
}

std::string checksum_text(std::string_view bytes) {
  Checksum sum;
  sum.add(bytes);
  return sum.text();
}

}  // namespace vapor
