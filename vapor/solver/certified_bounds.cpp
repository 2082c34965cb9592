#include "vapor/solver/certified_bounds.h"

#include <algorithm>
#include <concepts>
#include <limits>

#include "vapor/core/elementary.h"
#include "vapor/core/multiversion.h"
#include "vapor/solver/belief_regulariser.h"
#include "vapor/solver/pair_kernels.h"

namespace vapor {
namespace {

// sum lambda E r.
VAPOR_MULTIVERSION
LongSum expected_reward(std::span<const DoubleDouble> lambda, const double* reward) {
  LongSum sum;
  for (std::size_t p = 0; p < lambda.size(); ++p) sum.add(lambda[p] * reward[p]);
  return sum;
}

// lambda of one copy of each pair.
VAPOR_MULTIVERSION
void divide_by_copies(std::span<const DoubleDouble> lambda, const double* copies,
                      double* occupancy) {
  for (std::size_t p = 0; p < lambda.size(); ++p)
    occupancy[p] =
        copies[p] == 1.0 ? lambda[p].hi : (lambda[p] * reciprocal(DoubleDouble{copies[p], 0.0})).hi;
}

constexpr double kSmallestLog = 1e-300;  // log_of() says the same of anything smaller

// The excess is largest at 0: a delta that is known up to `error` has at most that of this one.
VAPOR_INLINE DoubleDouble nearer_zero(DoubleDouble delta, double error) {
  if (std::abs(delta.hi) <= error) return {};
  return delta + (delta.hi > 0.0 ? -error : error);
}

// delta, and k ((1 - x) max(delta, 0) + x max(-delta, 0) + excess(delta)), of the pairs of a layer.
template <ScalarRegulariser R>
VAPOR_MULTIVERSION void add_conjugates(const Reduced& reduced, Range states, const DoubleDouble* V,
                                       const DoubleDouble* q, const double* q_error,
                                       const double* occupancy, const double* outside,
                                       double* advantage, LongSum& sum) {
  const Problem& problem = reduced.problem;
  const auto parameters = R::parameters(problem);
  for (Index s : states) {
    for (Index p : problem.shape.pairs_of(s)) {
      const double reward = problem.reward_mean[p];
      const double sigma = problem.sigma[p];
      const DoubleDouble delta = (q[p] - V[s]) + reward;
      advantage[p] = delta.hi;
      if (reduced.free[p] == 0.0) continue;  // lambda = 1: f*(delta) is delta
      const double size = std::abs(q[p].hi) + std::abs(V[s].hi) + std::abs(reward);
      const double error = q_error[p] + 8.0 * kDoubleDoubleUnit * size;
      const double share = delta.hi > 0.0 ? outside[p] : occupancy[p];
      const double linear = share * (std::abs(delta.hi) + error) * (1.0 + kManyRoundings);
      const double excess =
          sigma > 0.0 ? R::excess_above(nearer_zero(delta, error), parameters[p]) : 0.0;
      sum.add({reduced.copies[p] * (linear + excess), 0.0});
    }
  }
}

}  // namespace

void CertifiedBounds::reset(const Problem& problem, const Reduced& reduced) {
  flow_.reset(problem, reduced);
  const std::size_t pairs = reduced.problem.shape.pairs();
  for (std::vector<double>* table :
       {&occupancy_, &outside_, &log_occupancy_, &delta_, &error_, &offset_})
    table->resize(pairs);
  q_.resize(pairs);
  largest_reward_ = largest_magnitude(problem.reward_mean);
  largest_sigma_ = largest_magnitude(problem.sigma);
  const std::size_t rows = constraints().size();
  for (std::vector<double>* table : {&used_, &violation_, &room_error_}) table->resize(rows);
  prices_.assign(rows, 0.0);
  room_.resize(rows);
  charge_.assign(rows == 0 ? 0 : pairs, {});
  charge_error_.assign(charge_.size(), 0.0);
}

// x, 1 - x and log x. Only one pair of a layer can have more than half of it.
void CertifiedBounds::set_shares() {
  const Reduced& reduced = flow_.reduced();
  const Shape& shape = reduced.problem.shape;
  divide_by_copies(flow_.lambda(), reduced.copies.data(), occupancy_.data());
  log_of(occupancy_, log_occupancy_);
  for (Index l = 0; l < shape.layers(); ++l) {
    for (Index p : shape.pairs_of_layer(l)) {
      const double x = occupancy_[p];
      outside_[p] = 1.0 - x;
      if (x < kSmallestLog) log_occupancy_[p] = std::log(x);
      if (x <= 0.5) continue;
      outside_[p] = flow_.mass_outside(l, {p, p + 1});
      log_occupancy_[p] = std::log1p(-outside_[p]);
    }
  }
}

// The rows of the last measure. An entry of it has the relative error of the flow, and what was
// dropped may be anywhere.
void CertifiedBounds::set_uses() {
  const double dropped = flow_.problem().shape.pairs() * flow_.reduced().dropped_reach;
  for (std::size_t i = 0; i < constraints().size(); ++i) {
    const Constraint& c = constraints()[i];
    LongSum sum;
    for (std::size_t t = 0; t < c.pair.size(); ++t)
      sum.add(flow_.lambda()[c.pair[t]] * c.coefficient[t]);
    const double units = (2.0 * static_cast<double>(c.pair.size()) + 16.0) * kDoubleDoubleUnit;
    room_[i] = (-sum.total) + c.bound;
    room_error_[i] =
        2.0 * (flow_.relative_error() * sum.size + units * (sum.size + std::abs(c.bound))) +
        (8.0 * dropped + 2.0 * flow_.displaced()) * largest_magnitude(c.coefficient) + 1e-300;
    used_[i] = sum.total.hi;
    const double over = round_up(-room_[i], room_error_[i]);
    const double under = round_up(room_[i], room_error_[i]);
    violation_[i] = c.sense == Sense::kAtMost    ? std::max(over, 0.0)
                    : c.sense == Sense::kAtLeast ? std::max(under, 0.0)
                                                 : std::max(over, under);
  }
}

double CertifiedBounds::constraint_residual() const {
  double largest = 0.0;
  for (std::size_t i = 0; i < violation_.size(); ++i)
    if (violation_[i] > 0.0) {
      const Constraint& c = constraints()[i];
      const double size = std::max(largest_magnitude(c.coefficient), std::abs(c.bound));
      if (size == 0.0) continue;  // 0 = 0
      const double quotient = violation_[i] / size;
      largest = std::max(largest, std::nextafter(quotient, 2.0 * quotient));
    }
  return largest;
}

void CertifiedBounds::set_prices(std::span<const double> prices) {
  if (constraints().empty()) return;
  std::fill(charge_.begin(), charge_.end(), DoubleDouble{});
  std::fill(charge_error_.begin(), charge_error_.end(), 0.0);
  const double units = (static_cast<double>(constraints().size()) + 16.0) * kDoubleDoubleUnit;
  for (std::size_t i = 0; i < constraints().size(); ++i) {
    const Constraint& c = constraints()[i];
    const bool right = std::isfinite(prices[i]) &&
                       !(c.sense == Sense::kAtMost && prices[i] < 0.0) &&
                       !(c.sense == Sense::kAtLeast && prices[i] > 0.0);
    prices_[i] = right ? prices[i] : 0.0;
    for (std::size_t t = 0; t < c.pair.size(); ++t) {
      const DoubleDouble term = two_product(c.coefficient[t], prices_[i]);
      charge_[c.pair[t]] = charge_[c.pair[t]] + term;
      charge_error_[c.pair[t]] += 2.0 * units * std::abs(term.hi) + 1e-300;
    }
  }
}

// q = P V, less what the constraints charge, of the pairs of a layer.
void CertifiedBounds::expect(Index layer, std::span<const DoubleDouble> V) {
  flow_.expectations(layer, V, q_, error_);
  if (charge_.empty()) return;
  for (Index p : flow_.reduced().problem.shape.pairs_of_layer(layer)) {
    error_[p] +=
        charge_error_[p] + 2.0 * kDoubleDoubleUnit * (std::abs(q_[p].hi) + std::abs(charge_[p].hi));
    q_[p] = q_[p] - charge_[p];
  }
}

// Of the expected reward and a sum over all pairs: the relative error of lambda, and two units a
// term; the sizes themselves are rounded.
double CertifiedBounds::error_of(const LongSum& sum) const {
  const double terms = 2.0 * flow_.reduced().problem.shape.pairs() + 16.0;
  return 2.0 * (flow_.relative_error() * reward_.size +
                terms * kDoubleDoubleUnit * (reward_.size + sum.size));
}

// What the dropped states can change: their own pairs, and by what flows on from them all others.
// Underflow is counted here too.
double CertifiedBounds::dropped_below() const {
  const double pairs = flow_.problem().shape.pairs();
  const double reach = flow_.reduced().dropped_reach;
  return pairs * (8.0 * reach * largest_reward_ + 1.5 * std::sqrt(reach) * largest_sigma_ + 1e-300);
}

template <ScalarRegulariser R>
double CertifiedBounds::displaced_below() const {
  constexpr double kTooMuch = 0.1;
  constexpr double kSmallShare = 0.4;  // below it f moves by f(e) + 3 sigma e
  const double E = flow_.displaced();
  if (E == 0.0) return 0.0;
  if (!(E < kTooMuch)) return std::numeric_limits<double>::infinity();
  const double pairs = flow_.problem().shape.pairs();
  double sum = E * largest_reward_ + 3.0 * largest_sigma_ * E;
  if constexpr (std::same_as<typename R::Parameter, double>)
    sum += pairs * R::value(E / pairs, std::log(E / pairs), largest_sigma_);
  else
    sum += 1.5 * largest_sigma_ * std::sqrt(pairs * E);
  for (std::size_t p = 0; p < occupancy_.size(); ++p) {
    if (occupancy_[p] < kSmallShare) continue;
    const double sigma = flow_.reduced().problem.sigma[p];
    const auto parameter = R::parameters(flow_.reduced().problem)[p];
    const double f = sigma > 0.0 ? R::value(occupancy_[p], log_occupancy_[p], parameter) : 0.0;
    const bool away_from_1 = outside_[p] > 4.0 * E;
    sum += away_from_1 ? 4.0 * E * f / outside_[p] : 1.5 * sigma * std::sqrt(E);
  }
  return (1.0 + 1e-9) * sum;
}

double CertifiedBounds::dropped_above(std::span<const DoubleDouble> V) const {
  double largest = 0.0;
  for (const DoubleDouble& v : V) largest = std::max(largest, std::abs(v.hi));
  for (std::size_t i = 0; i < prices_.size(); ++i)
    largest += std::abs(prices_[i]) * largest_magnitude(constraints()[i].coefficient);
  const double pairs = flow_.problem().shape.pairs();
  return dropped_below() + 8.0 * pairs * flow_.reduced().dropped_reach * largest +
         4.0 * flow_.displaced() * (largest + largest_reward_);
}

template <ScalarRegulariser R>
double CertifiedBounds::below(std::span<const double> policy) {
  const Reduced& reduced = flow_.reduced();
  const Problem& problem = reduced.problem;
  flow_.push_forward(policy);
  set_shares();
  set_uses();
  reward_ = expected_reward(flow_.lambda(), problem.reward_mean.data());
  LongSum bonus;
  for (std::size_t p = 0; p < occupancy_.size(); ++p) {
    if (problem.sigma[p] == 0.0 || occupancy_[p] == 0.0) continue;
    const double f = R::value_below(occupancy_[p], log_occupancy_[p], R::parameters(problem)[p]);
    bonus.add({reduced.copies[p] * f, 0.0});
  }
  return round_down(reward_.total + bonus.total,
                    error_of(bonus) + dropped_below() + displaced_below<R>());
}

template <ScalarRegulariser R>
double CertifiedBounds::above(std::span<const DoubleDouble> V) {
  const Shape& shape = flow_.reduced().problem.shape;
  LongSum sum;
  for (Index l = 0; l < shape.layers(); ++l) {
    expect(l, V);
    add_conjugates<R>(flow_.reduced(), shape.states_of(l), V.data(), q_.data(), error_.data(),
                      occupancy_.data(), outside_.data(), delta_.data(), sum);
  }
  if (prices_.empty()) return round_up(reward_.total + sum.total, error_of(sum) + dropped_above(V));
  double error = error_of(sum) + dropped_above(V);
  for (std::size_t i = 0; i < prices_.size(); ++i) {
    const DoubleDouble term = room_[i] * prices_[i];
    if (term.hi > 0.0) sum.add(term);
    error += 2.0 * std::abs(prices_[i]) * room_error_[i];
  }
  return round_up(reward_.total + sum.total, error + 64.0 * kDoubleDoubleUnit * sum.size);
}

// Without rewards and sigma f* is max(delta, 0), and no measure is needed to evaluate D(V, y).
double CertifiedBounds::infeasibility(std::span<const double> V) {
  const Reduced& reduced = flow_.reduced();
  const Shape& shape = reduced.problem.shape;
  std::vector<DoubleDouble> values(V.size());
  for (std::size_t s = 0; s < V.size(); ++s) values[s] = {V[s], 0.0};
  LongSum sum;
  double error = 0.0;
  for (Index s : shape.states_of(0)) sum.add(flow_.initial(s) * V[s]);
  for (std::size_t i = 0; i < prices_.size(); ++i)
    sum.add(two_product(constraints()[i].bound, prices_[i]));
  for (Index l = 0; l < shape.layers(); ++l) {
    expect(l, values);
    for (Index s : shape.states_of(l)) {
      for (Index p : shape.pairs_of(s)) {
        const DoubleDouble delta = q_[p] - values[s];
        const double size = std::abs(q_[p].hi) + std::abs(V[s]);
        const double wrong = error_[p] + 8.0 * kDoubleDoubleUnit * size;
        delta_[p] = delta.hi;
        if (delta.hi > 0.0 || reduced.free[p] == 0.0) sum.add(delta * reduced.copies[p]);
        error += reduced.copies[p] * wrong;
      }
    }
  }
  double largest = 0.0;
  for (double v : V) largest = std::max(largest, std::abs(v));
  for (std::size_t i = 0; i < prices_.size(); ++i)
    largest += std::abs(prices_[i]) * largest_magnitude(constraints()[i].coefficient);
  const double terms = 2.0 * shape.pairs() + 64.0 + flow_.relative_error() / kDoubleDoubleUnit;
  const double dropped = 8.0 * flow_.problem().shape.pairs() * reduced.dropped_reach * largest;
  return round_up(sum.total, 2.0 * (error + terms * kDoubleDoubleUnit * sum.size) + dropped);
}

template double CertifiedBounds::below<Vapor>(std::span<const double>);
template double CertifiedBounds::below<AnyBelief>(std::span<const double>);
template double CertifiedBounds::below<WeightedEntropy>(std::span<const double>);
template double CertifiedBounds::below<Linear>(std::span<const double>);
template double CertifiedBounds::above<Vapor>(std::span<const DoubleDouble>);
template double CertifiedBounds::above<AnyBelief>(std::span<const DoubleDouble>);
template double CertifiedBounds::above<WeightedEntropy>(std::span<const DoubleDouble>);
template double CertifiedBounds::above<Linear>(std::span<const DoubleDouble>);

}  // namespace vapor
