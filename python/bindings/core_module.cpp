#include "core_module.h"

#include "input_error.h"
#include "vapor/core/version.h"

NB_MODULE(_core, module) {
  module.doc() = "The C++ library behind the package vapor; use the package.";
  module.def("version", [] { return vapor::kVersion; });
  nanobind::set_leak_warnings(false);  // threads that live at the exit keep what they use
  vapor::python::translate_input_errors();
  vapor::python::bind_problem(module);
  vapor::python::bind_solve(module);
  vapor::python::bind_environment(module);
  vapor::python::bind_places(module);
  vapor::python::bind_belief(module);
  vapor::python::bind_agent(module);
  vapor::python::bind_experiment(module);
  vapor::python::bind_report(module);
  vapor::python::bind_collection(module);
  vapor::python::bind_sweep(module);
}
