// What specs can name, as Python lists it: name, settings with defaults, summary.
#pragma once

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <span>
#include <string>
#include <tuple>
#include <vector>

namespace vapor::python {

using Kind = std::tuple<std::string, std::string, std::string>;

template <typename AnyKind>
std::vector<Kind> kinds_of(std::span<const AnyKind> all) {
  std::vector<Kind> kinds;
  for (const AnyKind& kind : all) kinds.emplace_back(kind.name, kind.settings, kind.summary);
  return kinds;
}

}  // namespace vapor::python
