// NumPy arrays in and out. What comes in is copied at once, while the interpreter is held, so a
// call that lets go of it never sees an array that changes.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "vapor/core/error.h"

namespace vapor::python {

namespace nb = nanobind;

template <typename T>
using ArrayIn = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <typename T>
using ArrayOut = nb::ndarray<nb::numpy, T, nb::ndim<1>>;

template <typename T>
std::vector<T> copied(const ArrayIn<T>& array) {
  return std::vector<T>(array.data(), array.data() + array.size());
}

// A table of the size that it must have; throws InputError that names it.
inline std::vector<double> copied(const std::string& place, const ArrayIn<double>& array,
                                  std::size_t size) {
  if (array.size() != size)
    throw InputError(place, "must have " + std::to_string(size) + " numbers, has " +
                                std::to_string(array.size()));
  return copied(array);
}

// An array that owns what it shows.
template <typename T>
ArrayOut<T> array_of(std::vector<T> values) {
  auto* kept = new std::vector<T>(std::move(values));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return ArrayOut<T>(kept->data(), {kept->size()}, owner);
}

// A read-only view of what the bound object holds: for properties, which keep that object alive.
template <typename T>
using View = nb::ndarray<nb::numpy, const T, nb::ndim<1>>;

template <typename T>
View<T> view_of(const std::vector<T>& values) {
  return View<T>(values.data(), {values.size()}, nb::handle());
}

template <typename T>
ArrayOut<T> copy_of(std::span<const T> values) {
  return array_of(std::vector<T>(values.begin(), values.end()));
}

}  // namespace vapor::python
