#include "vapor/mdp/policy.h"

#include <algorithm>
#include <cmath>

namespace vapor {
namespace {

// Adds what flows from the pairs of `layer` to the states of the next layer.
void add_inflow(const Problem& problem, Index layer, std::span<const double> occupancy,
                std::span<double> mass) {
  const Transitions& P = problem.transitions;
  double to_base = 0.0;
  for (Index p : problem.shape.pairs_of_layer(layer)) {
    to_base += P.base_weight[p] * occupancy[p];
    for (Offset k = P.begin[p]; k < P.begin[p + 1]; ++k)
      mass[P.next_state[k]] += P.probability[k] * occupancy[p];
  }
  for (Index s : problem.shape.states_of(layer + 1)) mass[s] += to_base * P.base[s];
}

}  // namespace

std::vector<double> uniform_policy(const Shape& shape) {
  std::vector<double> policy(shape.pairs());
  for (Index s = 0; s < shape.states(); ++s)
    for (Index p : shape.pairs_of(s)) policy[p] = 1.0 / shape.pairs_of(s).size();
  return policy;
}

void policy_of_occupancy(const Shape& shape, std::span<const double> occupancy,
                         std::span<double> policy) {
  for (Index s = 0; s < shape.states(); ++s) {
    const Range pairs = shape.pairs_of(s);
    // Scaling by the largest entry first keeps denormal sums from losing the ratios.
    double largest = 0.0;
    for (Index p : pairs) largest = std::max(largest, occupancy[p]);
    double sum = 0.0;
    for (Index p : pairs) {
      policy[p] = largest > 0.0 ? std::max(occupancy[p], 0.0) / largest : 1.0;
      sum += policy[p];
    }
    for (Index p : pairs) policy[p] /= sum;
  }
}

void forward_flow(const Problem& problem, std::span<const double> policy,
                  std::span<double> occupancy, std::span<double> mass) {
  std::fill(mass.begin(), mass.end(), 0.0);
  std::copy(problem.initial.begin(), problem.initial.end(), mass.begin());
  for (Index l = 0; l < problem.shape.layers(); ++l) {
    for (Index s : problem.shape.states_of(l))
      for (Index p : problem.shape.pairs_of(s)) occupancy[p] = mass[s] * policy[p];
    if (l + 1 < problem.shape.layers()) add_inflow(problem, l, occupancy, mass);
  }
}

std::vector<double> occupancy_of(const Problem& problem, std::span<const double> policy) {
  std::vector<double> occupancy(problem.shape.pairs());
  std::vector<double> mass(problem.shape.states());
  forward_flow(problem, policy, occupancy, mass);
  return occupancy;
}

void flow_residual(const Problem& problem, std::span<const double> occupancy,
                   std::span<double> residual) {
  std::fill(residual.begin(), residual.end(), 0.0);
  std::copy(problem.initial.begin(), problem.initial.end(), residual.begin());
  for (Index l = 0; l + 1 < problem.shape.layers(); ++l)
    add_inflow(problem, l, occupancy, residual);
  for (Index s = 0; s < problem.shape.states(); ++s)
    for (Index p : problem.shape.pairs_of(s)) residual[s] -= occupancy[p];
}

double max_flow_residual(const Problem& problem, std::span<const double> occupancy) {
  std::vector<double> residual(problem.shape.states());
  flow_residual(problem, occupancy, residual);
  double largest = 0.0;
  for (double r : residual) largest = std::max(largest, std::abs(r));
  return largest;
}

}  // namespace vapor
