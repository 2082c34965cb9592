// The parts of the module vapor._deep, one function a file. The public classes are those of
// python/vapor/deep, which hold these.
#pragma once

#include <nanobind/nanobind.h>

namespace vapor::python {

void bind_training(nanobind::module_& module);
void bind_policy(nanobind::module_& module);

}  // namespace vapor::python
