// A training that takes a second: Catch on a board of 6 x 5 by a linear agent.
#pragma once

#include <string>

#include "tests/deep/linear_agent.h"
#include "vapor/env/vector_registry.h"
#include "vapor/run/loop.h"

namespace vapor::test_support {

inline RunSettings small_training(const std::string& agent = "vapor-lite") {
  return {.env = "catch:rows=6",
          .agent = agent +
                   ":unroll=5,batch=60,replay=2000,replay_fraction=0.8,discount=0.9,"
                   "actor_rate=2e-2,critic_rate=2e-2,ensemble_rate=2e-2,sigma_scale=0.1,noise=0.1",
          .belief = "",
          .seed = 3,
          .kind = RunKind::kNetwork,
          .by_frames = FrameSettings{.frames = 3000, .places = 4, .checkpoint_frames = 500}};
}

inline TrainingParts small_parts() {
  TrainingParts parts;
  parts.make_environment = [](Index places) {
    return make_vector_environment(Spec("env", "catch:rows=6"), places);
  };
  parts.make_agent = deep::test_support::make_linear_agent;
  return parts;
}

}  // namespace vapor::test_support
