#include "vapor/deep/memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "vapor/core/error.h"

namespace vapor::deep {
namespace {

TEST(Memory, WhatFitsIsTakenToTheLastByte) {
  const double machine =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
  EXPECT_NO_THROW(expect_memory("env", "a table", machine, "choose a smaller one"));
  EXPECT_THROW(expect_memory("env", "a table", machine + 1.0, "choose a smaller one"), InputError);
}

TEST(Memory, WhatDoesNotFitIsRefusedWithItsSizeAndARemedy) {
  try {
    expect_memory("env", "a table", 1e18, "choose a smaller one");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.place(), "env");
    EXPECT_THAT(error.what(), testing::HasSubstr("a table would take 1000000000 GB"));
    EXPECT_THAT(error.what(), testing::HasSubstr("choose a smaller one"));
  }
}

}  // namespace
}  // namespace vapor::deep
