#include "vapor/env/vector_registry.h"

#include <array>

#include "vapor/env/catch.h"

namespace vapor {

bool is_vector_environment(const std::string& name) { return name == "catch"; }

std::unique_ptr<VectorEnvironment> make_vector_environment(const Spec& named, Index places) {
  static const std::array<std::string, 1> names = {"catch"};
  if (!is_vector_environment(named.name())) throw unknown_name(named.place(), named.name(), names);
  Spec spec = named;
  CatchSettings settings;
  settings.rows = static_cast<Index>(spec.integer("rows", settings.rows, 2, 1000));
  settings.columns = static_cast<Index>(spec.integer("columns", settings.columns, 1, 1000));
  spec.refuse_unknown_keys();
  return make_catch(settings, places);
}

}  // namespace vapor
