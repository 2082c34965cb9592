#include "core_module.h"

#include <nanobind/stl/string.h>

#include "deep_environment.h"
#include "input_error.h"
#include "vapor/core/version.h"
#include "vapor/nn/torch_part.h"

NB_MODULE(_core, module) {
  module.doc() = "The C++ library behind the package vapor; use the package.";
  module.def("version", [] { return vapor::kVersion; });
  nanobind::set_leak_warnings(false);  // threads that live at the exit keep what they use
  // Networks on arrays: a part that is opened when they are first asked for.
  module.def("has_torch_part", &vapor::nn::has_torch_part);
  module.def("open_torch_part", [] { vapor::nn::torch_part(); });
  module.def("open_torch_library", &vapor::nn::open_torch_library);
  module.attr("one_torch") = vapor::nn::kOneTorch;
  vapor::python::translate_input_errors();
  vapor::python::translate_lost_environments();
  vapor::python::bind_problem(module);
  vapor::python::bind_solve(module);
  vapor::python::bind_derivatives(module);
  vapor::python::bind_environment(module);
  vapor::python::bind_places(module);
  vapor::python::bind_belief(module);
  vapor::python::bind_agent(module);
  vapor::python::bind_run(module);
  vapor::python::bind_policy(module);
  vapor::python::bind_report(module);
  vapor::python::bind_collection(module);
  vapor::python::bind_sweep(module);
}
