// Double-double arithmetic against whole numbers of 128 bits, in which everything here is exact.
#include "vapor/core/double_double.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "vapor/core/random.h"

namespace vapor {
namespace {

using Whole = __int128;

Whole whole(DoubleDouble a) { return static_cast<Whole>(a.hi) + static_cast<Whole>(a.lo); }

Whole magnitude(Whole a) { return a < 0 ? -a : a; }

// A random whole number of at most `bits` bits, and the double-double that is equal to it.
Whole random_whole(RandomStream& random, int bits) {
  Whole a = 0;
  for (int i = 0; i < bits; ++i) a = 2 * a + random.index(2);
  return random.index(2) == 0 ? a : -a;
}

DoubleDouble double_double(Whole a) {
  const double hi = static_cast<double>(a);
  return {hi, static_cast<double>(a - static_cast<Whole>(hi))};
}

// Whether `got` is `exact` up to a unit of `size`.
bool within_unit(DoubleDouble got, Whole exact, Whole size) {
  const double error = static_cast<double>(magnitude(whole(got) - exact));
  return error <= kDoubleDoubleUnit * static_cast<double>(size) && got.hi + got.lo == got.hi;
}

TEST(DoubleDouble, SumsAndProductsOfDoublesAreExact) {
  RandomStream random(1);
  for (int i = 0; i < 10000; ++i) {
    const double a = static_cast<double>(random_whole(random, 53));
    const double b = static_cast<double>(random_whole(random, 1 + random.index(53)));
    const double shifted = std::ldexp(b, random.index(60));
    ASSERT_EQ(whole(two_product(a, b)), static_cast<Whole>(a) * static_cast<Whole>(b));
    ASSERT_EQ(whole(two_sum(a, shifted)), static_cast<Whole>(a) + static_cast<Whole>(shifted));
    ASSERT_EQ(whole(two_sum(shifted, a)), static_cast<Whole>(a) + static_cast<Whole>(shifted));
  }
}

TEST(DoubleDouble, ASumErrsByAUnitOfItsTermsEvenWhereTheyCancel) {
  RandomStream random(2);
  for (int i = 0; i < 100000; ++i) {
    const Whole a = random_whole(random, 106);
    Whole b = random_whole(random, 1 + random.index(106));
    if (i % 2 == 0) b -= a;  // all but the last bits of it
    if (magnitude(b) >> 106 != 0) continue;
    const DoubleDouble sum = double_double(a) + double_double(b);
    ASSERT_TRUE(within_unit(sum, a + b, magnitude(a) + magnitude(b))) << i;
    const double c = static_cast<double>(random_whole(random, 53));
    const DoubleDouble other = double_double(a) + c;
    const Whole d = static_cast<Whole>(c);
    ASSERT_TRUE(within_unit(other, a + d, magnitude(a) + magnitude(d))) << i;
  }
}

TEST(DoubleDouble, AProductErrsByAUnitOfItself) {
  RandomStream random(3);
  for (int i = 0; i < 100000; ++i) {
    const Whole a = random_whole(random, 63);
    const Whole b = random_whole(random, 63);
    ASSERT_TRUE(within_unit(double_double(a) * double_double(b), a * b, magnitude(a * b))) << i;
    const Whole c = random_whole(random, 73);
    const double d = static_cast<double>(random_whole(random, 53));
    const Whole exact = c * static_cast<Whole>(d);
    ASSERT_TRUE(within_unit(double_double(c) * d, exact, magnitude(exact))) << i;
  }
}

TEST(DoubleDouble, AReciprocalTimesItsNumberIsOne) {
  RandomStream random(4);
  for (int i = 0; i < 100000; ++i) {
    const Whole a = random_whole(random, 106);
    if (a == 0) continue;
    const DoubleDouble x = double_double(a);
    const DoubleDouble product = x * reciprocal(x);
    EXPECT_LE(std::abs((product.hi - 1.0) + product.lo), 2.0 * kDoubleDoubleUnit);
  }
}

TEST(DoubleDouble, RoundingUpAndDownIsOnTheSafeSideAndClose) {
  RandomStream random(5);
  for (int i = 0; i < 10000; ++i) {
    const Whole a = random_whole(random, 100);
    const Whole slack = magnitude(random_whole(random, 1 + random.index(90)));
    const double up = round_up(double_double(a), static_cast<double>(slack));
    const double down = round_down(double_double(a), static_cast<double>(slack));
    ASSERT_GE(static_cast<Whole>(up), a + static_cast<Whole>(static_cast<double>(slack)));
    ASSERT_LE(static_cast<Whole>(down), a - static_cast<Whole>(static_cast<double>(slack)));
    const double size = static_cast<double>(magnitude(a) + slack);
    ASSERT_LE(up - static_cast<double>(a + slack), 0x1.0p-49 * size + 2.0);
    ASSERT_LE(static_cast<double>(a - slack) - down, 0x1.0p-49 * size + 2.0);
  }
}

TEST(DoubleDouble, WhatHasNoNumberHasNoBound) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(round_up({kNan, 0.0}, 0.0), kInfinity);
  EXPECT_EQ(round_up({1.0, kNan}, 0.0), kInfinity);
  EXPECT_EQ(round_up({1.0, 0.0}, kNan), kInfinity);
  EXPECT_EQ(round_up({1.0, 0.0}, kInfinity), kInfinity);
  EXPECT_EQ(round_down({kNan, 0.0}, 0.0), -kInfinity);
  EXPECT_EQ(round_down({1.0, 0.0}, kInfinity), -kInfinity);
  const DoubleDouble overflow = DoubleDouble{1e308, 0.0} * 1e10;
  EXPECT_EQ(round_up(overflow, 0.0), kInfinity);
}

}  // namespace
}  // namespace vapor
