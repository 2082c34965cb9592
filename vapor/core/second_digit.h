// Where a number with an error is rounded.
#pragma once

namespace vapor {

// The power of ten of the second significant digit of an error > 0: -1 for 1.6, 0 for 16, and -2
// for 0.0999, which two digits make 0.10.
int second_digit(double error);

}  // namespace vapor
