#include "vapor/core/second_digit.h"

#include <gtest/gtest.h>

namespace vapor {
namespace {

TEST(SecondDigit, IsOneBelowTheFirst) {
  EXPECT_EQ(second_digit(1.6), -1);
  EXPECT_EQ(second_digit(16.0), 0);
  EXPECT_EQ(second_digit(1e-7), -8);
}

TEST(SecondDigit, IsThatOfTheRoundedError) {
  EXPECT_EQ(second_digit(0.0999), -2);
  EXPECT_EQ(second_digit(9.96), 0);
}

}  // namespace
}  // namespace vapor
