#include "vapor/deep/memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "vapor/core/error.h"

namespace vapor::deep {
namespace {

TEST(Memory, WhatFitsIsTaken) { expect_memory("env", "a table", 1e6, "choose a smaller one"); }

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
