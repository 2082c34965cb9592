#include "vapor/core/text.h"

#include <gtest/gtest.h>

namespace vapor {
namespace {

TEST(ShellWord, WhatAShellReadsAsItIsStaysAsItIs) {
  for (const char* word :
       {"deep_sea:depth=20,stochastic=true", "out/runs/a-b.json", "1e-9", "--tol"})
    EXPECT_EQ(shell_word(word), word);
}

TEST(ShellWord, TheRestIsQuoted) {
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(shell_word("two words"), "'two words'");
  EXPECT_EQ(shell_word("$HOME;*"), "'$HOME;*'");
  EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_word("~/file"), "'~/file'");
}

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
