// CRC-32C (Castagnoli; RFC 3720, appendix B.4): notices every single flipped bit, and every damage
// within 32 bits, of what is on a disk or on a wire. It guards against accidents, not against
// people.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace vapor {

// Of bytes that come one part after another.
class Checksum {
 public:
  void add(std::string_view bytes);
  std::uint32_t value() const { return ~state_; }

  // "crc32c:e3069283".
  std::string text() const;

 private:
  std::uint32_t state_ = 0xffffffffU;
};

std::uint32_t crc32c(std::string_view bytes);

// What Checksum::text() says of these bytes.
std::string checksum_text(std::string_view bytes);

}  // namespace vapor
