// How words and numbers are written for a reader.
#pragma once

#include <string>
#include <string_view>

namespace vapor {

// The text as one word of a POSIX shell: as it is if that is safe, else in single quotes.
std::string shell_word(std::string_view text);

// The text as one line that a terminal shows and no more: bytes that are not UTF-8 and control
// characters, of C1 too, are written as \xNN, as \n, \t and \r. What is printable stays as it is.
std::string printable(std::string_view text);

// Four significant digits, and those of a large number in full: 126.3, 0.00415, 1.2e-09, 20000.
std::string number_text(double value);

// Where a number with an error is rounded: the power of ten of the second significant digit of an
// error > 0, -1 for 1.6, 0 for 16, and -2 for 0.0999, which two digits make 0.10.
int second_digit(double error);

}  // namespace vapor
