#include "vapor/agent/ids.h"

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "vapor/mdp/backward_induction.h"

namespace vapor {
namespace {

double information_ratio(double regret, double information) {
  if (regret <= 0.0) return 0.0;
  return information > 0.0 ? regret * regret / information
                           : std::numeric_limits<double>::infinity();
}

// The weight of i in the best mixture of actions i and j: an end, or where the derivative of the
// ratio is 0.
double best_weight(double Delta_i, double Delta_j, double v_i, double v_j) {
  const double d = Delta_i - Delta_j, e = v_i - v_j;
  std::array<double, 3> candidates = {0.0, 1.0, 0.0};
  if (d != 0.0 && e != 0.0)
    candidates[2] = std::clamp((e * Delta_j - 2.0 * d * v_j) / (d * e), 0.0, 1.0);
  return std::ranges::min(
      candidates, {}, [&](double q) { return information_ratio(Delta_j + q * d, v_j + q * e); });
}

}  // namespace

void ids_distribution(std::span<const double> Delta, std::span<const double> v,
                      std::span<double> pi) {
  std::ranges::fill(pi, 0.0);
  const auto greedy = std::ranges::min_element(Delta) - Delta.begin();
  double best = std::numeric_limits<double>::infinity(), weight = 1.0;
  std::size_t first = greedy, second = greedy;
  for (std::size_t i = 0; i < Delta.size(); ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      const double q = best_weight(Delta[i], Delta[j], v[i], v[j]);
      const double ratio =
          information_ratio(q * Delta[i] + (1.0 - q) * Delta[j], q * v[i] + (1.0 - q) * v[j]);
      if (ratio < best) best = ratio, weight = q, first = i, second = j;
    }
  pi[first] += weight;
  pi[second] += 1.0 - weight;
}

PolicyRule ids_rule(int samples) {
  return [samples](Belief& belief, std::int64_t, RandomStream& random, std::span<double> policy) {
    const Problem& problem = belief.problem();
    const Shape& shape = problem.shape;
    std::vector<OptimalValues> drawn;
    std::vector<double> reward(shape.pairs());
    for (int m = 0; m < samples; ++m) {
      for (std::size_t p = 0; p < reward.size(); ++p)
        reward[p] = problem.reward_mean[p] + problem.sigma[p] * random.normal();
      drawn.push_back(backward_induction(problem, reward));
    }
    std::vector<double> Delta, v, mean, given;
    for (Index s = 0; s < shape.states(); ++s) {
      const Range pairs = shape.pairs_of(s);
      Delta.assign(pairs.size(), 0.0), v = mean = Delta;
      for (const OptimalValues& one : drawn)
        for (Index a = 0; a < pairs.size(); ++a) {
          const double Q = one.Q[pairs.first() + a];
          mean[a] += Q / samples;
          Delta[a] += (one.V[s] - Q) / samples;
        }
      for (Index best = 0; best < pairs.size(); ++best) {  // A* = best
        given.assign(pairs.size(), 0.0);
        double times = 0.0;
        for (const OptimalValues& one : drawn) {
          if (one.policy[pairs.first() + best] == 0.0) continue;
          times += 1.0;
          for (Index a = 0; a < pairs.size(); ++a) given[a] += one.Q[pairs.first() + a];
        }
        if (times == 0.0) continue;
        for (Index a = 0; a < pairs.size(); ++a) {
          const double off = given[a] / times - mean[a];
          v[a] += times / samples * off * off;
        }
      }
      ids_distribution(Delta, v, policy.subspan(pairs.first(), pairs.size()));
    }
  };
}

}  // namespace vapor
