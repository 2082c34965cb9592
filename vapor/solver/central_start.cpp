#include "vapor/solver/central_start.h"

#include <algorithm>
#include <limits>

namespace vapor {
namespace {

// V of one state whose pairs are q[0], ..., q[n - 1], given m = mu c / d, and weight_a = 1 / (V -
// q_a) in the place of q; `total` receives their sum.
double central_value(const double* q, int n, double m, double* weight, double& total) {
  double top = q[0];
  for (int a = 1; a < n; ++a) top = std::max(top, q[a]);
  double sum = 0.0;
  double squares = 0.0;
  for (int a = 0; a < n; ++a) {
    const double x = 1.0 / (m + (top - q[a]));
    sum += x;
    squares += x * x;
  }
  const double above = m + sum * (m * sum - 1.0) / squares;
  total = 0.0;
  for (int a = 0; a < n; ++a) {
    weight[a] = 1.0 / (above + (top - q[a]));
    total += weight[a];
  }
  return top + above;
}

}  // namespace

void sweep_towards_centre(const Reduced& reduced, const FlowOperator& J, double mu, double step,
                          const SweepTables& t) {
  constexpr double kSmallestMass = 0.03;  // of what can reach a state
  const Shape& shape = reduced.problem.shape;
  for (Index l = shape.layers() - 1; l >= 0; --l) {
    J.expect_next(l, t.reward, t.V, t.q);
    for (Index s : shape.states_of(l)) {
      const Range pairs = shape.pairs_of(s);
      double* q = t.q.data() + pairs.first();
      const double reach = reduced.reach[pairs.first()];
      const double m = mu * reach / std::max(t.mass[s], kSmallestMass * reach);
      double total = 0.0;
      t.V[s] = central_value(q, pairs.size(), m, q, total);
      const double scale = 1.0 / total;
      double* policy = t.policy.data() + pairs.first();
      for (int a = 0; a < pairs.size(); ++a) policy[a] += step * (q[a] * scale - policy[a]);
    }
  }
  J.push_forward(t.policy, t.lambda, t.mass);
}

double greedy_complementarity(const Reduced& reduced, const FlowOperator& J, const SweepTables& t) {
  const Shape& shape = reduced.problem.shape;
  double sum = 0.0;
  for (Index l = shape.layers() - 1; l >= 0; --l) {
    J.expect_next(l, t.reward, t.V, t.q);
    for (Index s : shape.states_of(l)) {
      const Range pairs = shape.pairs_of(s);
      double top = -std::numeric_limits<double>::infinity();
      for (Index p : pairs) top = std::max(top, t.q[p]);
      for (Index p : pairs) sum += t.lambda[p] * (top - t.q[p]);
      t.V[s] = top;
    }
  }
  return sum;
}

}  // namespace vapor
