#include "experiments/grid-world/world.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "vapor/belief/optimality.h"
#include "vapor/env/grid_world.h"
#include "vapor/env/stationary_pair.h"
#include "vapor/mdp/backward_induction.h"
#include "vapor/mdp/divergence.h"
#include "vapor/mdp/policy.h"
#include "vapor/run/beliefs.h"
#include "vapor/solver/equal_temperature.h"
#include "vapor/solver/k_learning.h"
#include "vapor/solver/solve.h"
#include "vapor/solver/vapor_lite.h"

namespace vapor::experiments::grid_world {
namespace {

using nlohmann::ordered_json;

// An approximation of P(Gamma*).
struct Approximation {
  std::string method;
  std::vector<double> occupancy;      // by pair
  std::optional<double> upper_bound;  // on E V*, if the method has one
};

// max H(lambda), rewards ignored.
Solution maximum_entropy(Problem problem) {
  std::ranges::fill(problem.reward_mean, 0.0);
  std::ranges::fill(problem.sigma, 1.0);
  return solve(problem, {.regulariser = RegulariserKind::kWeightedEntropy});
}

std::vector<double> soft_q_policy(Problem problem) {
  std::ranges::fill(problem.sigma, 0.0);
  return soft_values(problem, 1.0).solution.policy;
}

// VAPOR-lite bounds VAPOR's program only up to a factor of sigma: it has no bound here.
std::vector<Approximation> approximations(const Problem& problem, const Solution& vapor) {
  const KLearningSolution k = solve_k_learning(problem);
  const Solution equal = solve_equal_temperature(problem).solution;
  const OptimalValues mean = backward_induction(problem, problem.reward_mean);
  const auto played = [&](std::span<const double> policy) { return occupancy_of(problem, policy); };
  return {{"vapor", vapor.occupancy, vapor.upper_bound()},
          {"vapor-equal-temperature", equal.occupancy, equal.upper_bound()},
          {"vapor-lite", solve_vapor_lite(problem).occupancy, {}},
          {"k-learning", played(k.policy), k.value},
          {"soft-q", played(soft_q_policy(problem)), {}},
          {"max-entropy", maximum_entropy(problem).occupancy, {}},
          {"greedy", played(mean.policy), {}},
          {"uniform", played(uniform_policy(problem.shape)), {}}};
}

// The mean occupancy measure of Thompson sampling, and its average over time with standard errors.
struct ThompsonMean {
  Optimality optimality;
  std::vector<double> map, map_se;  // by cell
};

// Writes the optimal policy of a drawn MDP and returns its value.
using PolicyDraw = std::function<double(std::span<double> policy)>;

// Every pair's reward on its own, as the belief has them.
PolicyDraw draw_by_layer(Belief& belief, RandomStream random) {
  return [&belief, random](std::span<double> policy) mutable {
    return belief.sample_optimal_policy(random, policy);
  };
}

// One standard normal number for all layers of a cell and action: the marginals are the same, and
// the rewards of a cell at different steps are no longer independent.
PolicyDraw draw_shared(const Environment& world, const Problem& problem, RandomStream random) {
  return [&problem, random, cells = stationary_pair(world)](std::span<double> policy) mutable {
    std::vector<double> draw(std::ranges::max(cells) + 1), reward(problem.reward_mean);
    for (double& z : draw) z = random.normal();
    for (std::size_t p = 0; p < reward.size(); ++p) reward[p] += problem.sigma[p] * draw[cells[p]];
    const OptimalValues optimal = backward_induction(problem, reward);
    std::ranges::copy(optimal.policy, policy.begin());
    double value = 0.0;
    for (std::size_t s = 0; s < problem.initial.size(); ++s)
      value += problem.initial[s] * optimal.V[s];
    return value;
  };
}

ThompsonMean thompson_mean(const Environment& world, const Problem& problem, int samples,
                           const PolicyDraw& draw) {
  std::vector<double> sum(world.rows * world.columns), squares(sum.size());
  ThompsonMean mean;
  mean.optimality = sampled_optimality(problem, samples, [&](std::span<double> policy) {
    const double value = draw(policy);
    const std::vector<double> map = average_over_time(world, occupancy_of(problem, policy));
    for (std::size_t c = 0; c < map.size(); ++c) {
      sum[c] += map[c];
      squares[c] += map[c] * map[c];
    }
    return value;
  });
  const double n = samples;
  for (std::size_t c = 0; c < sum.size(); ++c) {
    mean.map.push_back(sum[c] / n);
    const double variance = std::max(0.0, squares[c] / n - mean.map[c] * mean.map[c]);
    mean.map_se.push_back(std::sqrt(variance / (n - 1.0)));
  }
  return mean;
}

// The mean of two equal halves.
ThompsonMean joined(const ThompsonMean& first, const ThompsonMean& second) {
  ThompsonMean all = first;
  const auto mean = [](double x, double y) { return 0.5 * (x + y); };
  const auto error = [](double x, double y) { return 0.5 * std::sqrt(x * x + y * y); };
  const Optimality& other = second.optimality;
  Optimality& both = all.optimality;
  std::ranges::transform(both.occupancy, other.occupancy, both.occupancy.begin(), mean);
  std::ranges::transform(both.standard_error, other.standard_error, both.standard_error.begin(),
                         error);
  std::ranges::transform(all.map, second.map, all.map.begin(), mean);
  std::ranges::transform(all.map_se, second.map_se, all.map_se.begin(), error);
  both.value = mean(both.value, other.value);
  both.value_standard_error = error(both.value_standard_error, other.value_standard_error);
  return all;
}

ordered_json finite_or_null(double value) {
  return std::isfinite(value) ? ordered_json(value) : ordered_json(nullptr);
}

ordered_json rows_of_map(const Environment& world, std::span<const double> map) {
  ordered_json rows = ordered_json::array();
  for (Index r = 0; r < world.rows; ++r) {
    const auto row = map.subspan(r * world.columns, world.columns);
    rows.push_back(std::vector<double>(row.begin(), row.end()));
  }
  return rows;
}

// The total variation distance of two distributions over cells.
double half_difference(std::span<const double> a, std::span<const double> b) {
  double sum = 0.0;
  for (std::size_t c = 0; c < a.size(); ++c) sum += std::abs(a[c] - b[c]);
  return 0.5 * sum;
}

ordered_json total_variations(const Environment& world, int samples, const ThompsonMean& a,
                              const ThompsonMean& b) {
  return {{"samples", samples},
          {"tv_state", half_difference(a.map, b.map)},
          {"tv_occupancy",
           total_variation(world.shape(), a.optimality.occupancy, b.optimality.occupancy)}};
}

}  // namespace

std::vector<double> average_over_time(const Environment& environment,
                                      std::span<const double> occupancy) {
  const Shape& shape = environment.shape();
  std::vector<double> map(environment.rows * environment.columns);
  for (Index s = 0; s < shape.states(); ++s) {
    const vapor::Cell& cell = environment.cells[s];
    for (Index p : shape.pairs_of(s))
      map[cell.row * environment.columns + cell.column] += occupancy[p] / shape.layers();
  }
  return map;
}

OccupancyDistances distances(const Environment& environment, std::span<const double> tau,
                             std::span<const double> P, std::span<const double> lambda) {
  OccupancyDistances result;
  result.tv_state =
      half_difference(average_over_time(environment, P), average_over_time(environment, lambda));
  result.tv_occupancy = total_variation(environment.shape(), P, lambda);
  result.weighted_kl = weighted_kl(tau, P, lambda);
  result.bregman = weighted_bregman(tau, P, lambda);
  return result;
}

ordered_json grid_world_findings(const GridWorldSeed& settings) {
  const Environment world = vapor::grid_world({.size = settings.size,
                                               .mean_scale = settings.mean_scale,
                                               .deviation_scale = settings.deviation_scale,
                                               .seed = settings.seed});
  const std::unique_ptr<Belief> belief =
      make_belief(Spec("belief", default_belief("grid_world", world)), world);
  const RandomStream random = RandomStream(settings.seed).split("grid_world_figure");
  const auto sampled = [&](int samples, const char* label) {
    return thompson_mean(world, belief->problem(), samples,
                         draw_by_layer(*belief, random.split(label)));
  };
  const ThompsonMean first = sampled(settings.samples / 2, "first half");
  const ThompsonMean second = sampled(settings.samples / 2, "second half");
  const ThompsonMean all = joined(first, second);
  const Optimality& truth = all.optimality;
  const Solution vapor = solve(belief->problem());

  ordered_json findings = {{"value", truth.value}, {"value_se", truth.value_standard_error}};
  for (const Approximation& method : approximations(belief->problem(), vapor)) {
    const OccupancyDistances d =
        distances(world, vapor.temperature, truth.occupancy, method.occupancy);
    findings["rows"].push_back(
        {{"method", method.method},
         {"seed", settings.seed},
         {"tv_state", d.tv_state},
         {"tv_occupancy", d.tv_occupancy},
         {"weighted_kl", finite_or_null(d.weighted_kl)},
         {"bregman", finite_or_null(d.bregman)},
         {"bound",
          method.upper_bound ? ordered_json(*method.upper_bound - truth.value) : nullptr}});
  }
  const ThompsonMean shared =
      thompson_mean(world, belief->problem(), settings.samples,
                    draw_shared(world, belief->problem(), random.split("shared")));
  findings["shared_value_se"] = shared.optimality.value_standard_error;
  for (const Approximation& method : approximations(belief->problem(), vapor)) {
    const OccupancyDistances d =
        distances(world, vapor.temperature, shared.optimality.occupancy, method.occupancy);
    findings["shared_rows"].push_back(
        {{"method", method.method},
         {"seed", settings.seed},
         {"tv_state", d.tv_state},
         {"tv_occupancy", d.tv_occupancy},
         {"bound", method.upper_bound ? ordered_json(*method.upper_bound - shared.optimality.value)
                                      : nullptr}});
  }
  findings["thompson"] = {total_variations(world, 10, all, sampled(10, "ten")),
                          total_variations(world, 100, all, sampled(100, "hundred"))};
  findings["floor"] = total_variations(world, settings.samples / 2, first, second);

  const OccupancyDistances d =
      distances(world, vapor.temperature, truth.occupancy, vapor.occupancy);
  const double bound = vapor.upper_bound() - truth.value + 3.0 * truth.value_standard_error;
  findings["bregman_below_bound"] = d.bregman <= bound;
  findings["kl_below_bound"] = d.weighted_kl <= bound;
  findings["relative_gap"] = vapor.relative_gap();
  findings["maps"] = {{"vapor", rows_of_map(world, average_over_time(world, vapor.occupancy))},
                      {"thompson", rows_of_map(world, all.map)},
                      {"thompson_se", rows_of_map(world, all.map_se)}};
  return findings;
}

}  // namespace vapor::experiments::grid_world
