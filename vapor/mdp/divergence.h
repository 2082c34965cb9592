// How far apart two occupancy measures are, such as P(Gamma*) and VAPOR's lambda.
//
// Conventions: 0 log 0 = 0. A pair without a temperature (tau NaN as a Solution reports it where
// sigma = 0, or tau = 0) contributes 0. An infinite tau belongs to a pair that every policy takes,
// where both measures are 1: equal up to 1e-12 they contribute 0, else infinity.
#pragma once

#include <span>

#include "vapor/mdp/shape.h"

namespace vapor {

// sum tau P log(P / lambda): the paper's weighted KL divergence. It can be negative, and can exceed
// the bound of lemma "weighted KL" (docs/paper-slips.md, 3).
double weighted_kl(std::span<const double> tau, std::span<const double> P,
                   std::span<const double> lambda);

// sum tau (P log(P / lambda) - P + lambda) >= 0: the Bregman divergence that the lemma bounds.
double weighted_bregman(std::span<const double> tau, std::span<const double> P,
                        std::span<const double> lambda);

// (1/2) (1/L) sum_{l,s,a} |P - lambda|: the total variation distance, averaged over timesteps.
double total_variation(const Shape& shape, std::span<const double> P,
                       std::span<const double> lambda);

// The same for the distributions over states.
double state_total_variation(const Shape& shape, std::span<const double> P,
                             std::span<const double> lambda);

}  // namespace vapor
