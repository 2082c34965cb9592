// State as bytes, for pickling: what a checkpoint would hold.
#pragma once

#include <nanobind/nanobind.h>

#include <string>

#include "vapor/core/archive.h"

namespace vapor::python {

template <typename Kept>
nanobind::bytes saved(Kept& kept) {
  Archive archive;
  kept.archive(archive);
  const std::string& bytes = archive.bytes();
  return nanobind::bytes(bytes.data(), bytes.size());
}

template <typename Kept>
void restore(Kept& kept, const nanobind::bytes& state) {
  Archive archive = Archive::restoring(std::string(state.c_str(), state.size()));
  kept.archive(archive);
  archive.expect_end();
}

}  // namespace vapor::python
