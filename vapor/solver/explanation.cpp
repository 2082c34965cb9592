#include "vapor/solver/explanation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "vapor/core/error.h"
#include "vapor/solver/belief_regulariser.h"

namespace vapor {
namespace {

constexpr std::size_t kHeaviestPairs = 5;

Index state_at(const Shape& shape, Index layer, Index state) {
  if (layer < 0 || layer >= shape.layers())
    throw InputError(setting("at"), fmt::format("there is no layer {}: they are 0 to {}", layer,
                                                shape.layers() - 1));
  const Range states = shape.states_of(layer);
  if (state < 0 || state >= states.size())
    throw InputError(setting("at"), fmt::format("layer {} has no state {}: they are 0 to {}", layer,
                                                state, states.size() - 1));
  return states.first() + state;
}

// sigma w and -tau, whose sum is f'; those of a weighted entropy are all entropy.
void set_regulariser_parts(const Problem& problem, RegulariserKind kind, Index p, double lambda,
                           ActionReason& a) {
  const double sigma = problem.sigma[p];
  if (sigma == 0.0 || kind == RegulariserKind::kLinear || !(lambda > 0.0)) return;
  const double log_lambda = std::log(lambda);
  if (kind == RegulariserKind::kWeightedEntropy) {
    a.entropy = WeightedEntropy::slope(log_lambda, sigma);
    return;
  }
  if (lambda >= 1.0) return;
  const AnyBelief::Parameter belief{sigma,
                                    problem.family.empty() ? nullptr : problem.family[p].get()};
  a.optimism = AnyBelief::value(lambda, log_lambda, belief) / lambda;
  a.entropy = AnyBelief::slope(log_lambda, belief) - a.optimism;
}

// f(lambda).
double optimism_of(const Problem& problem, RegulariserKind kind, Index p, double lambda) {
  if (!(lambda > 0.0) || kind == RegulariserKind::kLinear) return 0.0;
  const double log_lambda = std::log(lambda);
  if (kind == RegulariserKind::kWeightedEntropy)
    return WeightedEntropy::value(lambda, log_lambda, problem.sigma[p]);
  const Family* family = problem.family.empty() ? nullptr : problem.family[p].get();
  return AnyBelief::value(lambda, log_lambda, {problem.sigma[p], family});
}

std::vector<PairWeight> heaviest_pairs(const Problem& problem, RegulariserKind kind,
                                       const std::vector<double>& lambda) {
  const Shape& shape = problem.shape;
  std::vector<PairWeight> all;
  for (Index l = 0; l < shape.layers(); ++l)
    for (Index s : shape.states_of(l))
      for (Index p : shape.pairs_of(s))
        all.push_back({l, s - shape.states_of(l).first(), p - shape.pairs_of(s).first(),
                       lambda[p] * std::abs(problem.reward_mean[p]) +
                           optimism_of(problem, kind, p, lambda[p])});
  const std::size_t kept = std::min(kHeaviestPairs, all.size());
  std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(kept), all.end(),
                    [](const PairWeight& a, const PairWeight& b) { return a.weight > b.weight; });
  all.resize(kept);
  return all;
}

// What the first action has over the second, in words.
std::string advantage_of(const ActionReason& first, const ActionReason& second) {
  const std::pair<double, const char*> parts[] = {
      {first.reward - second.reward, "its mean reward is higher"},
      {first.next - second.next, "what follows it is worth more"},
      {first.constraints - second.constraints, "constraints charge it less"},
      {(first.optimism + first.entropy) - (second.optimism + second.entropy),
       "less is known about it"}};
  const double otherwise = parts[0].first + parts[1].first + parts[2].first;
  if (!(otherwise > 0.0)) return parts[3].second;
  return std::max_element(parts, parts + 3)->second;
}

std::string sentence_of(const Explanation& e) {
  std::vector<std::size_t> order(e.actions.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return e.actions[a].policy > e.actions[b].policy;
  });
  const ActionReason& first = e.actions[order[0]];
  std::string text = fmt::format("In state {} of layer {} action {} has probability {:.3g}",
                                 e.state, e.layer, order[0], first.policy);
  if (order.size() == 1) return text + ": there is no other.";
  const ActionReason& second = e.actions[order[1]];
  text += std::abs(first.policy - second.policy) < 1e-9
              ? fmt::format(", as much as action {}.", order[1])
              : fmt::format(", before action {} with {:.3g}, mostly because {}.", order[1],
                            second.policy, advantage_of(first, second));
  std::size_t most = 0;
  for (std::size_t i = 1; i < e.actions.size(); ++i)
    if (e.actions[i].value_after_one_more < e.actions[most].value_after_one_more) most = i;
  if (e.actions[most].value_after_one_more < 0.0)
    text += fmt::format(" One more observation of action {} would take about {:.3g} off the value",
                        most, -e.actions[most].value_after_one_more) +
            fmt::format(" and {:.3g} {} its probability.",
                        std::abs(e.actions[most].policy_after_one_more),
                        e.actions[most].policy_after_one_more < 0.0 ? "off" : "onto");
  return text;
}

}  // namespace

Explanation explain(const Problem& problem, const Solution& solution, Index layer, Index state,
                    double count) {
  if (!(count > 0.0 && std::isfinite(count)))
    throw InputError(setting("count"), fmt::format("must be above 0, got {}", count));
  const Shape& shape = problem.shape;
  const Index s = state_at(shape, layer, state);
  const Derivatives derivatives = differentiate(problem, solution);
  if (std::isnan(solution.values[s]) || derivatives.status() == Differentiability::kInfeasible)
    throw InputError(setting("at"),
                     fmt::format("no policy arrives in state {} of layer {}", state, layer));
  Explanation e;
  e.layer = layer;
  e.state = state;
  e.status = derivatives.status();
  e.V = derivatives.values()[s];
  const std::vector<double>& lambda = derivatives.occupancy();
  std::vector<double> charge(shape.pairs(), 0.0);
  for (std::size_t i = 0; i < problem.constraints.size(); ++i)
    for (std::size_t t = 0; t < problem.constraints[i].pair.size(); ++t)
      charge[problem.constraints[i].pair[t]] -=
          problem.constraints[i].coefficient[t] * derivatives.prices()[i];
  const bool last = layer + 1 == shape.layers();
  const double base =
      last ? 0.0 : base_value(shape, problem.transitions, layer + 1, derivatives.values());
  for (Index p : shape.pairs_of(s)) {
    ActionReason a;
    a.policy = derivatives.policy()[p];
    a.occupancy = lambda[p];
    a.reward = problem.reward_mean[p];
    a.next = last ? 0.0 : problem.transitions.expectation(p, derivatives.values(), base);
    a.constraints = charge[p];
    set_regulariser_parts(problem, solution.regulariser, p, lambda[p], a);
    a.sum = a.reward + a.optimism + a.entropy + a.next + a.constraints;
    e.mass += lambda[p];
    if (e.status != Differentiability::kInaccurate) {
      std::vector<double> direction(shape.pairs(), 0.0);
      direction[p] = problem.sigma[p] * (std::sqrt(count / (count + 1.0)) - 1.0);
      const SolutionChange change = derivatives.forward({.sigma = direction});
      a.value_after_one_more = change.value;
      if (!change.policy.empty()) a.policy_after_one_more = change.policy[p];
    }
    e.actions.push_back(a);
  }
  e.value_hangs_on = heaviest_pairs(problem, solution.regulariser, lambda);
  e.sentence = sentence_of(e);
  return e;
}

}  // namespace vapor
