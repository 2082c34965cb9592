#include "deep_module.h"

#include "deep_environment.h"
#include "input_error.h"
#include "vapor/world/worlds.h"

NB_MODULE(_deep, module) {
  module.doc() = "The deep agents behind the package vapor.deep; use the package.";
  module.attr("has_torch") = vapor::deep::has_networks_on_arrays();
  vapor::python::translate_input_errors();
  vapor::python::translate_lost_environments();
  vapor::python::bind_training(module);
  vapor::python::bind_policy(module);
}
