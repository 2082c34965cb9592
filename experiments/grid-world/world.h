// One grid world of figure 2: P(Gamma*) from Thompson sampling, VAPOR's lambda and those of its
// rivals, and how far each is from P(Gamma*).
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <vector>

#include "vapor/env/environment.h"

namespace vapor::experiments::grid_world {

// The timestep-averaged distribution over cells, row by row: L^-1 sum_{l,a} lambda_l(s,a).
std::vector<double> average_over_time(const Environment& environment,
                                      std::span<const double> occupancy);

// From P to lambda. The last two are infinite where lambda = 0 < P; the weighted KL divergence can
// be negative (vapor/mdp/divergence.h).
struct OccupancyDistances {
  double tv_state = 0.0;      // total variation of the averages over time
  double tv_occupancy = 0.0;  // total variation over pairs, averaged over timesteps
  double weighted_kl = 0.0;   // with the temperatures tau
  double bregman = 0.0;       // its Bregman form
};

OccupancyDistances distances(const Environment& environment, std::span<const double> tau,
                             std::span<const double> P, std::span<const double> lambda);

struct GridWorldSeed {
  int size = 10;       // rows and columns
  int samples = 1000;  // of Thompson sampling, even and >= 4: two halves are compared
  std::uint64_t seed = 1;
  double mean_scale = 1.0;  // of the prior, as in GridWorldSettings
  double deviation_scale = 1.0;
};

// An object:
//   rows                 by method: the distances, with VAPOR's tau* for all, and `bound`: the
//                        method's own upper bound on E V*, if it has one, less E V*; null: infinite
//                        or none
//   shared_rows          the same against the P(Gamma*) of one reward draw for all layers of a cell
//   and
//                        action, as a plain reading of "random rewards" has it: total variations
//                        and bound. The methods' own programs see the marginals alone and are the
//                        same
//   thompson             the means of fewer samples, against that of all
//   floor                the two halves of the samples, against each other
//   bregman_below_bound  the Bregman form of lemma "weighted KL" holds for VAPOR, up to three
//   kl_below_bound       standard errors of E V*; and whether the lemma does as it is printed
//   relative_gap         of VAPOR's certificate
//   maps                 averages over time of VAPOR and Thompson sampling, with standard errors
nlohmann::ordered_json grid_world_findings(const GridWorldSeed& settings);

}  // namespace vapor::experiments::grid_world
