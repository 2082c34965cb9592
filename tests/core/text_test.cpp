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

TEST(Printable, WhatATerminalShowsStays) {
  for (const char* text :
       {"", "deep_sea:depth=20", "\u00fc \u00b1 \u65e5\u672c \U0001f600", "back\\slash"})
    EXPECT_EQ(printable(text), text);
}

TEST(Printable, ControlsAndWhatIsNotUtf8AreSpelledOut) {
  EXPECT_EQ(printable("a\x1b[31mb\n"), "a\\x1b[31mb\\n");
  EXPECT_EQ(printable(std::string("a\0b\x7f\t\r", 6)), "a\\x00b\\x7f\\t\\r");
  EXPECT_EQ(printable("\xff\xc3("), "\\xff\\xc3(");
  EXPECT_EQ(printable("\xc2\x9b"), "\\xc2\\x9b") << "C1: a control sequence in one character";
  EXPECT_EQ(printable("\xc0\xaf\xed\xa0\x80"), "\\xc0\\xaf\\xed\\xa0\\x80")
      << "overlong, surrogate";
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80") << "beyond U+10FFFF";
  EXPECT_EQ(printable(printable("\x1b\xff")), printable("\x1b\xff"));
}

}  // namespace
}  // namespace vapor
