#include "deep_module.h"

#include "deep_environment.h"
#include "input_error.h"

NB_MODULE(_deep, module) {
  module.doc() = "The deep agents behind the package vapor.deep; use the package.";
#ifdef VAPOR_HAS_TORCH
  module.attr("has_torch") = true;
#else
  module.attr("has_torch") = false;
#endif
  vapor::python::translate_input_errors();
  vapor::python::translate_lost_environments();
  vapor::python::bind_training(module);
  vapor::python::bind_policy(module);
}
