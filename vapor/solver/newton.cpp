#include "vapor/solver/newton.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "vapor/mdp/policy.h"
#include "vapor/mdp/policy_equations.h"
#include "vapor/solver/belief_regulariser.h"
#include "vapor/solver/state_equation.h"

namespace vapor {
namespace {

constexpr int kNewtonIterations = 200;
constexpr double kStepToBoundary = 0.995;  // of the way to the nearest bound

}  // namespace

template <ScalarRegulariser R>
ReducedSolution Newton<R>::solve(const Reduced& reduced, const Start& start,
                                 const Settings& settings, ConstraintRows::Limits limits) {
  resize(reduced, settings, limits);
  equations_.set_deadline({Clock::now(), settings.max_seconds});
  Stopping stopping(settings, kNewtonIterations);
  start_feasible(start);
  while (true) {
    evaluate();
    if (stopping.iterations() > 0) keep_halfway();
    const bool factored = !problem_->stationary() || factor();
    certify();
    if (stopping.stalling() && rows_.empty() && !problem_->stationary()) polish();
    if (stopping.done(best_.value, best_.gap) || infeasible()) break;
    if (!factored || (!problem_->stationary() && !factor())) {
      stopping.run_out_of_time();
      break;
    }
    predict();
    correct();
    advance();
  }
  if (!std::isfinite(best_.gap)) keep_start(start);
  best_.status = stopping.status();
  if (best_.status == Status::kStalled && infeasible()) keep_proof();
  best_.iterations = stopping.iterations();
  if (!halfway_) policy_of_occupancy(problem_->shape, lambda_, best_.start);
  return best_;
}

// The policy where the next solve of a problem like this one begins: that of the first iterate that
// knows roughly where the mass belongs. Earlier ones know less; later ones have given up, pair by
// pair, what the next problem may want back (docs/algorithms/newton.md).
template <ScalarRegulariser R>
void Newton<R>::keep_halfway() {
  constexpr double kRoughly = 0.1;  // of the largest value
  if (halfway_ || mu_ * total_reach_ > kRoughly * largest_magnitude(V_)) return;
  halfway_ = true;
  policy_of_occupancy(problem_->shape, lambda_, best_.start);
}

// Numbers that overflow leave no certificate: the start's policy with its value, and no upper
// bound.
template <ScalarRegulariser R>
void Newton<R>::keep_start(const Start& start) {
  std::copy(start.policy.begin(), start.policy.end(), best_.policy.begin());
  J().push_forward(best_.policy, best_.occupancy, mass_);
  std::fill(best_.V.begin(), best_.V.end(), 0.0);
  best_.value = certificate<R>(*reduced_, best_.occupancy, best_.V).value;
}

template <ScalarRegulariser R>
void Newton<R>::resize(const Reduced& reduced, const Settings& settings,
                       ConstraintRows::Limits limits) {
  reduced_ = &reduced;
  problem_ = &reduced.problem;
  equations_.reset(*problem_, settings.method != Method::kNewtonCg, settings.max_bytes);
  rows_.reset(reduced, limits);
  best_.prices.assign(problem_->constraints.size(), 0.0);
  const std::size_t pairs = problem_->shape.pairs();
  const std::size_t states = problem_->shape.states();
  for (Table* t : {&lambda_, &s_, &tau_, &delta_, &theta_, &stationarity_, &centring_, &tau_shift_,
                   &tau_rate_, &bound_, &policy_, &occupancy_, &candidate_, &step_.lambda, &step_.s,
                   &step_.tau, &best_.occupancy, &best_.policy, &best_.start})
    t->resize(pairs);
  for (Table* t : {&previous_step_.lambda, &previous_step_.s, &previous_step_.tau})
    t->resize(pairs);
  if (!rows_.empty()) roomy_.resize(pairs);
  has_room_ = false;
  halfway_ = false;
  for (Table* t : {&previous_step_.V, &V_, &polished_V_, &flow_, &rhs_, &mass_, &step_.V, &best_.V})
    t->resize(states);
  if (problem_->stationary()) std::fill(V_.begin(), V_.end(), 0.0);
  for (Shares* s : {&share_, &feasible_, &maximiser_, &work_}) s->resize(pairs);
  best_.gap = std::numeric_limits<double>::infinity();
  best_.linear_iterations = 0;
  total_reach_ = sum_of(reduced.reach) + (rows_.empty() ? 0.0 : rows_.sides());
  for (std::size_t p = 0; p < pairs; ++p)
    bound_[p] =
        problem_->sigma[p] > 0.0 ? reduced.copies[p] : std::numeric_limits<double>::infinity();
}

// policy_ and its measure lambda_. Sweeps know nothing of constraints; where they lead out of the
// doubles the policy stays as it was.
template <ScalarRegulariser R>
void Newton<R>::start_policy(const Start& start) {
  for (Index s = 0; s < problem_->shape.states(); ++s)
    for (Index p : problem_->shape.pairs_of(s))
      policy_[p] = (1.0 - start.uniform_share) * start.policy[p] +
                   start.uniform_share / problem_->shape.pairs_of(s).size();
  J().push_forward(policy_, lambda_, mass_);
  if (start.sweeps.count == 0 || !rows_.empty() || problem_->stationary()) return;
  std::copy(policy_.begin(), policy_.end(), candidate_.begin());
  move_towards_centre<R>(*reduced_, J(), start.sweeps,
                         {candidate_, lambda_, stationarity_, delta_, mass_, V_, share_});
  if (std::isfinite(sum_of(candidate_))) std::swap(policy_, candidate_);
  J().push_forward(policy_, lambda_, mass_);
}

// lambda: the policy pushed forward. V: backward induction on the rewards E r + f'(lambda), raised
// by a little in every layer, so that all slacks are positive and stationarity holds exactly.
template <ScalarRegulariser R>
void Newton<R>::start_feasible(const Start& start) {
  constexpr double kSmallestShare = 1e-12;  // of what can reach a pair
  start_policy(start);
  for (std::size_t p = 0; p < lambda_.size(); ++p) {
    lambda_[p] = std::max(lambda_[p], kSmallestShare * reduced_->reach[p]);
    if (problem_->sigma[p] > 0.0) lambda_[p] = std::min(lambda_[p], largest_lambda(p));
  }
  share_.set(*reduced_, lambda_);
  for (std::size_t p = 0; p < lambda_.size(); ++p) {
    const auto sigma = R::parameters(*problem_)[p];
    tau_[p] = problem_->sigma[p] > 0.0 ? R::temperature(share_.log_x[p], sigma) : 0.0;
    stationarity_[p] = problem_->reward_mean[p] + R::slope(share_.log_x[p], sigma);
  }
  greedy_values(stationarity_, 0.0);
  if (!rows_.empty()) start_rows();
  double largest = 1.0;
  for (double v : V_) largest = std::max(largest, std::abs(v));
  const double gap = sum_of_products(lambda_, s_);
  greedy_values(stationarity_, std::max(gap / problem_->shape.layers(), 1e-15 * largest));
}

// Multipliers that are central for the slacks that V leaves, and V anew with what they charge.
template <ScalarRegulariser R>
void Newton<R>::start_rows() {
  // A policy that is nearly optimal without the constraints leaves no complementarity to go by; if
  // it violates them, their prices are likely to be a part of the values.
  constexpr double kPriceShare = 0.1;
  double mu = sum_of_products(lambda_, s_) / total_reach_;
  if (rows_.least_room(lambda_) < 0.0)
    mu = std::max(mu, kPriceShare * largest_magnitude(V_) *
                          (problem_->stationary() ? 1.0 - *problem_->discount
                                                  : 1.0 / problem_->shape.layers()));
  rows_.start(lambda_, mu);
  rows_.charge(stationarity_);
  greedy_values(stationarity_, 0.0);
}

// V(s) = max_a (reward + P V) + shift, and s the slack below it.
template <ScalarRegulariser R>
void Newton<R>::greedy_values(const Table& reward, double shift) {
  if (problem_->stationary()) return greedy_stationary_values(reward, shift);
  const Shape& shape = problem_->shape;
  for (Index l = shape.layers() - 1; l >= 0; --l) {
    const bool last = l + 1 == shape.layers();
    const double base = last ? 0.0 : base_value(shape, problem_->transitions, l + 1, V_);
    for (Index s : shape.states_of(l)) {
      V_[s] = -std::numeric_limits<double>::infinity();
      for (Index p : shape.pairs_of(s)) {
        delta_[p] = reward[p] + problem_->transitions.expectation(p, V_, base);
        V_[s] = std::max(V_[s], delta_[p]);
      }
      V_[s] += shift;
      for (Index p : shape.pairs_of(s)) s_[p] = V_[s] - delta_[p];
    }
  }
}

// The same where V is on both sides: by policy iteration, and then raised until no slack is below
// `shift`.
template <ScalarRegulariser R>
void Newton<R>::greedy_stationary_values(const Table& reward, double shift) {
  constexpr double kCloseEnough = 1e-4;  // to where the iteration begins
  optimal_stationary_policy(*problem_, reward, 1.0, V_, policy_, kCloseEnough);
  const Transitions& P = problem_->transitions;
  const double base = base_value(problem_->shape, P, 0, V_);
  double least = std::numeric_limits<double>::infinity();
  for (Index s = 0; s < problem_->shape.states(); ++s)
    for (Index p : problem_->shape.pairs_of(s)) {
      delta_[p] = reward[p] + P.expectation(p, V_, base);
      s_[p] = V_[s] - delta_[p];
      least = std::min(least, s_[p]);
    }
  // A constant c added to V adds (1 - gamma) c to every slack, if no state was dropped.
  const double rise = std::max(0.0, shift - least);
  for (double& v : V_) v += rise / (1.0 - *problem_->discount);
  for (double& slack : s_) slack += rise;
}

// The residuals, the curvature and the duality measure mu at the iterate.
template <ScalarRegulariser R>
void Newton<R>::evaluate() {
  advantages(*problem_, J(), V_, delta_);
  if (!rows_.empty()) {
    rows_.charge(delta_);
    rows_.evaluate(lambda_);
  }
  share_.set(*reduced_, lambda_);
  linearise_pairs<R>(lambda_.size(), share_.x.data(), share_.log_x.data(), reduced_->copies.data(),
                     R::parameters(*problem_), delta_.data(), s_.data(), tau_.data(),
                     stationarity_.data(), theta_.data(), tau_shift_.data(), tau_rate_.data());
  mu_ = sum_of_products(lambda_, s_) / total_reach_;
  if (!rows_.empty()) mu_ += rows_.complementarity() / total_reach_;
  J().apply_transpose(lambda_, flow_);
  for (std::size_t s = 0; s < problem_->initial.size(); ++s) flow_[s] += problem_->initial[s];
}

// Both bounds at the iterate; the closest pair so far is kept. The policy of lambda still feels the
// centring; that of the maximisers lambda(V) does not, and its error is the square of V's, but far
// from the optimum it can be worthless, and then the first is tried too.
template <ScalarRegulariser R>
void Newton<R>::certify() {
  set_maximisers<R>(*problem_, delta_, maximiser_);
  for (std::size_t p = 0; p < lambda_.size(); ++p)
    candidate_[p] = R::maximiser_settles(share_.x[p], R::parameters(*problem_)[p])
                        ? reduced_->copies[p] * maximiser_.x[p]
                        : lambda_[p];
  if (!rows_.empty()) return certify_with_rows();
  if (!consider(V_, candidate_)) consider(V_, lambda_);
}

// The maximisers know of the constraints only through their prices, and may be a little outside.
// The iterate is inside, but in the end with no more room than rounding takes: as much as it takes
// is mixed in of the last measure that had room.
template <ScalarRegulariser R>
void Newton<R>::certify_with_rows() {
  push_policy_of(candidate_, occupancy_);
  if (!keep_if_roomy(occupancy_)) {
    std::swap(occupancy_, candidate_);
    push_policy_of(lambda_, occupancy_);
    keep_if_roomy(occupancy_);
    if (!mix_to_feasible(occupancy_) && has_room_) mix_to_feasible(roomy_);
    push_policy_of(candidate_, occupancy_);
  }
  if (!consider_pushed(V_)) consider(V_, lambda_);
}

// Whether a measure meets the inequalities; if it does with room it is remembered.
template <ScalarRegulariser R>
bool Newton<R>::keep_if_roomy(const Table& occupancy) {
  constexpr double kRoomy = 1e-9;
  const double room = rows_.least_room(occupancy);
  if (room >= kRoomy) {
    std::copy(occupancy.begin(), occupancy.end(), roomy_.begin());
    has_room_ = true;
  }
  return room >= ConstraintRows::kInside;
}

// Moves candidate_ towards a measure until it meets the inequalities, and says whether it does.
template <ScalarRegulariser R>
bool Newton<R>::mix_to_feasible(const Table& occupancy) {
  const double share = rows_.share_to_feasible(candidate_, occupancy);
  if (share > 1.0) return false;
  for (std::size_t p = 0; p < candidate_.size(); ++p)
    candidate_[p] += share * (occupancy[p] - candidate_[p]);
  return true;
}

// The occupancy measure of the policy of lambda, which policy_ receives.
template <ScalarRegulariser R>
void Newton<R>::push_policy_of(const Table& lambda, Table& occupancy) {
  if (problem_->stationary()) return move_to_flow(lambda, occupancy);
  policy_of_occupancy(problem_->shape, lambda, policy_);
  J().push_forward(policy_, occupancy, mass_);
}

// The measure nearest to lambda that has no imbalance: lambda + theta J x with M x = -imbalance,
// and its policy. Where that would be negative it is cut off, and what is left imbalanced counts.
template <ScalarRegulariser R>
void Newton<R>::move_to_flow(const Table& lambda, Table& occupancy) {
  constexpr int kRounds = 3;
  constexpr double kBalanced = 1e-15;
  constexpr double kSmallestPart = 1e-3;  // of a mass that is left by one round
  Table& x = step_.V;
  Table& change = step_.lambda;
  std::copy(lambda.begin(), lambda.end(), occupancy.begin());
  for (int round = 0;; ++round) {
    J().apply_transpose(occupancy, mass_);
    imbalance_ = 0.0;
    for (std::size_t s = 0; s < mass_.size(); ++s) {
      mass_[s] = -(mass_[s] + problem_->initial[s]);
      imbalance_ += std::abs(mass_[s]);
    }
    if (round == kRounds || imbalance_ <= kBalanced) break;
    best_.linear_iterations += equations_.solve(mass_, x, linear_tolerance());
    J().apply(x, change);
    for (std::size_t p = 0; p < occupancy.size(); ++p)
      occupancy[p] = std::max(occupancy[p] + theta_[p] * change[p], kSmallestPart * occupancy[p]);
  }
  policy_of_occupancy(problem_->shape, occupancy, policy_);
}

template <ScalarRegulariser R>
bool Newton<R>::infeasible() const {
  return !rows_.empty() && rows_.prove_infeasible(V_, delta_);
}

// What proves that no measure meets the constraints, in the place of the best values.
template <ScalarRegulariser R>
void Newton<R>::keep_proof() {
  best_.status = Status::kInfeasible;
  rows_.prices(best_.prices);
  const double unit = 1.0 / largest_magnitude(best_.prices);  // a direction, so any will do
  for (double& price : best_.prices) price *= unit;
  for (std::size_t s = 0; s < V_.size(); ++s) best_.V[s] = unit * V_[s];
}

// Keeps V and the policy of lambda, and says so, if their gap is the smallest so far. delta_ and
// maximiser_ are those of V.
template <ScalarRegulariser R>
bool Newton<R>::consider(const Table& V, const Table& lambda) {
  push_policy_of(lambda, occupancy_);
  return consider_pushed(V);
}

template <ScalarRegulariser R>
bool Newton<R>::consider_pushed(const Table& V) {
  feasible_.set(*reduced_, occupancy_);
  Bounds bounds = certificate<R>(*reduced_, feasible_, delta_, maximiser_, work_);
  if (problem_->stationary()) bounds.gap += imbalance_ * largest_magnitude(V);
  if (!rows_.empty()) bounds.gap += rows_.gap_of(occupancy_, std::max(1.0, std::abs(bounds.value)));
  if (!(bounds.gap < best_.gap)) return false;
  best_.gap = bounds.gap;
  best_.value = bounds.value;
  std::copy(V.begin(), V.end(), best_.V.begin());
  rows_.prices(best_.prices);
  std::copy(occupancy_.begin(), occupancy_.end(), best_.occupancy.begin());
  std::copy(policy_.begin(), policy_.end(), best_.policy.begin());
  return true;
}

// A second opinion on V where rounding has worn out the iteration's: the values that the best
// policy's masses imply.
template <ScalarRegulariser R>
void Newton<R>::polish() {
  J().push_forward(best_.policy, occupancy_, mass_);
  values_of_masses<R>(*reduced_, mass_, step_.lambda, polished_V_);
  std::copy(delta_.begin(), delta_.end(), step_.s.begin());
  advantages(*problem_, J(), polished_V_, delta_);
  set_maximisers<R>(*problem_, delta_, maximiser_);
  consider(polished_V_, best_.occupancy);
  std::swap(delta_, step_.s);
}

template <ScalarRegulariser R>
bool Newton<R>::factor() {
  if (!equations_.factor(theta_)) return false;
  if (!rows_.empty())
    best_.linear_iterations += rows_.factor(equations_, theta_, linear_tolerance());
  return true;
}

// Given the centring residual rc: J' theta J dV = -flow - J' theta (stationarity + rc / lambda),
// d lambda = theta (J dV + stationarity + rc / lambda), ds = (rc - s d lambda) / lambda.
template <ScalarRegulariser R>
void Newton<R>::solve_for_direction() {
  for (std::size_t p = 0; p < lambda_.size(); ++p) {
    step_.s[p] = stationarity_[p] + centring_[p] / lambda_[p];
    step_.lambda[p] = theta_[p] * step_.s[p];
  }
  J().apply_transpose(step_.lambda, rhs_);
  for (std::size_t s = 0; s < rhs_.size(); ++s) rhs_[s] = -flow_[s] - rhs_[s];
  best_.linear_iterations += equations_.solve(rhs_, step_.V, linear_tolerance());
  if (!rows_.empty()) rows_.solve(step_.lambda, step_.V, step_.rows);
  J().apply(step_.V, step_.lambda);
  if (!rows_.empty()) rows_.charge(step_.rows.y, step_.lambda);
  for (std::size_t p = 0; p < lambda_.size(); ++p) {
    step_.lambda[p] = theta_[p] * (step_.lambda[p] + step_.s[p]);
    step_.s[p] = (centring_[p] - s_[p] * step_.lambda[p]) / lambda_[p];
    step_.tau[p] = tau_shift_[p] + tau_rate_[p] * step_.lambda[p];
  }
}

// Near the end theta spans many orders of magnitude, and what the border subtracts cancels: what
// the direction leaves of the flow and of the rows is solved for once more.
template <ScalarRegulariser R>
void Newton<R>::refine_direction() {
  constexpr double kGoodEnough = 1e-13;
  constexpr int kRefinements = 2;
  refining_V_.resize(V_.size());
  refining_y_.resize(rows_.padded_rows());
  refining_lambda_.resize(lambda_.size());
  for (int i = 0; i < kRefinements; ++i) {
    J().apply_transpose(step_.lambda, rhs_);
    for (std::size_t s = 0; s < rhs_.size(); ++s) rhs_[s] = -flow_[s] - rhs_[s];
    const double left = rows_.remainder(step_.lambda, step_.rows);
    if (std::max(left, largest_magnitude(rhs_)) < kGoodEnough) return;
    best_.linear_iterations += equations_.solve(rhs_, refining_V_, linear_tolerance());
    rows_.refine(refining_V_, refining_y_, step_.rows);
    J().apply(refining_V_, refining_lambda_);
    rows_.charge(refining_y_, refining_lambda_);
    for (std::size_t p = 0; p < lambda_.size(); ++p) {
      const double correction = theta_[p] * refining_lambda_[p];
      step_.lambda[p] += correction;
      step_.s[p] -= s_[p] * correction / lambda_[p];
      step_.tau[p] += tau_rate_[p] * correction;
    }
    for (std::size_t s = 0; s < V_.size(); ++s) step_.V[s] += refining_V_[s];
  }
}

// A factor is used as it is while the flow of lambda, which every step ought to restore, shows no
// trace of rounding, and refined by conjugate gradients otherwise. Without a factor the system is
// solved only as well as the gap deserves.
template <ScalarRegulariser R>
LinearTolerance Newton<R>::linear_tolerance() const {
  constexpr double kFlowOfAGoodFactor = 1e-11;
  if (equations_.factorised()) {
    return largest_magnitude(flow_) < kFlowOfAGoodFactor ? LinearTolerance{1.0, 0}
                                                         : LinearTolerance{1e-12, 20};
  }
  const double gap = best_.gap / std::max(1.0, std::abs(best_.value));
  return {std::clamp(1e-3 * gap, 1e-10, 1e-3), 1000};
}

// The step towards mu = 0.
template <ScalarRegulariser R>
void Newton<R>::predict() {
  for (std::size_t p = 0; p < lambda_.size(); ++p) centring_[p] = -lambda_[p] * s_[p];
  rows_.aim_at_zero();
  solve_for_direction();
}

// Centres by how little the predictor could do, and corrects for its second-order error. The centre
// of a pair that little mass can reach is as much closer to 0.
template <ScalarRegulariser R>
void Newton<R>::correct() {
  const Steps steps = longest_steps();
  const auto [primal, dual] = steps;
  double mu_predicted = rows_.complementarity_after(steps, step_.rows);
  for (std::size_t p = 0; p < lambda_.size(); ++p)
    mu_predicted += (lambda_[p] + primal * step_.lambda[p]) * (s_[p] + dual * step_.s[p]);
  mu_predicted /= total_reach_;
  const double centre = mu_ * std::pow(std::clamp(mu_predicted / mu_, 0.0, 1.0), 3);
  for (std::size_t p = 0; p < lambda_.size(); ++p)
    centring_[p] = centre * reduced_->reach[p] - lambda_[p] * s_[p] - step_.lambda[p] * step_.s[p];
  rows_.aim_at(centre, step_.rows);
  solve_for_direction();
  if (!rows_.empty()) refine_direction();
  recentre(centre);
}

// If the step is short: asks for a longer one, finds the pairs whose product lambda s would stray
// from the centre by more than a factor of 10, and solves once more with those pulled back. Kept if
// the step did become longer (Gondzio, 1996).
template <ScalarRegulariser R>
void Newton<R>::recentre(double centre) {
  constexpr double kLongEnough = 0.9;
  constexpr double kLonger = 0.3;
  constexpr double kStray = 10.0;
  const Steps steps = longest_steps();
  if (std::min(steps.primal, steps.dual) > kLongEnough) return;
  const double primal = std::min(1.0, steps.primal + kLonger);
  const double dual = std::min(1.0, steps.dual + kLonger);
  for (std::size_t p = 0; p < lambda_.size(); ++p) {
    const double product = (lambda_[p] + primal * step_.lambda[p]) * (s_[p] + dual * step_.s[p]);
    const double target = centre * reduced_->reach[p];
    const double low = target / kStray;
    const double high = target * kStray;
    centring_[p] += product < low ? low - product : std::max(std::min(high - product, 0.0), -high);
  }
  rows_.pull_back(centre, {primal, dual}, step_.rows, kStray);
  std::swap(step_, previous_step_);
  solve_for_direction();
  if (!rows_.empty()) refine_direction();
  const Steps longer = longest_steps();
  if (longer.primal + longer.dual < steps.primal + steps.dual) std::swap(step_, previous_step_);
}

// The longest steps, at most 1, that keep lambda >= 0 (and below 1 where f has infinite slope
// there), and s >= 0 and tau >= 0.
template <ScalarRegulariser R>
typename Newton<R>::Steps Newton<R>::longest_steps() const {
  Steps steps;
  steps.primal =
      std::min(step_to_zero(lambda_, step_.lambda), step_to_bound(lambda_, step_.lambda, bound_));
  steps.dual = std::min(step_to_zero(s_, step_.s), step_to_zero(tau_, step_.tau));
  if (rows_.empty()) return steps;
  const Steps of_rows = rows_.longest_steps(step_.rows);
  return {std::min(steps.primal, of_rows.primal), std::min(steps.dual, of_rows.dual)};
}

template <ScalarRegulariser R>
void Newton<R>::advance() {
  const auto [longest_primal, longest_dual] = longest_steps();
  const double primal = std::min(1.0, kStepToBoundary * longest_primal);
  const double dual = std::min(1.0, kStepToBoundary * longest_dual);
  for (std::size_t p = 0; p < lambda_.size(); ++p) {
    lambda_[p] += primal * step_.lambda[p];
    s_[p] += dual * step_.s[p];
    tau_[p] += dual * step_.tau[p];
  }
  for (std::size_t s = 0; s < V_.size(); ++s) V_[s] += dual * step_.V[s];
  rows_.advance({primal, dual}, step_.rows);
}

template class Newton<Vapor>;
template class Newton<AnyBelief>;
template class Newton<WeightedEntropy>;

}  // namespace vapor
