#include "vapor/solver/presolve.h"

#include <algorithm>
#include <limits>

namespace vapor {
namespace {

// A state that no policy reaches with more than this probability is dropped like an unreachable
// one: what it could add to the value is far below rounding, and its masses would underflow.
constexpr double kNegligibleReach = 1e-150;

// By state, an upper bound on the probability of arriving there under any policy: 0 where no policy
// arrives, and else at least the largest such probability.
std::vector<double> reach_bounds(const Problem& problem) {
  const Shape& shape = problem.shape;
  const Transitions& P = problem.transitions;
  std::vector<double> reach(shape.states(), 0.0);
  std::vector<double> from_state(shape.states(), 0.0);  // the most likely action's probability
  std::copy(problem.initial.begin(), problem.initial.end(), reach.begin());
  for (Index l = 0; l + 1 < shape.layers(); ++l) {
    double base_reach = 0.0;
    for (Index s : shape.states_of(l)) {
      if (reach[s] == 0.0) continue;
      double base_weight = 0.0;
      const Range pairs = shape.pairs_of(s);
      for (Index p : pairs) {
        base_weight = std::max(base_weight, P.base_weight[p]);
        for (Offset k = P.begin[p]; k < P.begin[p + 1]; ++k)
          from_state[P.next_state[k]] = std::max(from_state[P.next_state[k]], P.probability[k]);
      }
      base_reach += reach[s] * base_weight;
      for (Offset k = P.begin[pairs.first()]; k < P.begin[pairs.last()]; ++k) {
        reach[P.next_state[k]] += reach[s] * from_state[P.next_state[k]];
        from_state[P.next_state[k]] = 0.0;
      }
    }
    for (Index s : shape.states_of(l + 1))
      reach[s] = std::min(1.0, reach[s] + base_reach * P.base[s]);
  }
  return reach;
}

// Which states a sparse transition of a reached state leads to: they are not exchangeable.
std::vector<char> states_with_sparse_inflow(const Problem& problem,
                                            const std::vector<double>& reach) {
  const Transitions& P = problem.transitions;
  std::vector<char> inflow(problem.shape.states(), 0);
  for (Index s = 0; s < problem.shape.states(); ++s) {
    if (reach[s] < kNegligibleReach) continue;
    const Range pairs = problem.shape.pairs_of(s);
    for (Offset k = P.begin[pairs.first()]; k < P.begin[pairs.last()]; ++k)
      if (P.probability[k] > 0.0) inflow[P.next_state[k]] = 1;
  }
  return inflow;
}

bool same_actions(const Problem& problem, Index s, Index t) {
  const Transitions& P = problem.transitions;
  const Range a = problem.shape.pairs_of(s);
  const Range b = problem.shape.pairs_of(t);
  const auto same = [&](const auto& table) {
    return std::equal(table.begin() + a.first(), table.begin() + a.last(),
                      table.begin() + b.first(), table.begin() + b.last());
  };
  if (!same(problem.reward_mean) || !same(problem.sigma) || !same(P.base_weight)) return false;
  for (Index i = 0; i < a.size(); ++i) {
    const Index p = a.first() + i;
    const Index q = b.first() + i;
    const auto same_row = [&](const auto& table) {
      return std::equal(table.begin() + P.begin[p], table.begin() + P.begin[p + 1],
                        table.begin() + P.begin[q], table.begin() + P.begin[q + 1]);
    };
    if (!same_row(P.next_state) || !same_row(P.probability)) return false;
  }
  return true;
}

double arrival(const Problem& problem, Index layer, Index s) {
  return layer == 0 ? problem.initial[s] : problem.transitions.base[s];
}

// The first state of its kind in the layer, or s itself.
Index representative(const Problem& problem, Index layer, Index s,
                     const std::vector<Index>& candidates) {
  for (Index t : candidates)
    if (arrival(problem, layer, s) == arrival(problem, layer, t) && same_actions(problem, s, t))
      return t;
  return s;
}

// Numbers the classes of states and adds them to the reduced shape; fills state_of and returns the
// state that each class was made from.
std::vector<Index> make_classes(const Problem& problem, const std::vector<double>& reach,
                                Reduced& reduced, std::vector<double>& state_copies) {
  constexpr std::size_t kMostKinds = 8;  // a layer of many different states is not worth searching
  const Shape& shape = problem.shape;
  const std::vector<char> sparse_inflow = states_with_sparse_inflow(problem, reach);
  std::vector<Index> origin;
  std::vector<Index> candidates;
  reduced.state_of.assign(shape.states(), -1);
  for (Index l = 0; l < shape.layers(); ++l) {
    reduced.problem.shape.add_layer();
    candidates.clear();
    for (Index s : shape.states_of(l)) {
      if (reach[s] < kNegligibleReach) continue;
      const bool exchangeable = l == 0 || !sparse_inflow[s];
      const Index t = exchangeable ? representative(problem, l, s, candidates) : s;
      if (t != s) {
        reduced.state_of[s] = reduced.state_of[t];
        state_copies[reduced.state_of[t]] += 1.0;
        continue;
      }
      if (exchangeable && candidates.size() < kMostKinds) candidates.push_back(s);
      reduced.state_of[s] = reduced.problem.shape.add_state(shape.pairs_of(s).size());
      origin.push_back(s);
      state_copies.push_back(1.0);
    }
  }
  return origin;
}

void copy_rows(const Problem& problem, Index s, Reduced& reduced) {
  const Transitions& P = problem.transitions;
  Problem& small = reduced.problem;
  for (Index p : problem.shape.pairs_of(s)) {
    small.reward_mean.push_back(problem.reward_mean[p]);
    small.sigma.push_back(problem.sigma[p]);
    small.transitions.base_weight.push_back(P.base_weight[p]);
    for (Offset k = P.begin[p]; k < P.begin[p + 1]; ++k) {
      if (P.probability[k] <= 0.0 || reduced.state_of[P.next_state[k]] < 0) continue;
      small.transitions.next_state.push_back(reduced.state_of[P.next_state[k]]);
      small.transitions.probability.push_back(P.probability[k]);
    }
    small.transitions.begin.push_back(static_cast<Offset>(small.transitions.next_state.size()));
  }
}

void clear(Reduced& reduced) {
  Problem& small = reduced.problem;
  small.shape.clear();
  small.transitions.begin.assign(1, 0);
  small.transitions.next_state.clear();
  for (std::vector<double>* table :
       {&reduced.copies, &reduced.reach, &small.reward_mean, &small.sigma,
        &small.transitions.probability, &small.transitions.base_weight})
    table->clear();
}

// A layer of one state with one action is certain.
void settle_forced_pairs(Reduced& reduced) {
  Problem& small = reduced.problem;
  reduced.free.assign(small.shape.pairs(), 1.0);
  for (Index l = 0; l < small.shape.layers(); ++l) {
    const Range pairs = small.shape.pairs_of_layer(l);
    if (pairs.size() != 1 || reduced.copies[pairs.first()] != 1.0) continue;
    reduced.free[pairs.first()] = 0.0;
    small.sigma[pairs.first()] = 0.0;
  }
}

}  // namespace

void presolve(const Problem& problem, Reduced& reduced) {
  clear(reduced);
  std::vector<double> state_copies;
  const std::vector<double> reach = reach_bounds(problem);
  const std::vector<Index> origin = make_classes(problem, reach, reduced, state_copies);
  Problem& small = reduced.problem;
  for (Index c = 0; c < small.shape.states(); ++c) {
    copy_rows(problem, origin[c], reduced);
    const Index actions = small.shape.pairs_of(c).size();
    reduced.copies.insert(reduced.copies.end(), actions, state_copies[c]);
    reduced.reach.insert(reduced.reach.end(), actions,
                         std::min(1.0, state_copies[c] * reach[origin[c]]));
  }
  small.initial.assign(small.shape.states_of(0).size(), 0.0);
  small.transitions.base.assign(small.shape.states(), 0.0);
  for (Index s = 0; s < problem.shape.states(); ++s) {
    const Index c = reduced.state_of[s];
    if (c < 0) continue;
    small.transitions.base[c] += problem.transitions.base[s];
    if (s < problem.shape.states_of(0).last()) small.initial[c] += problem.initial[s];
  }
  settle_forced_pairs(reduced);
}

void Reduced::expand_occupancy(const Shape& shape, std::span<const double> reduced,
                               std::span<double> given) const {
  for (Index s = 0; s < shape.states(); ++s) {
    for (Index i = 0; i < shape.pairs_of(s).size(); ++i) {
      const Index p = shape.pairs_of(s).first() + i;
      given[p] = 0.0;
      if (state_of[s] < 0) continue;
      const Index q = problem.shape.pairs_of(state_of[s]).first() + i;
      given[p] = reduced[q] / copies[q];
    }
  }
}

void Reduced::expand_policy(const Shape& shape, std::span<const double> reduced,
                            std::span<double> given) const {
  for (Index s = 0; s < shape.states(); ++s) {
    for (Index i = 0; i < shape.pairs_of(s).size(); ++i)
      given[shape.pairs_of(s).first() + i] =
          state_of[s] < 0 ? 1.0 / shape.pairs_of(s).size()
                          : reduced[problem.shape.pairs_of(state_of[s]).first() + i];
  }
}

void Reduced::expand_values(std::span<const double> reduced, std::span<double> given) const {
  for (std::size_t s = 0; s < given.size(); ++s)
    given[s] = state_of[s] < 0 ? std::numeric_limits<double>::quiet_NaN() : reduced[state_of[s]];
}

void Reduced::reduce_policy(const Shape& shape, std::span<const double> given,
                            std::span<double> reduced) const {
  std::fill(reduced.begin(), reduced.end(), 0.0);
  for (Index s = 0; s < shape.states(); ++s) {
    if (state_of[s] < 0) continue;
    for (Index i = 0; i < shape.pairs_of(s).size(); ++i) {
      const Index q = problem.shape.pairs_of(state_of[s]).first() + i;
      reduced[q] += given[shape.pairs_of(s).first() + i] / copies[q];
    }
  }
}

}  // namespace vapor
