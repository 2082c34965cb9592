// Figure 2 of the paper: how well VAPOR's lambda approximates P(Gamma*) in grid worlds with known
// dynamics and random rewards. P(Gamma*) is estimated by the mean of Thompson sampling's occupancy
// measures (lemma_TS_lambda). The figure shows maps of L^-1 sum_{l,a} lambda_l(s,a); beside them
// stand distances, for VAPOR and for rivals, over more seeds (experiments/grid-world).
#pragma once

#include <cstdint>

#include "vapor/run/reproduction.h"

namespace vapor {

struct GridWorldFigure {
  int size = 10;       // rows and columns, 2..50
  int samples = 1000;  // of Thompson sampling, even and >= 4
  int seeds = 20;
  std::uint64_t first_seed = 1;
  int maps = 3;  // seeds whose maps are among the findings
  // The prior (vapor/env/grid_world.h), which the paper leaves open.
  double mean_scale = 1.0;
  double deviation_scale = 1.0;  // > 0
};

// What experiments/grid-world/sweep.json says: the figure, and a small version of it.
GridWorldFigure grid_world_figure();
GridWorldFigure grid_world_quick();

// What a seed gives is kept in OUT/seed-S.json and taken from there if its settings are the same; a
// file of other settings is replaced. Throws InputError that names the option, e.g. --samples.
Findings reproduce_grid_world(const GridWorldFigure& figure, const ReproductionOptions& options);

}  // namespace vapor
