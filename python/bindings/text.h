// Text of the library as Python's: a message may quote bytes of a file that are not UTF-8.
#pragma once

#include <nanobind/nanobind.h>

#include <string_view>

namespace vapor::python {

inline nanobind::str text_of(std::string_view text) {
  return nanobind::steal<nanobind::str>(
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "backslashreplace"));
}

}  // namespace vapor::python
