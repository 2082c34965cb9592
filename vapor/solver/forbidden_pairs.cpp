#include "vapor/solver/forbidden_pairs.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace vapor {
namespace {

bool is_forbidding(const Constraint& c) {
  if (c.bound != 0.0 || c.pair.empty()) return false;
  const auto all = [&](double sign) {
    return std::all_of(c.coefficient.begin(), c.coefficient.end(),
                       [&](double x) { return sign * x >= 0.0; });
  };
  return (c.sense != Sense::kAtLeast && all(1.0)) || (c.sense != Sense::kAtMost && all(-1.0));
}

// Whether a pair may lead to a state marked in `state`, which has those of the next layer.
bool leads_to(const Transitions& P, Index pair, const std::vector<char>& state,
              bool base_leads_there) {
  if (P.base_weight[pair] > 0.0 && base_leads_there) return true;
  for (Offset k = P.begin[pair]; k < P.begin[pair + 1]; ++k)
    if (P.probability[k] > 0.0 && state[P.next_state[k]]) return true;
  return false;
}

// Spreads `forbidden`, by pair, to what leads to it from a layer, and says in `state` where all
// pairs of a state are. Returns whether that is new of any.
bool spread_to_layer(const Problem& problem, Index layer, std::vector<char>& forbidden,
                     std::vector<char>& state) {
  const Shape& shape = problem.shape;
  bool base = false;
  bool any = false;
  for (Index s : problem.next_states_of(layer))
    base = base || (state[s] && problem.transitions.base[s] > 0.0);
  for (Index s : shape.states_of(layer)) {
    const char closed = state[s];
    bool open = false;
    for (Index p : shape.pairs_of(s)) {
      forbidden[p] = forbidden[p] || leads_to(problem.transitions, p, state, base);
      open = open || !forbidden[p];
    }
    state[s] = open ? 0 : 1;
    any = any || state[s] != closed;
  }
  return any;
}

// Spreads `forbidden` from the last layer to the first, or through a stationary problem until
// nothing is new; returns by state whether all of its pairs are.
std::vector<char> spread(const Problem& problem, std::vector<char>& forbidden) {
  std::vector<char> state(problem.shape.states(), 0);
  for (Index l = problem.shape.layers() - 1; l >= 0; --l)
    while (spread_to_layer(problem, l, forbidden, state) && problem.stationary()) continue;
  return state;
}

void copy_allowed_pair(const Problem& problem, Index p, Problem& to) {
  const Transitions& P = problem.transitions;
  to.reward_mean.push_back(problem.reward_mean[p]);
  to.sigma.push_back(problem.sigma[p]);
  if (!problem.family.empty()) to.family.push_back(problem.family[p]);
  to.transitions.base_weight.push_back(P.base_weight[p]);
  for (Offset k = P.begin[p]; k < P.begin[p + 1]; ++k) {
    to.transitions.next_state.push_back(P.next_state[k]);
    to.transitions.probability.push_back(P.probability[k]);
  }
  to.transitions.begin.push_back(static_cast<Offset>(to.transitions.next_state.size()));
}

}  // namespace

std::optional<AllowedPairs> without_forbidden_pairs(const Problem& problem) {
  const Shape& shape = problem.shape;
  AllowedPairs allowed;
  std::vector<char> forbidden(shape.pairs(), 0);
  for (const Constraint& c : problem.constraints) {
    allowed.forbids.push_back(is_forbidding(c));
    if (allowed.forbids.back())
      for (Index p : c.pair) forbidden[p] = 1;
  }
  if (std::find(allowed.forbids.begin(), allowed.forbids.end(), 1) == allowed.forbids.end())
    return std::nullopt;
  const std::vector<char> closed = spread(problem, forbidden);
  for (Index s : shape.states_of(0))
    if (problem.initial[s] > 0.0 && closed[s]) return std::nullopt;

  Problem& small = allowed.problem;
  small.initial = problem.initial;
  small.discount = problem.discount;
  small.transitions.base = problem.transitions.base;
  allowed.pair_of.assign(shape.pairs(), -1);
  for (Index l = 0; l < shape.layers(); ++l) {
    small.shape.add_layer();
    for (Index s : shape.states_of(l)) {
      // Nothing leads to a closed state any more: it keeps its first action, as a state must.
      const auto kept = [&](Index p) {
        return closed[s] ? p == shape.pairs_of(s).first() : !forbidden[p];
      };
      Index actions = 0;
      for (Index p : shape.pairs_of(s)) {
        if (!kept(p)) continue;
        allowed.pair_of[p] = static_cast<Index>(small.reward_mean.size());
        copy_allowed_pair(problem, p, small);
        ++actions;
      }
      small.shape.add_state(actions);
    }
  }
  for (std::size_t i = 0; i < problem.constraints.size(); ++i) {
    if (allowed.forbids[i]) continue;
    const Constraint& c = problem.constraints[i];
    Constraint& copy = small.constraints.emplace_back(Constraint{c.name, c.sense, c.bound});
    for (std::size_t t = 0; t < c.pair.size(); ++t)
      if (allowed.pair_of[c.pair[t]] >= 0) copy.add(allowed.pair_of[c.pair[t]], c.coefficient[t]);
  }
  return allowed;
}

std::vector<double> allowed_policy(const Problem& problem, const AllowedPairs& allowed,
                                   std::span<const double> policy) {
  const Shape& small = allowed.problem.shape;
  std::vector<double> kept(small.pairs(), 0.0);
  for (Index p = 0; p < problem.shape.pairs(); ++p)
    if (allowed.pair_of[p] >= 0) kept[allowed.pair_of[p]] = policy[p];
  for (Index s = 0; s < small.states(); ++s) {
    double sum = 0.0;
    for (Index p : small.pairs_of(s)) sum += kept[p];
    for (Index p : small.pairs_of(s))
      kept[p] = sum > 0.0 ? kept[p] / sum : 1.0 / small.pairs_of(s).size();
  }
  return kept;
}

Solution with_forbidden_pairs(const Problem& problem, const AllowedPairs& allowed,
                              Solution solution) {
  const auto spread_table = [&](std::vector<double>& table, auto absent) {
    std::vector<double> given(problem.shape.pairs());
    for (Index p = 0; p < problem.shape.pairs(); ++p)
      given[p] = allowed.pair_of[p] >= 0 ? table[allowed.pair_of[p]] : absent(p);
    table = std::move(given);
  };
  const auto zero = [](Index) { return 0.0; };
  spread_table(solution.occupancy, zero);
  spread_table(solution.policy, zero);
  if (!solution.start.empty()) spread_table(solution.start, zero);
  // What a temperature is where lambda = 0: that of the weighted entropy is sigma.
  const bool entropy = solution.regulariser == RegulariserKind::kWeightedEntropy;
  const bool linear = solution.regulariser == RegulariserKind::kLinear;
  spread_table(solution.temperature, [&](Index p) {
    const double sigma = problem.sigma[p];
    if (entropy) return sigma;
    return linear || sigma == 0.0 ? std::numeric_limits<double>::quiet_NaN() : 0.0;
  });
  std::vector<ConstraintUse> uses = std::move(solution.constraints);
  solution.constraints.clear();
  auto next = uses.begin();
  for (std::size_t i = 0; i < problem.constraints.size(); ++i) {
    const Constraint& c = problem.constraints[i];
    if (allowed.forbids[i])
      solution.constraints.push_back(
          {c.name, c.sense, c.bound, 0.0, std::numeric_limits<double>::quiet_NaN()});
    else
      solution.constraints.push_back(std::move(*next++));
  }
  return solution;
}

}  // namespace vapor
