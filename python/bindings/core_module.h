// The parts of the module vapor._core, one function a file. The public classes are those of
// python/vapor, which hold these.
#pragma once

#include <nanobind/nanobind.h>

namespace vapor::python {

void bind_problem(nanobind::module_& module);
void bind_solve(nanobind::module_& module);
void bind_derivatives(nanobind::module_& module);
void bind_environment(nanobind::module_& module);
void bind_places(nanobind::module_& module);
void bind_belief(nanobind::module_& module);
void bind_agent(nanobind::module_& module);
void bind_run(nanobind::module_& module);
void bind_policy(nanobind::module_& module);
void bind_report(nanobind::module_& module);
void bind_collection(nanobind::module_& module);
void bind_sweep(nanobind::module_& module);

}  // namespace vapor::python
