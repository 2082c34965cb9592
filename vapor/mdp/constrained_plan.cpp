#include "vapor/mdp/constrained_plan.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "vapor/core/check.h"
#include "vapor/core/error.h"

namespace vapor {
namespace {

constexpr int kMostPasses = 200;

// Values closer than this, relative to their size, are the same: they are sums of rounded products.
constexpr double kSame = 1e-12;

double size_of(double a, double b) { return 1.0 + std::abs(a) + std::abs(b); }

// Hands out the probability of a row, the states in the given order first.
template <typename Take>
void fill(const IntervalModel& model, Index pair, Range next, std::span<const Index> order,
          const Take& take) {
  const double* low = &model.low[model.row[pair]];
  const double* high = &model.high[model.row[pair]];
  double left = 1.0;
  for (Index i = 0; i < next.size(); ++i) left -= low[i];
  for (const Index i : order) {
    const double more = std::max(0.0, std::min(left, high[i] - low[i]));
    left -= more;
    if (low[i] + more > 0.0) take(next.first() + i, low[i] + more);
  }
}

}  // namespace

IntervalModel exact_intervals(const Problem& problem) {
  constexpr Offset kMostEntries = 100'000'000;
  refuse_discount(problem, "the constrained plan");
  const Shape& shape = problem.shape;
  const Transitions& P = problem.transitions;
  IntervalModel model = {
      .shape = shape, .initial = problem.initial, .row = {}, .low = {}, .high = {}};
  Offset entries = 0;
  for (Index l = 0; l < shape.layers(); ++l)
    for (Index p = shape.pairs_of_layer(l).first(); p < shape.pairs_of_layer(l).last(); ++p) {
      model.row.push_back(entries);
      if (l + 1 < shape.layers()) entries += shape.states_of(l + 1).size();
    }
  if (entries > kMostEntries)
    throw InputError("model",
                     "is too large for a constrained plan: more than 1e8 pairs of a pair "
                     "and a next state");
  model.low.assign(entries, 0.0);
  for (Index l = 0; l + 1 < shape.layers(); ++l) {
    const Range next = shape.states_of(l + 1);
    for (Index p : shape.pairs_of_layer(l)) {
      double* row = &model.low[model.row[p]];
      for (Offset k = P.begin[p]; k < P.begin[p + 1]; ++k)
        row[P.next_state[k] - next.first()] += P.probability[k];
      for (Index s : next) row[s - next.first()] += P.base_weight[p] * P.base[s];
    }
  }
  model.high = model.low;
  return model;
}

// The order in which rows are filled towards a layer. Ties keep the order of states.
void ConstrainedPlanner::sort_next_layer(Index layer, std::span<const double> W) {
  const Range states = model_->shape.states_of(layer);
  order_.resize(states.size());
  std::iota(order_.begin(), order_.end(), 0);
  const double* of = &W[states.first()];
  std::sort(order_.begin(), order_.end(),
            [of](Index a, Index b) { return of[a] > of[b] || (of[a] == of[b] && a < b); });
}

// Maximises sum z (reward_weight r - cost_weight c).
void ConstrainedPlanner::solve(double reward_weight, double cost_weight, Vertex& vertex) {
  const Shape& shape = model_->shape;
  vertex.pair.resize(shape.states());
  vertex.W.resize(shape.states());
  next_.resize(shape.states());
  next_cost_.resize(shape.states());
  for (Index l = shape.layers() - 1; l >= 0; --l) {
    const bool last = l + 1 == shape.layers();
    const Range next = last ? Range{0, 0} : shape.states_of(l + 1);
    if (!last) sort_next_layer(l + 1, vertex.W);
    for (Index s : shape.states_of(l)) {
      double best = -std::numeric_limits<double>::infinity();
      for (Index p : shape.pairs_of(s)) {
        double r = reward_[p], c = cost_[p];
        if (!last)
          fill(*model_, p, next, order_, [&](Index state, double probability) {
            r += probability * next_[state];
            c += probability * next_cost_[state];
          });
        const double W = reward_weight * r - cost_weight * c;
        if (!(W > best)) continue;
        best = W;
        vertex.pair[s] = p;
        vertex.W[s] = W;
        next_[s] = r;
        next_cost_[s] = c;
      }
    }
  }
  vertex.value = vertex.cost = 0.0;
  for (std::size_t s = 0; s < model_->initial.size(); ++s) {
    vertex.value += model_->initial[s] * next_[s];
    vertex.cost += model_->initial[s] * next_cost_[s];
  }
  ++plan_.passes;
}

void ConstrainedPlanner::add_occupancy(const Vertex& vertex, double weight) {
  const Shape& shape = model_->shape;
  mass_.assign(shape.states(), 0.0);
  std::copy(model_->initial.begin(), model_->initial.end(), mass_.begin());
  for (Index l = 0; l < shape.layers(); ++l) {
    if (l + 1 < shape.layers()) sort_next_layer(l + 1, vertex.W);
    for (Index s : shape.states_of(l)) {
      if (mass_[s] == 0.0) continue;
      const Index p = vertex.pair[s];
      occupancy_[p] += weight * mass_[s];
      if (l + 1 < shape.layers())
        fill(*model_, p, shape.states_of(l + 1), order_,
             [&](Index state, double probability) { mass_[state] += mass_[s] * probability; });
    }
  }
}

// The mixture of the two vertices that uses the budget, as a policy; where it never comes, that of
// the cheaper one.
void ConstrainedPlanner::mix(double budget) {
  const Shape& shape = model_->shape;
  const double between = over_.cost - within_.cost;
  const double share =
      between > 0.0 ? std::clamp((budget - within_.cost) / between, 0.0, 1.0) : 0.0;
  plan_.value = within_.value + share * (over_.value - within_.value);
  plan_.cost = within_.cost + share * between;
  occupancy_.assign(shape.pairs(), 0.0);
  add_occupancy(within_, 1.0 - share);
  if (share > 0.0) add_occupancy(over_, share);
  plan_.policy.assign(shape.pairs(), 0.0);
  for (Index s = 0; s < shape.states(); ++s) {
    double sum = 0.0;
    for (Index p : shape.pairs_of(s)) sum += occupancy_[p];
    if (sum > 0.0)
      for (Index p : shape.pairs_of(s)) plan_.policy[p] = occupancy_[p] / sum;
    else
      plan_.policy[within_.pair[s]] = 1.0;
  }
}

const ConstrainedPlan& ConstrainedPlanner::plan(const IntervalModel& model,
                                                std::span<const double> reward,
                                                std::span<const double> cost, double budget) {
  VAPOR_CHECK_EQ(reward.size(), static_cast<std::size_t>(model.shape.pairs()));
  VAPOR_CHECK_EQ(cost.size(), reward.size());
  model_ = &model;
  reward_ = reward;
  cost_ = cost;
  plan_.price = 0.0;
  plan_.passes = 0;
  plan_.feasible = true;
  solve(0.0, 1.0, within_);
  if (within_.cost > budget + kSame * size_of(within_.cost, budget)) {
    plan_.feasible = false;
    over_.cost = within_.cost;
    mix(budget);
    return plan_;
  }
  solve(1.0, 0.0, over_);
  if (over_.cost <= budget) {
    std::swap(within_, over_);
    over_.cost = within_.cost;
    mix(budget);
    return plan_;
  }
  while (plan_.passes < kMostPasses) {
    plan_.price = std::max(0.0, (over_.value - within_.value) / (over_.cost - within_.cost));
    solve(1.0, plan_.price, tried_);
    const double found = tried_.value - plan_.price * tried_.cost;
    const double line = over_.value - plan_.price * over_.cost;
    if (found <= line + kSame * size_of(found, plan_.price * budget)) break;
    std::swap(tried_, tried_.cost > budget ? over_ : within_);
  }
  mix(budget);
  return plan_;
}

ConstrainedPlan constrained_optimum(const Problem& problem, std::span<const double> cost,
                                    double budget) {
  return ConstrainedPlanner().plan(exact_intervals(problem), problem.reward_mean, cost, budget);
}

}  // namespace vapor
