#include "deep_module.h"

#include <nanobind/stl/string.h>

#include "deep_environment.h"
#include "input_error.h"
#include "vapor/nn/torch_part.h"

NB_MODULE(_deep, module) {
  module.doc() = "The deep agents behind the package vapor.deep; use the package.";
  // Networks on arrays: a part that is opened when they are first asked for.
  module.def("has_torch_part", &vapor::nn::has_torch_part);
  module.def("open_torch_part", [] { vapor::nn::torch_part(); });
  module.def("open_torch_library", &vapor::nn::open_torch_library);
  module.attr("one_torch") = vapor::nn::kOneTorch;
  vapor::python::translate_input_errors();
  vapor::python::translate_lost_environments();
  vapor::python::bind_training(module);
  vapor::python::bind_policy(module);
}
