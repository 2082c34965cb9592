// The sweeps of experiments/NAME/sweep.json, which the build takes into the library: what is run is
// data, and stands beside what was found.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace vapor {

// The sweep of an experiment, e.g. "deep-sea". A broken invariant if there is none.
const nlohmann::ordered_json& experiment_sweep(const std::string& name);

}  // namespace vapor
