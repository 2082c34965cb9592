#include "vapor/solver/presolve.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

namespace vapor {
namespace {

// A state that no policy reaches with more than this probability is dropped like an unreachable
// one: what it could add to the value is far below rounding, and its masses would underflow.
// A linear system, which a stationary problem takes, knows small masses less well than a sum does.
constexpr double kNegligibleReach = 1e-150;
constexpr double kNegligibleStationaryReach = 1e-44;

double negligible_reach(const Problem& problem) {
  return problem.stationary() ? kNegligibleStationaryReach : kNegligibleReach;
}

// By state, an upper bound on the probability of arriving there under any policy: 0 where no policy
// arrives, and else at least the largest such probability.
std::vector<double> reach_bounds(const Problem& problem) {
  const Shape& shape = problem.shape;
  const Transitions& P = problem.transitions;
  std::vector<double> reach(shape.states(), 0.0);
  std::vector<double> from_pair(shape.states(), 0.0);   // an action's probability
  std::vector<double> from_state(shape.states(), 0.0);  // the most likely action's
  std::copy(problem.initial.begin(), problem.initial.end(), reach.begin());
  for (Index l = 0; l + 1 < shape.layers(); ++l) {
    double base_reach = 0.0;
    for (Index s : shape.states_of(l)) {
      if (reach[s] == 0.0) continue;
      double base_weight = 0.0;
      const Range pairs = shape.pairs_of(s);
      for (Index p : pairs) {
        base_weight = std::max(base_weight, P.base_weight[p]);
        // A next state may be listed twice.
        for (Offset k = P.begin[p]; k < P.begin[p + 1]; ++k)
          from_pair[P.next_state[k]] += P.probability[k];
        for (Offset k = P.begin[p]; k < P.begin[p + 1]; ++k) {
          const Index next = P.next_state[k];
          from_state[next] = std::max(from_state[next], std::exchange(from_pair[next], 0.0));
        }
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

// The same of a stationary problem, for the discounted measure. What is d steps away has at most
// gamma^d of it; probabilities below 1 make that less, which a few sweeps find out.
std::vector<double> stationary_reach_bounds(const Problem& problem) {
  constexpr int kSweeps = 8;
  const Shape& shape = problem.shape;
  const Transitions& P = problem.transitions;
  const double gamma = *problem.discount;
  std::vector<double> reach(shape.states(), 0.0);
  std::vector<Index> queue;
  const auto arrive = [&](Index s, double bound) {
    if (reach[s] > 0.0) return;
    reach[s] = std::max(bound, std::numeric_limits<double>::min());
    queue.push_back(s);
  };
  for (Index s = 0; s < shape.states(); ++s)
    if (problem.initial[s] > 0.0) arrive(s, 1.0);
  bool base_reached = false;
  std::size_t taken = 0;
  while (taken < queue.size()) {  // it grows meanwhile
    const Index state = queue[taken++];
    const double next = gamma * reach[state];
    for (Index p : shape.pairs_of(state)) {
      for (Offset k = P.begin[p]; k < P.begin[p + 1]; ++k)
        if (P.probability[k] > 0.0) arrive(P.next_state[k], next);
      if (P.base_weight[p] == 0.0 || std::exchange(base_reached, true)) continue;
      for (Index s = 0; s < shape.states(); ++s)
        if (P.base[s] > 0.0) arrive(s, next);
    }
  }
  std::vector<double> inflow(shape.states());
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    std::fill(inflow.begin(), inflow.end(), 0.0);
    double to_base = 0.0;
    for (Index s : queue) {
      // The sum over the actions is at least their largest.
      double base_weight = 0.0;
      for (Index p : shape.pairs_of(s)) {
        base_weight += P.base_weight[p];
        for (Offset k = P.begin[p]; k < P.begin[p + 1]; ++k)
          inflow[P.next_state[k]] += reach[s] * P.probability[k];
      }
      to_base += reach[s] * base_weight;
    }
    for (Index s : queue) {
      const double bound = (1.0 - gamma) * problem.initial[s] +
                           gamma * (inflow[s] + to_base * P.base[s]) * (1.0 + 1e-9);
      reach[s] = std::clamp(bound, std::numeric_limits<double>::min(), reach[s]);
    }
  }
  return reach;
}

// The sum over the states that are dropped. Its own rounding, and that of the bounds, are far below
// the factor; what underflowed to 0 is far below the constant.
double dropped_reach(const std::vector<double>& reach, double negligible) {
  constexpr double kUnderflow = 1e-290;
  double sum = 0.0;
  for (double x : reach) sum += x < negligible ? x : 0.0;
  return 2.0 * sum + kUnderflow;
}

// Which states a sparse transition of a reached state leads to: they are not exchangeable.
std::vector<char> states_with_sparse_inflow(const Problem& problem,
                                            const std::vector<double>& reach) {
  const Transitions& P = problem.transitions;
  std::vector<char> inflow(problem.shape.states(), 0);
  for (Index s = 0; s < problem.shape.states(); ++s) {
    if (reach[s] < negligible_reach(problem)) continue;
    const Range pairs = problem.shape.pairs_of(s);
    for (Offset k = P.begin[pairs.first()]; k < P.begin[pairs.last()]; ++k)
      if (P.probability[k] > 0.0) inflow[P.next_state[k]] = 1;
  }
  return inflow;
}

// By pair: a number that two pairs share if every constraint counts them alike. Empty without
// constraints.
std::vector<Index> constraint_columns(const Problem& problem) {
  if (problem.constraints.empty()) return {};
  std::vector<Index> column(problem.shape.pairs(), 0);
  Index columns = 1;
  for (const Constraint& constraint : problem.constraints) {
    // Pairs that were alike so far part by the coefficient of this constraint.
    std::map<std::pair<Index, double>, Index> parted;
    for (std::size_t i = 0; i < constraint.pair.size(); ++i) {
      Index& of_pair = column[constraint.pair[i]];
      const auto [place, is_new] =
          parted.try_emplace({of_pair, constraint.coefficient[i]}, columns);
      columns += is_new ? 1 : 0;
      of_pair = place->second;
    }
  }
  return column;
}

// Which pairs are alike: the same reward, sigma and transitions, and the same to all constraints.
struct Likeness {
  const Problem& problem;
  std::vector<Index> column;  // constraint_columns()

  bool same_to_constraints(Index p, Index q) const {
    return column.empty() || column[p] == column[q];
  }
};

bool same_pair(const Likeness& alike, Index p, Index q) {
  const Problem& problem = alike.problem;
  const Transitions& P = problem.transitions;
  const auto same_row = [&](const auto& table) {
    return std::equal(table.begin() + P.begin[p], table.begin() + P.begin[p + 1],
                      table.begin() + P.begin[q], table.begin() + P.begin[q + 1]);
  };
  return problem.reward_mean[p] == problem.reward_mean[q] && problem.sigma[p] == problem.sigma[q] &&
         (problem.family.empty() || same_family(problem.family[p], problem.family[q])) &&
         P.base_weight[p] == P.base_weight[q] && same_row(P.next_state) &&
         same_row(P.probability) && alike.same_to_constraints(p, q);
}

bool same_actions(const Likeness& alike, Index s, Index t) {
  const Range a = alike.problem.shape.pairs_of(s);
  const Range b = alike.problem.shape.pairs_of(t);
  if (a.size() != b.size()) return false;
  for (Index i = 0; i < a.size(); ++i)
    if (!same_pair(alike, a.first() + i, b.first() + i)) return false;
  return true;
}

constexpr std::size_t kMostKinds = 8;  // of states or actions that are worth searching among

// By action of state s: the first action like it. Returns how many differ. Actions with sigma = 0
// stay apart, so that ties among them can go to the first.
Index group_actions(const Likeness& alike, Index s, std::vector<Index>& first_like) {
  const Problem& problem = alike.problem;
  const Range pairs = problem.shape.pairs_of(s);
  std::vector<Index>& first = first_like;
  first.resize(pairs.size());
  Index kinds = 0;
  for (Index i = 0; i < pairs.size(); ++i) {
    first[i] = i;
    std::size_t searched = 0;
    const bool alone = problem.sigma[pairs.first() + i] == 0.0;
    for (Index j = 0; j < i && searched < kMostKinds && !alone; ++j) {
      if (first[j] != j) continue;
      ++searched;
      if (!same_pair(alike, pairs.first() + i, pairs.first() + j)) continue;
      first[i] = j;
      break;
    }
    kinds += first[i] == i ? 1 : 0;
  }
  return kinds;
}

// Whether as much arrives in both states but for what sparse transitions bring.
bool same_arrival(const Problem& problem, Index layer, Index s, Index t) {
  return (layer > 0 || problem.initial[s] == problem.initial[t]) &&
         problem.transitions.base[s] == problem.transitions.base[t];
}

// The first state of its kind in the layer, or s itself.
Index representative(const Likeness& alike, Index layer, Index s,
                     const std::vector<Index>& candidates) {
  const Problem& problem = alike.problem;
  for (Index t : candidates)
    if (same_arrival(problem, layer, s, t) && same_actions(alike, s, t)) return t;
  return s;
}

// Numbers the classes of states and of their actions and adds them to the reduced shape; fills
// state_of and origin_state.
void make_classes(const Likeness& alike, const std::vector<double>& reach, Reduced& reduced) {
  const Problem& problem = alike.problem;
  const Shape& shape = problem.shape;
  const std::vector<char> sparse_inflow = states_with_sparse_inflow(problem, reach);
  std::vector<Index> candidates, first_like;
  reduced.state_of.assign(shape.states(), -1);
  for (Index l = 0; l < shape.layers(); ++l) {
    reduced.problem.shape.add_layer();
    candidates.clear();
    for (Index s : shape.states_of(l)) {
      if (reach[s] < negligible_reach(problem)) continue;
      const bool exchangeable = (l == 0 && !problem.stationary()) || !sparse_inflow[s];
      const Index t = exchangeable ? representative(alike, l, s, candidates) : s;
      if (t != s) {
        reduced.state_of[s] = reduced.state_of[t];
        reduced.state_copies[reduced.state_of[t]] += 1.0;
        continue;
      }
      if (exchangeable && candidates.size() < kMostKinds) candidates.push_back(s);
      reduced.state_of[s] = reduced.problem.shape.add_state(group_actions(alike, s, first_like));
      reduced.origin_state.push_back(s);
      reduced.state_copies.push_back(1.0);
    }
  }
}

// Copies one pair. Next states that are listed twice are added up: `place`, by reduced state, says
// where the last entry for it stands.
void copy_pair(const Problem& problem, Index p, Reduced& reduced, std::vector<Offset>& place) {
  const Transitions& P = problem.transitions;
  Problem& small = reduced.problem;
  small.reward_mean.push_back(problem.reward_mean[p]);
  small.sigma.push_back(problem.sigma[p]);
  if (!problem.family.empty()) small.family.push_back(problem.family[p]);
  small.transitions.base_weight.push_back(P.base_weight[p]);
  const Offset row = small.transitions.begin.back();
  for (Offset k = P.begin[p]; k < P.begin[p + 1]; ++k) {
    const Index next = reduced.state_of[P.next_state[k]];
    if (P.probability[k] <= 0.0 || next < 0) continue;
    if (place[next] >= row) {
      small.transitions.probability[place[next]] += P.probability[k];
      continue;
    }
    place[next] = static_cast<Offset>(small.transitions.next_state.size());
    small.transitions.next_state.push_back(next);
    small.transitions.probability.push_back(P.probability[k]);
  }
  small.transitions.begin.push_back(static_cast<Offset>(small.transitions.next_state.size()));
}

// Copies the actions of state s that differ as the actions of class c, and counts the others.
void copy_actions(const Likeness& alike, Index s, Index c, double reach, Reduced& reduced,
                  std::vector<Offset>& place, std::vector<Index>& first_like) {
  const Problem& problem = alike.problem;
  group_actions(alike, s, first_like);
  const Range pairs = problem.shape.pairs_of(s);
  for (Index i = 0; i < pairs.size(); ++i) {
    const Index p = pairs.first() + i;
    if (first_like[i] != i) {
      reduced.pair_of[p] = reduced.pair_of[pairs.first() + first_like[i]];
      reduced.copies[reduced.pair_of[p]] += reduced.state_copies[c];
      continue;
    }
    reduced.pair_of[p] = static_cast<Index>(reduced.copies.size());
    reduced.origin_pair.push_back(p);
    copy_pair(problem, p, reduced, place);
    reduced.copies.push_back(reduced.state_copies[c]);
    reduced.reach.push_back(std::min(1.0, reduced.state_copies[c] * reach));
  }
}

void clear(Reduced& reduced) {
  Problem& small = reduced.problem;
  small.shape.clear();
  small.transitions.begin.assign(1, 0);
  small.transitions.next_state.clear();
  small.family.clear();
  reduced.origin_state.clear();
  reduced.origin_pair.clear();
  for (std::vector<double>* table :
       {&reduced.copies, &reduced.reach, &reduced.state_copies, &small.reward_mean, &small.sigma,
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

// The constraints on classes: all pairs of a class count alike.
void reduce_constraints(const Problem& problem, Reduced& reduced) {
  std::vector<Constraint>& small = reduced.problem.constraints;
  small.clear();
  for (const Constraint& given : problem.constraints) {
    Constraint& constraint = small.emplace_back(Constraint{given.name, given.sense, given.bound});
    for (std::size_t i = 0; i < given.pair.size(); ++i) {
      const Index p = reduced.pair_of[given.pair[i]];
      if (p >= 0 && reduced.origin_pair[p] == given.pair[i])
        constraint.add(p, given.coefficient[i]);
    }
  }
}

void fold_discount(Problem& small) {
  const double gamma = *small.discount;
  for (double& p : small.transitions.probability) p *= gamma;
  for (double& weight : small.transitions.base_weight) weight *= gamma;
  for (double& rho : small.initial) rho *= 1.0 - gamma;
}

}  // namespace

void presolve(const Problem& problem, Reduced& reduced) {
  clear(reduced);
  const std::vector<double> reach =
      problem.stationary() ? stationary_reach_bounds(problem) : reach_bounds(problem);
  const Likeness alike = {problem, constraint_columns(problem)};
  make_classes(alike, reach, reduced);
  const std::vector<Index>& origin = reduced.origin_state;
  reduced.dropped_reach = dropped_reach(reach, negligible_reach(problem));
  Problem& small = reduced.problem;
  small.discount = problem.discount;
  if (problem.stationary()) reduced.dropped_reach *= 2.0 / (1.0 - *problem.discount);
  std::vector<Offset> place(small.shape.states(), -1);
  std::vector<Index> first_like;
  reduced.pair_of.assign(problem.shape.pairs(), -1);
  for (Index c = 0; c < small.shape.states(); ++c)
    copy_actions(alike, origin[c], c, reach[origin[c]], reduced, place, first_like);
  small.initial.assign(small.shape.states_of(0).size(), 0.0);
  small.transitions.base.assign(small.shape.states(), 0.0);
  for (Index s = 0; s < problem.shape.states(); ++s) {
    const Index c = reduced.state_of[s];
    if (c < 0) continue;
    small.transitions.base[c] += problem.transitions.base[s];
    if (s < problem.shape.states_of(0).last()) small.initial[c] += problem.initial[s];
    // The copies of a state have their actions in the same order as the original.
    for (Index i = 0; i < problem.shape.pairs_of(s).size(); ++i)
      reduced.pair_of[problem.shape.pairs_of(s).first() + i] =
          reduced.pair_of[problem.shape.pairs_of(origin[c]).first() + i];
  }
  if (small.stationary()) fold_discount(small);
  settle_forced_pairs(reduced);
  reduce_constraints(problem, reduced);
}

void Reduced::expand_occupancy(std::span<const double> of_copy, std::span<double> given) const {
  for (std::size_t p = 0; p < given.size(); ++p)
    given[p] = pair_of[p] < 0 ? 0.0 : of_copy[pair_of[p]];
}

void Reduced::expand_policy(const Shape& shape, std::span<const double> reduced,
                            std::span<double> given) const {
  for (Index s = 0; s < shape.states(); ++s)
    for (Index p : shape.pairs_of(s))
      given[p] = state_of[s] < 0 ? 1.0 / shape.pairs_of(s).size()
                                 : policy_of_copy(state_of[s], pair_of[p], reduced[pair_of[p]]);
}

void Reduced::expand_values(std::span<const DoubleDouble> reduced, std::span<double> given) const {
  for (std::size_t s = 0; s < given.size(); ++s)
    given[s] = state_of[s] < 0 ? std::numeric_limits<double>::quiet_NaN() : reduced[state_of[s]].hi;
}

void Reduced::reduce_policy(const Shape& shape, std::span<const double> given,
                            std::span<double> reduced) const {
  std::fill(reduced.begin(), reduced.end(), 0.0);
  for (Index s = 0; s < shape.states(); ++s)
    for (Index p : shape.pairs_of(s))
      if (pair_of[p] >= 0) reduced[pair_of[p]] += given[p] / state_copies[state_of[s]];
}

}  // namespace vapor
