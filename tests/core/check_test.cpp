#include "vapor/core/check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "vapor/core/error.h"

namespace vapor {
namespace {

template <typename F>
std::string message_of(const F& f) {
  try {
    f();
  } catch (const InternalError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Check, PassesWhenTheRelationHolds) {
  EXPECT_NO_THROW(VAPOR_CHECK_EQ(2 + 2, 4));
  EXPECT_NO_THROW(VAPOR_CHECK_LE(1, 1));
  EXPECT_NO_THROW(VAPOR_CHECK_LT(1, 2));
  EXPECT_NO_THROW(VAPOR_CHECK_GE(1, 1));
  EXPECT_NO_THROW(VAPOR_CHECK_GT(2, 1));
}

TEST(Check, PrintsBothOperandsAndThePlace) {
  const int three = 3;
  const std::string message = message_of([&] { VAPOR_CHECK_EQ(three + 1, 5); });
  EXPECT_THAT(message, testing::HasSubstr("check_test.cpp"));
  EXPECT_THAT(message, testing::HasSubstr("three + 1 == 5"));
  EXPECT_THAT(message, testing::HasSubstr("4 against 5"));
}

TEST(Check, EveryRelationCanFail) {
  EXPECT_THROW(VAPOR_CHECK_LE(2, 1), InternalError);
  EXPECT_THROW(VAPOR_CHECK_LT(1, 1), InternalError);
  EXPECT_THROW(VAPOR_CHECK_GE(1, 2), InternalError);
  EXPECT_THROW(VAPOR_CHECK_GT(1, 1), InternalError);
}

TEST(Check, NotANumberPassesNoRelation) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(VAPOR_CHECK_LE(nan, 1.0), InternalError);
  EXPECT_THROW(VAPOR_CHECK_GE(nan, 1.0), InternalError);
}

TEST(Check, EvaluatesEachOperandOnce) {
  int calls = 0;
  VAPOR_CHECK_EQ(++calls, 1);
  EXPECT_EQ(calls, 1);
}

TEST(InputError, NamesThePlaceFirst) {
  const InputError error("layers[3].sigma[2][0]", "must be >= 0, got -1");
  EXPECT_STREQ(error.what(), "layers[3].sigma[2][0]: must be >= 0, got -1");
  EXPECT_EQ(error.place(), "layers[3].sigma[2][0]");
  EXPECT_STREQ(InputError("", "no place").what(), "no place");
}

}  // namespace
}  // namespace vapor
