// The grid world of figure 2 of the paper: an open square, four cardinal actions (up, right, down,
// left), known dynamics, and uncertain rewards whose prior is drawn from a seed and told to the
// agents:
//
//   prior mean m ~ N(0, mean_scale^2),  prior standard deviation d ~ Uniform(0, deviation_scale),
//   true mean ~ N(m, d^2), independent over layers, states and actions.
//
// The paper says only "randomly generated reward means and noises". Here the prior belongs to a
// cell and an action and is the same in every layer, for else the picture, an average over layers,
// shows nothing; `stationary_prior=false` draws one for every layer. The true means are independent
// over layers in both cases, which is the paper's assumption 1.
#pragma once

#include <cstdint>

#include "vapor/env/environment.h"

namespace vapor {

struct GridWorldSettings {
  // The corner is the default: all distances from 0 to 2 (size - 1) occur, and the flow spreads
  // over the whole square.
  enum class Start { kCorner, kCentre };

  Index size = 10;               // rows and columns, 2..200
  Index horizon = 0;             // layers; 0: 2 size, enough to reach and use the farthest cell
  Start start = Start::kCorner;  // top left, or (size / 2, size / 2)
  double slip = 0.0;             // probability of a step to the side, in [0, 1]
  bool stationary_prior = true;  // the prior is the same in every layer
  double mean_scale = 1.0;       // standard deviation of the prior means, >= 0
  double deviation_scale = 1.0;  // largest prior standard deviation, >= 0
  double noise = 1.0;            // standard deviation of an observed reward, >= 0
  std::uint64_t seed = 0;        // of the prior and the true means
};

// Throws InputError that names the field.
void validate(const GridWorldSettings& settings);

// It has no goals. Layer l holds the cells that l steps can reach.
Environment grid_world(const GridWorldSettings& settings);

}  // namespace vapor
