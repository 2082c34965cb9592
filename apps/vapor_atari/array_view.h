// The memory of a NumPy array, through Python's buffer protocol: unlike pybind11's own arrays it
// does not depend on which versions of NumPy and pybind11 meet.
#pragma once

#include <pybind11/pybind11.h>

#include <cstddef>
#include <span>
#include <string>

namespace vapor::atari {

template <typename T>
class ArrayView {
 public:
  // Throws if the array does not hold elements of type T one after another.
  explicit ArrayView(const pybind11::object& array)
      : info_(pybind11::reinterpret_borrow<pybind11::buffer>(array).request()) {
    pybind11::ssize_t stride = sizeof(T);
    for (pybind11::ssize_t d = info_.ndim; d-- > 0; stride *= info_.shape[d])
      if (info_.strides[d] != stride && info_.shape[d] > 1) fail();
    if (info_.itemsize != static_cast<pybind11::ssize_t>(sizeof(T)) ||
        info_.format != pybind11::format_descriptor<T>::format())
      fail();
  }

  std::span<T> elements() const {
    return {static_cast<T*>(info_.ptr), static_cast<std::size_t>(info_.size)};
  }
  T operator[](std::size_t i) const { return elements()[i]; }

 private:
  [[noreturn]] void fail() const {
    throw pybind11::type_error("an array has the element type " + info_.format +
                               " or another layout than expected");
  }

  pybind11::buffer_info info_;
};

}  // namespace vapor::atari
