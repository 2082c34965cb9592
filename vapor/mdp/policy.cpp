#include "vapor/mdp/policy.h"

#include <algorithm>
#include <cmath>

#include "vapor/mdp/policy_equations.h"

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
  for (Index s : problem.next_states_of(layer)) mass[s] += to_base * P.base[s];
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
  if (problem.stationary()) {
    PolicyEquations(problem, policy, *problem.discount).masses(problem.initial, mass);
    for (Index s = 0; s < problem.shape.states(); ++s)
      for (Index p : problem.shape.pairs_of(s)) {
        mass[s] = std::max(mass[s], 0.0);
        occupancy[p] = (1.0 - *problem.discount) * mass[s] * policy[p];
      }
    for (double& m : mass) m *= 1.0 - *problem.discount;
    return;
  }
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
  if (problem.stationary()) {
    const double gamma = *problem.discount;
    std::fill(residual.begin(), residual.end(), 0.0);
    add_inflow(problem, 0, occupancy, residual);
    for (std::size_t s = 0; s < residual.size(); ++s)
      residual[s] = (1.0 - gamma) * problem.initial[s] + gamma * residual[s];
  }
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
