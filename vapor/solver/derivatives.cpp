#include "vapor/solver/derivatives.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "vapor/core/error.h"
#include "vapor/mdp/policy.h"
#include "vapor/solver/belief_regulariser.h"
#include "vapor/solver/forbidden_pairs.h"

namespace vapor {
namespace {

using Table = std::vector<double>;

// A table of a caller, or zeros where it is empty.
Table given_table(const char* name, const Table& table, std::size_t size) {
  if (table.empty()) return Table(size, 0.0);
  if (table.size() != size)
    throw InputError(name, fmt::format("must have {} entries, got {}", size, table.size()));
  for (double x : table)
    if (!std::isfinite(x)) throw InputError(name, fmt::format("must be finite, got {}", x));
  return table;
}

bool all_zero(const Table& table) {
  return std::all_of(table.begin(), table.end(), [](double x) { return x == 0.0; });
}

double sum_over(const Table& table, Range range) {
  double sum = 0.0;
  for (Index i : range) sum += table[i];
  return sum;
}

double dot_over(const Table& a, const Table& b, Range range) {
  double sum = 0.0;
  for (Index i : range) sum += a[i] * b[i];
  return sum;
}

}  // namespace

// All that the derivatives are made of, by pair and state of the given problem. Copies of a state
// (presolve.h) share the part of an answer that is the same for all; what differs from copy to copy
// stays within each, since they are reached equally and lead to the same: nothing of it arrives
// anywhere else.
struct Derivatives::Tables {
  Tables(Problem given, const Solution& solution, double max_bytes);

  // The state of ResponseSystem's change and answer for the given problem; b and y by constraint.
  struct Response {
    Table g, e, b;  // in: by pair, by state, by constraint
    Table lambda, V, y;
  };

  void read_solution(const Solution& solution, double max_bytes);
  void spread_optimum();
  void respond(Response& response) const;
  void part_copies(Response& response, const Table& symmetric) const;

  ProblemChange scaled(const ProblemChange& direction) const;
  void refuse_unreachable(const ProblemChange& direction) const;
  // What a change of the transitions does to P V and to the flow of lambda.
  void apply_transitions(const ProblemChange& change, Table& g, Table& e) const;
  ProblemChange gradient(const Response& response, double value) const;
  void gradient_of_transitions(const Table& mu, const Table& nu, ProblemChange& gradient) const;
  void project(ProblemChange& gradient) const;

  void expect_a_value() const;
  Table policy_change(const Table& d_lambda) const;
  void add_policy_cotangent(const Table& of_policy, Table& of_lambda) const;

  double slope_by_sigma(Index p) const {
    return pair_of[p] < 0 ? 0.0 : optimum.slope_by_sigma[pair_of[p]];
  }
  double value_by_sigma(Index p) const {
    return pair_of[p] < 0 ? 0.0 : optimum.value_by_sigma[pair_of[p]];
  }

