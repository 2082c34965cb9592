#include "vapor/solver/frank_wolfe.h"

#include <algorithm>
#include <cmath>

#include "vapor/mdp/backward_induction.h"
#include "vapor/mdp/policy.h"
#include "vapor/solver/belief_regulariser.h"
#include "vapor/solver/certificate.h"
#include "vapor/solver/stopping.h"

namespace vapor {
namespace {

constexpr int kFrankWolfeIterations = 10000;
constexpr int kFrankWolfePatience = 2000;
constexpr double kSmoothing = 1e-10;  // eps

// The gradient of the smoothed objective at one pair.
template <ScalarRegulariser R>
double gradient(const Reduced& reduced, std::size_t p, double lambda) {
  const double x = std::max(lambda / reduced.copies[p], 0.0);
  const double smoothed = (x + kSmoothing) / (1.0 + kSmoothing);
  return reduced.problem.reward_mean[p] +
         R::slope(std::log(smoothed), R::parameters(reduced.problem)[p]);
}

// The step in [0, 1] at which the objective along lambda + step (target - lambda) is largest.
template <ScalarRegulariser R>
double line_search(const Reduced& reduced, std::span<const double> lambda,
                   std::span<const double> target) {
  const auto descent = [&](double step) {
    double slope = 0.0;
    for (std::size_t p = 0; p < lambda.size(); ++p) {
      const double direction = target[p] - lambda[p];
      if (direction == 0.0) continue;
      slope -= direction * gradient<R>(reduced, p, lambda[p] + step * direction);
    }
    return slope;
  };
  // Far from the accuracy of the step itself, Frank-Wolfe gains nothing.
  double low = 0.0;
  double high = 1.0;
  for (int i = 0; i < 30; ++i) {
    const double middle = 0.5 * (low + high);
    (descent(middle) < 0.0 ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

}  // namespace

template <ScalarRegulariser R>
ReducedSolution frank_wolfe(const Reduced& reduced, const Start& start, const Settings& settings) {
  const Problem& problem = reduced.problem;
  const std::size_t pairs = problem.shape.pairs();
  Stopping stopping(settings, kFrankWolfeIterations, kFrankWolfePatience);
  ReducedSolution best;
  best.policy.assign(start.policy.begin(), start.policy.end());
  std::vector<double> lambda(pairs), slope(pairs), target(pairs);
  std::vector<double> mass(problem.shape.states());
  forward_flow(problem, best.policy, lambda, mass);
  best.occupancy = lambda;
  best.V.assign(problem.shape.states(), 0.0);
  while (true) {
    // Backward message.
    for (std::size_t p = 0; p < pairs; ++p) slope[p] = gradient<R>(reduced, p, lambda[p]);
    const OptimalValues message = backward_induction(problem, slope);
    const Bounds bounds = certificate<R>(reduced, lambda, message.V);
    if (bounds.gap < best.gap) {
      best.gap = bounds.gap;
      best.value = bounds.value;
      best.V = message.V;
      best.occupancy = lambda;
    }
    if (stopping.done(best.value, best.gap)) break;
    // Forward message, and the step towards it.
    forward_flow(problem, message.policy, target, mass);
    const double step = line_search<R>(reduced, lambda, target);
    for (std::size_t p = 0; p < pairs; ++p) lambda[p] += step * (target[p] - lambda[p]);
  }
  policy_of_occupancy(problem.shape, best.occupancy, best.policy);
  best.status = stopping.status();
  best.iterations = stopping.iterations();
  return best;
}

template ReducedSolution frank_wolfe<Vapor>(const Reduced&, const Start&, const Settings&);
template ReducedSolution frank_wolfe<AnyBelief>(const Reduced&, const Start&, const Settings&);
template ReducedSolution frank_wolfe<WeightedEntropy>(const Reduced&, const Start&,
                                                      const Settings&);

}  // namespace vapor
