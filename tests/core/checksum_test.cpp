#include "vapor/core/checksum.h"

#include <gtest/gtest.h>

namespace vapor {
namespace {

// The check value of the catalogue of CRCs, and two of RFC 3720, appendix B.4.
TEST(Checksum, IsCrc32c) {
  EXPECT_EQ(crc32c(""), 0u);
  EXPECT_EQ(crc32c("123456789"), 0xe3069283u);
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8a9136aau);
  EXPECT_EQ(crc32c(std::string(32, '\xff')), 0x62a8ab43u);
  EXPECT_EQ(checksum_text("123456789"), "crc32c:e3069283");
}

TEST(Checksum, OfPartsIsThatOfTheWhole) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += static_cast<char>(37 * i);
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    Checksum sum;
    sum.add(std::string_view(text).substr(0, cut));
    sum.add(std::string_view(text).substr(cut));
    EXPECT_EQ(sum.value(), crc32c(text));
  }
}

}  // namespace
}  // namespace vapor
