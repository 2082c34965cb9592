// Always-on checks of invariants. A failed check is a bug in this library, never bad input; it
// prints both operands and the place.
#pragma once

#include <sstream>
#include <stdexcept>
#include <string>

namespace vapor {

class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

namespace detail {

template <typename A, typename B>
[[noreturn]] void check_failed(const char* file, int line, const char* text, const A& a,
                               const B& b) {
  std::ostringstream out;
  out.precision(17);
  out << file << ":" << line << ": check failed: " << text << " (" << a << " against " << b << ")";
  throw InternalError(out.str());
}

}  // namespace detail
}  // namespace vapor

#define VAPOR_CHECK_OP(op, a, b)                                                          \
  do {                                                                                    \
    const auto& vapor_check_a = (a);                                                      \
    const auto& vapor_check_b = (b);                                                      \
    if (!(vapor_check_a op vapor_check_b))                                                \
      ::vapor::detail::check_failed(__FILE__, __LINE__, #a " " #op " " #b, vapor_check_a, \
                                    vapor_check_b);                                       \
  } while (false)

#define VAPOR_CHECK_EQ(a, b) VAPOR_CHECK_OP(==, a, b)
#define VAPOR_CHECK_LE(a, b) VAPOR_CHECK_OP(<=, a, b)
#define VAPOR_CHECK_LT(a, b) VAPOR_CHECK_OP(<, a, b)
#define VAPOR_CHECK_GE(a, b) VAPOR_CHECK_OP(>=, a, b)
#define VAPOR_CHECK_GT(a, b) VAPOR_CHECK_OP(>, a, b)
