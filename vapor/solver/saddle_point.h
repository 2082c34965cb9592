// The zero-sum game of section 4.4, V(lambda, tau) of equation (2):
//
//   policy player       max over lambda of lambda' (E r + sigma^2 / (2 tau)) + H_tau(lambda)
//   temperature player  min over tau
//
// (section 4.4 prints sigma^2 / tau, the function itself has the factor 2). Played in the dual
// variables of Lemma 9, where best responses are block-coordinate descent on a jointly convex
// function and so cannot cycle: the policy player answers tau with a weighted-entropy problem,
// which gives V; the temperature player answers V in closed form, tau = sigma / w(delta).
#pragma once

#include "vapor/solver/newton.h"

namespace vapor {

ReducedSolution saddle_point(const Reduced& reduced, const Start& start, const Settings& settings);

}  // namespace vapor