  Problem problem;
  std::optional<AllowedPairs> allowed;
  Reduced reduced;
  mutable PolishedOptimum optimum;       // whose system works in place
  std::vector<Index> pair_of, state_of;  // in the reduced problem, -1 where there is none
  std::vector<Index> row_of;             // by constraint: among the active rows, or -1
  double optimal_value = 0.0;
  Table lambda, mass, policy, V, prices;
  // By state: the optimum arrives, and V is settled there.
  std::vector<char> has_policy, has_values;
};

Derivatives::Tables::Tables(Problem given, const Solution& solution, double max_bytes)
    : problem(std::move(given)) {
  refuse_discount(problem, "differentiate");
  const auto pairs = static_cast<std::size_t>(problem.shape.pairs());
  const auto states = static_cast<std::size_t>(problem.shape.states());
  if (solution.occupancy.size() != pairs || solution.values.size() != states ||
      solution.policy.size() != pairs || solution.constraints.size() != problem.constraints.size())
    throw InputError("solution", "is not one of this problem: its tables have other sizes");
  read_solution(solution, max_bytes);
  spread_optimum();
}

void Derivatives::Tables::read_solution(const Solution& solution, double max_bytes) {
  if (!problem.constraints.empty()) allowed = without_forbidden_pairs(problem);
  const Problem& solved = allowed ? allowed->problem : problem;
  presolve(solved, reduced);
  if (solution.regulariser == RegulariserKind::kLinear)
    std::fill(reduced.problem.sigma.begin(), reduced.problem.sigma.end(), 0.0);
  state_of = reduced.state_of;
  pair_of.assign(problem.shape.pairs(), -1);
  Table start_lambda(reduced.copies.size()), start_policy(reduced.copies.size());
  for (Index p = 0; p < problem.shape.pairs(); ++p) {
    const Index q = allowed ? allowed->pair_of[p] : p;
    if (q >= 0) pair_of[p] = reduced.pair_of[q];
    if (pair_of[p] < 0) continue;
    start_lambda[pair_of[p]] = solution.occupancy[p];
    start_policy[pair_of[p]] = solution.policy[p];
  }
  Table start_V(reduced.state_copies.size()), start_prices;
  for (std::size_t c = 0; c < start_V.size(); ++c) {
    start_V[c] = solution.values[reduced.origin_state[c]];
    if (!std::isfinite(start_V[c])) start_V[c] = 0.0;
  }
  for (std::size_t i = 0; i < problem.constraints.size(); ++i)
    if (!allowed || !allowed->forbids[i]) start_prices.push_back(solution.constraints[i].price);
  if (solution.status == Status::kInfeasible) {
    optimum.status = Differentiability::kInfeasible;
    return;
  }
  const OptimumStart start{start_lambda, start_policy, start_V, start_prices};
  if (solution.regulariser == RegulariserKind::kWeightedEntropy)
    find_optimum<WeightedEntropy>(reduced, start, max_bytes, optimum);
  else if (!reduced.problem.family.empty())
    find_optimum<AnyBelief>(reduced, start, max_bytes, optimum);
  else
    find_optimum<Vapor>(reduced, start, max_bytes, optimum);
}

void Derivatives::Tables::spread_optimum() {
  constexpr double kUnderflow = 1e-100;
  constexpr double kRounding = 1e-12;  // what is left of 0 where no sigma brings anyone
  const Shape& shape = problem.shape;
  lambda.assign(shape.pairs(), 0.0);
  mass.assign(shape.states(), 0.0);
  has_policy.assign(shape.states(), 0);
  has_values.assign(shape.states(), 0);
  V.assign(shape.states(), 0.0);
  prices.assign(problem.constraints.size(), 0.0);
  row_of.assign(problem.constraints.size(), -1);
  if (optimum.status == Differentiability::kInfeasible) return;
  for (Index s = 0; s < shape.states(); ++s) {
    if (state_of[s] < 0) continue;
    V[s] = optimum.V[state_of[s]];
    bool curved = false;
    for (Index p : shape.pairs_of(s)) {
      if (pair_of[p] < 0) continue;
      mass[s] += lambda[p] = optimum.lambda[pair_of[p]];
      curved = curved || optimum.kind[pair_of[p]] == PolishedOptimum::Kind::kCurved;
    }
    has_policy[s] = mass[s] > (curved ? kUnderflow : kRounding);
    has_values[s] = !curved || has_policy[s];
  }
  policy.resize(lambda.size());
  policy_of_occupancy(shape, lambda, policy);
  for (std::size_t p = 0; p < lambda.size(); ++p)
    if (const Index q = pair_of[p]; q >= 0)
      optimal_value += lambda[p] * problem.reward_mean[p] + optimum.value[q];
  std::vector<Index> row(optimum.prices.size(), -1);
  const auto& rows = optimum.system.rows();
  for (std::size_t i = 0; i < rows.size(); ++i) row[rows[i]] = static_cast<Index>(i);
  std::size_t next = 0;
  for (std::size_t i = 0; i < prices.size(); ++i) {
    if (allowed && allowed->forbids[i]) continue;
    prices[i] = optimum.prices[next];
    row_of[i] = row[next++];
  }
}

void Derivatives::Tables::respond(Response& response) const {
  const Shape& shape = problem.shape;
  ResponseSystem::Change change{Table(reduced.copies.size(), 0.0),
                                Table(reduced.state_copies.size(), 0.0),
                                Table(optimum.system.rows().size(), 0.0)};
  ResponseSystem::Answer answer;
  for (std::size_t p = 0; p < response.g.size(); ++p)
    if (const Index q = pair_of[p]; q >= 0) change.g[q] += response.g[p] / reduced.copies[q];
  for (std::size_t s = 0; s < response.e.size(); ++s)
    if (const Index c = state_of[s]; c >= 0) change.e[c] += response.e[s];
  for (std::size_t i = 0; i < response.b.size(); ++i)
    if (row_of[i] >= 0) change.b[row_of[i]] = response.b[i];
  if (!optimum.system.respond(change, answer))
    throw InputError("derivatives", "the optimum has ties: this one does not exist");

  response.lambda.assign(shape.pairs(), 0.0);
  response.V.assign(shape.states(), 0.0);
  response.y.assign(prices.size(), 0.0);
  for (std::size_t p = 0; p < response.lambda.size(); ++p) {
    const Index q = pair_of[p];
    if (q < 0) continue;
    response.lambda[p] =
        answer.lambda[q] / reduced.copies[q] + optimum.response[q] * (response.g[p] - change.g[q]);
  }
  for (std::size_t s = 0; s < response.V.size(); ++s)
    if (state_of[s] >= 0) response.V[s] = answer.V[state_of[s]];
  for (std::size_t i = 0; i < response.y.size(); ++i)
    if (row_of[i] >= 0) response.y[i] = answer.y[row_of[i]];
  part_copies(response, change.g);
}

// V of each copy of a state beside that of all: its own share of the flow must come out. lambda
// arrives with what g alone does to it, `symmetric` being the mean of g over the copies.
void Derivatives::Tables::part_copies(Response& response, const Table& symmetric) const {
  Table arrival(reduced.state_copies.size(), 0.0);  // the mean over the copies
  for (std::size_t s = 0; s < response.V.size(); ++s)
    if (const Index c = state_of[s]; c >= 0) arrival[c] += response.e[s] / reduced.state_copies[c];
  for (Index s = 0; s < problem.shape.states(); ++s) {
    const Index c = state_of[s];
    if (c < 0 || reduced.state_copies[c] == 1.0) continue;
    double unspent = response.e[s] - arrival[c];
    double slope = 0.0;
    Index basic = -1;
    for (Index p : problem.shape.pairs_of(s)) {
      const Index q = pair_of[p];
      if (q < 0) continue;
      if (optimum.kind[q] == PolishedOptimum::Kind::kBasic) {
        response.lambda[p] -= optimum.response[q] * (response.g[p] - symmetric[q]);
        basic = p;
        continue;
      }
      unspent -= optimum.response[q] * (response.g[p] - symmetric[q]);
      slope += optimum.response[q];
    }
    const double dV = basic >= 0    ? response.g[basic] - symmetric[pair_of[basic]]
                      : slope > 0.0 ? -unspent / slope
                                    : 0.0;
    response.V[s] += dV;
    for (Index p : problem.shape.pairs_of(s)) {
      const Index q = pair_of[p];
      if (q >= 0 && optimum.kind[q] != PolishedOptimum::Kind::kBasic)
        response.lambda[p] -= optimum.response[q] * dV;
    }
    if (basic >= 0) response.lambda[basic] += unspent + slope * dV;
  }
}

void Derivatives::Tables::expect_a_value() const {
  if (optimum.status == Differentiability::kInfeasible)
    throw InputError("solution", "is infeasible: nothing to differentiate");
  if (optimum.status == Differentiability::kInaccurate)
    throw InputError("solution",
                     "is too far from the optimum, or rounding too coarse, to be "
                     "differentiated");
}

// pi = lambda / mass: d pi = (d lambda - pi d mass) / mass.
Table Derivatives::Tables::policy_change(const Table& d_lambda) const {
  Table change(lambda.size(), 0.0);
  for (Index s = 0; s < problem.shape.states(); ++s) {
    if (!has_policy[s]) continue;
    const double d_mass = sum_over(d_lambda, problem.shape.pairs_of(s));
    for (Index p : problem.shape.pairs_of(s))
      change[p] = (d_lambda[p] - lambda[p] / mass[s] * d_mass) / mass[s];
  }
  return change;
}

void Derivatives::Tables::add_policy_cotangent(const Table& of_policy, Table& of_lambda) const {
  for (Index s = 0; s < problem.shape.states(); ++s) {
    if (!has_policy[s]) continue;
    const Range pairs = problem.shape.pairs_of(s);
    const double mean = dot_over(lambda, of_policy, pairs) / mass[s];
    for (Index p : pairs)
      if (pair_of[p] >= 0) of_lambda[p] += (of_policy[p] - mean) / mass[s];
  }
}

// The direction that is left of one when distributions are scaled to sum to 1.
ProblemChange Derivatives::Tables::scaled(const ProblemChange& direction) const {
  const Shape& shape = problem.shape;
  const Transitions& P = problem.transitions;
  const auto pairs = static_cast<std::size_t>(shape.pairs());
  ProblemChange d;
  d.reward_mean = given_table("reward_mean", direction.reward_mean, pairs);
  d.sigma = given_table("sigma", direction.sigma, pairs);
  d.probability = given_table("probability", direction.probability, P.probability.size());
  d.base_weight = given_table("base_weight", direction.base_weight, pairs);
  d.base = given_table("base", direction.base, static_cast<std::size_t>(shape.states()));
  d.initial = given_table("initial", direction.initial, problem.initial.size());
  d.bound = given_table("bound", direction.bound, problem.constraints.size());
  for (std::size_t p = 0; p < pairs; ++p) {
    double sum = d.base_weight[p];
    for (Offset k = P.begin[p]; k < P.begin[p + 1]; ++k) sum += d.probability[k];
    d.base_weight[p] -= sum * P.base_weight[p];
    for (Offset k = P.begin[p]; k < P.begin[p + 1]; ++k) d.probability[k] -= sum * P.probability[k];
  }
  for (Index l = 1; l < shape.layers(); ++l) {
    const double sum = sum_over(d.base, shape.states_of(l));
    for (Index s : shape.states_of(l)) d.base[s] -= sum * P.base[s];
  }
  const double sum = sum_over(d.initial, shape.states_of(0));
  for (Index s : shape.states_of(0)) d.initial[s] -= sum * problem.initial[s];
  return d;
}

// Mass that arrives where none could be before.
void Derivatives::Tables::refuse_unreachable(const ProblemChange& direction) const {
  const Shape& shape = problem.shape;
  const Transitions& P = problem.transitions;
  const auto refuse = [](const char* name, Index s) {
    throw InputError(name, fmt::format("sends mass to state {}, which no policy reaches: there is "
                                       "no derivative",
                                       s));
  };
  for (Index s : shape.states_of(0))
    if (state_of[s] < 0 && direction.initial[s] != 0.0) refuse("initial", s);
  for (Index l = 0; l + 1 < shape.layers(); ++l) {
    bool base = false;
    for (Index p : shape.pairs_of_layer(l)) {
      if (pair_of[p] < 0) continue;
      base = base || P.base_weight[p] > 0.0;
      for (Offset k = P.begin[p]; k < P.begin[p + 1]; ++k)
        if (state_of[P.next_state[k]] < 0 && direction.probability[k] != 0.0)
          refuse("probability", P.next_state[k]);
    }
    for (Index s : shape.states_of(l + 1))
      if (base && state_of[s] < 0 && direction.base[s] != 0.0) refuse("base", s);
  }
}

void Derivatives::Tables::apply_transitions(const ProblemChange& change, Table& g, Table& e) const {
  const Shape& shape = problem.shape;
  const Transitions& P = problem.transitions;
  for (Index s : shape.states_of(0)) e[s] += change.initial[s];
  for (Index l = 0; l + 1 < shape.layers(); ++l) {
    const Range next = shape.states_of(l + 1);
    const double base = dot_over(P.base, V, next);
    const double base_moved = dot_over(change.base, V, next);
    double to_base = 0.0;
    double to_base_moved = 0.0;
    for (Index p : shape.pairs_of_layer(l)) {
      if (pair_of[p] < 0) continue;
      g[p] += change.base_weight[p] * base + P.base_weight[p] * base_moved;
      to_base += lambda[p] * change.base_weight[p];
      to_base_moved += lambda[p] * P.base_weight[p];
      for (Offset k = P.begin[p]; k < P.begin[p + 1]; ++k) {
        g[p] += change.probability[k] * V[P.next_state[k]];
        e[P.next_state[k]] += lambda[p] * change.probability[k];
      }
    }
    for (Index s : next) e[s] += to_base * P.base[s] + to_base_moved * change.base[s];
  }
}

// Of sum mu g + nu e with respect to all that apply_transitions() makes of the transitions.
void Derivatives::Tables::gradient_of_transitions(const Table& mu, const Table& nu,
                                                  ProblemChange& gradient) const {
  const Shape& shape = problem.shape;
  const Transitions& P = problem.transitions;
  gradient.probability.assign(P.probability.size(), 0.0);
  gradient.base_weight.assign(shape.pairs(), 0.0);
  gradient.base.assign(shape.states(), 0.0);
  for (Index l = 0; l + 1 < shape.layers(); ++l) {
    const Range next = shape.states_of(l + 1);
    const double base_V = dot_over(P.base, V, next);
    const double base_nu = dot_over(P.base, nu, next);
    double mu_to_base = 0.0;
    double lambda_to_base = 0.0;
    for (Index p : shape.pairs_of_layer(l)) {
      if (pair_of[p] < 0) continue;
      gradient.base_weight[p] = mu[p] * base_V + lambda[p] * base_nu;
      mu_to_base += mu[p] * P.base_weight[p];
      lambda_to_base += lambda[p] * P.base_weight[p];
      for (Offset k = P.begin[p]; k < P.begin[p + 1]; ++k)
        if (const Index s = P.next_state[k]; state_of[s] >= 0)
          gradient.probability[k] = mu[p] * V[s] + lambda[p] * nu[s];
    }
    for (Index s : next)
      if (state_of[s] >= 0) gradient.base[s] = mu_to_base * V[s] + lambda_to_base * nu[s];
  }
}

// Through the scaling of distributions to sum to 1: less their mean under each.
void Derivatives::Tables::project(ProblemChange& gradient) const {
  const Shape& shape = problem.shape;
  const Transitions& P = problem.transitions;
  for (Index p = 0; p < shape.pairs(); ++p) {
    if (pair_of[p] < 0) continue;
    double mean = P.base_weight[p] * gradient.base_weight[p];
    for (Offset k = P.begin[p]; k < P.begin[p + 1]; ++k)
      mean += P.probability[k] * gradient.probability[k];
    if (P.begin[p] < P.begin[p + 1] || P.base_weight[p] > 0.0) gradient.base_weight[p] -= mean;
    for (Offset k = P.begin[p]; k < P.begin[p + 1]; ++k)
      if (state_of[P.next_state[k]] >= 0) gradient.probability[k] -= mean;
  }
  for (Index l = 1; l < shape.layers(); ++l) {
    const double mean = dot_over(P.base, gradient.base, shape.states_of(l));
    for (Index s : shape.states_of(l))
      if (state_of[s] >= 0) gradient.base[s] -= mean;
  }
  const double mean = dot_over(problem.initial, gradient.initial, shape.states_of(0));
  for (Index s : shape.states_of(0))
    if (state_of[s] >= 0) gradient.initial[s] -= mean;
}

// The envelope theorem for the value, and the response for the rest.
ProblemChange Derivatives::Tables::gradient(const Response& response, double value) const {
  ProblemChange gradient;
  gradient.reward_mean = response.lambda;
  gradient.sigma.resize(lambda.size());
  gradient.initial.assign(problem.initial.size(), 0.0);
  gradient.bound = response.y;
  for (Index p = 0; p < problem.shape.pairs(); ++p) {
    gradient.reward_mean[p] += value * lambda[p];
    gradient.sigma[p] = response.lambda[p] * slope_by_sigma(p) + value * value_by_sigma(p);
  }
  for (std::size_t i = 0; i < prices.size(); ++i) gradient.bound[i] += value * prices[i];
  for (Index s : problem.shape.states_of(0))
    if (state_of[s] >= 0) gradient.initial[s] = response.V[s] + value * V[s];
  gradient_of_transitions(gradient.reward_mean, response.V, gradient);
  project(gradient);
  return gradient;
}

Derivatives::Derivatives(Problem problem, const Solution& solution, double max_bytes)
    : tables_(std::make_unique<Tables>(std::move(problem), solution, max_bytes)) {}

Derivatives::~Derivatives() = default;
Derivatives::Derivatives(Derivatives&&) noexcept = default;
Derivatives& Derivatives::operator=(Derivatives&&) noexcept = default;

Differentiability Derivatives::status() const { return tables_->optimum.status; }
const Problem& Derivatives::problem() const { return tables_->problem; }
double Derivatives::value() const { return tables_->optimal_value; }
const std::vector<double>& Derivatives::occupancy() const { return tables_->lambda; }
const std::vector<double>& Derivatives::policy() const { return tables_->policy; }
const std::vector<double>& Derivatives::values() const { return tables_->V; }
const std::vector<double>& Derivatives::prices() const { return tables_->prices; }

SolutionChange Derivatives::forward(const ProblemChange& direction) const {
  const Tables& t = *tables_;
  t.expect_a_value();
  const ProblemChange d = t.scaled(direction);
  t.refuse_unreachable(d);
  Tables::Response response{d.reward_mean, Table(t.V.size(), 0.0), d.bound, {}, {}, {}};
  t.apply_transitions(d, response.g, response.e);
  SolutionChange change;
  // lambda counts what P does to V; what rho does is V's.
  for (std::size_t p = 0; p < t.lambda.size(); ++p)
    change.value +=
        t.lambda[p] * response.g[p] + t.value_by_sigma(static_cast<Index>(p)) * d.sigma[p];
  for (std::size_t s = 0; s < d.initial.size(); ++s) change.value += t.V[s] * d.initial[s];
  for (std::size_t i = 0; i < d.bound.size(); ++i) change.value += t.prices[i] * d.bound[i];
  if (status() != Differentiability::kSmooth) return change;
  for (std::size_t p = 0; p < t.lambda.size(); ++p)
    response.g[p] += t.slope_by_sigma(static_cast<Index>(p)) * d.sigma[p];
  t.respond(response);
  change.occupancy = std::move(response.lambda);
  change.values = std::move(response.V);
  change.prices = std::move(response.y);
  change.policy = t.policy_change(change.occupancy);
  for (std::size_t s = 0; s < change.values.size(); ++s)
    if (!t.has_values[s]) change.values[s] = 0.0;
  return change;
}

ProblemChange Derivatives::adjoint(const SolutionChange& cotangents) const {
  const Tables& t = *tables_;
  t.expect_a_value();
  Tables::Response response;
  response.g = given_table("occupancy", cotangents.occupancy, t.lambda.size());
  response.e = given_table("values", cotangents.values, t.V.size());
  for (std::size_t s = 0; s < response.e.size(); ++s)
    if (!t.has_values[s]) response.e[s] = 0.0;
  response.b = given_table("prices", cotangents.prices, t.prices.size());
  t.add_policy_cotangent(given_table("policy", cotangents.policy, t.lambda.size()), response.g);
  if (!std::isfinite(cotangents.value))
    throw InputError("value", fmt::format("must be finite, got {}", cotangents.value));
  if (all_zero(response.g) && all_zero(response.e) && all_zero(response.b)) {
    response.lambda.assign(t.lambda.size(), 0.0);
    response.V.assign(t.V.size(), 0.0);
    response.y.assign(t.prices.size(), 0.0);
  } else {
    if (status() != Differentiability::kSmooth)
      throw InputError("derivatives",
                       "the optimum has ties: only its value has (one-sided) derivatives");
    t.respond(response);
  }
  return t.gradient(response, cotangents.value);
}

Derivatives differentiate(const Problem& problem, const Solution& solution) {
  return {problem, solution};
}

}  // namespace vapor
