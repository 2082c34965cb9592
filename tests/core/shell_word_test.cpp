#include "vapor/core/shell_word.h"

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

}  // namespace
}  // namespace vapor
