#include "vapor/solver/optimum.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "vapor/solver/belief_regulariser.h"
#include "vapor/solver/certificate.h"

namespace vapor {
namespace {

constexpr double kLeastLog = -600.0;  // of a lambda that is kept: 1e-260
constexpr double kNearOne = -0.1;     // log lambda above it follows V
constexpr double kConverged = 1e-7;   // relative change of every lambda; the next is its square
constexpr double kBalanced = 1e-8;    // imbalance of the flow at the optimum
constexpr int kMostSteps = 20;
constexpr double kWeightOfBasic = 100.0;
constexpr double kStrictly = 1e-8;  // complementarity: relative to the sizes of both sides

// Newton's method on the conditions of optimality.
template <ScalarRegulariser R>
class OptimumSearch {
 public:
  using Table = std::vector<double>;
  using Kind = PolishedOptimum::Kind;

  OptimumSearch(const Reduced& reduced, const OptimumStart& start, PolishedOptimum& optimum)
      : reduced_(reduced),
        problem_(reduced.problem),
        shape_(reduced.problem.shape),
        start_(start),
        optimum_(optimum) {}

  void run(double max_bytes) {
    take_start();
    resize();
    set_unit();
    sort_pairs();
    optimum_.system.reset(reduced_, active_rows(), basic_, max_bytes);
    start_logs();
    optimum_.status = converge();
    if (optimum_.status == Differentiability::kSmooth && !(is_strict() && probe()))
      optimum_.status = Differentiability::kTies;
    if (optimum_.status != Differentiability::kSmooth) {
      take_start();
      start_logs();
    }
    set_sigma_slopes();
  }

 private:
  void take_start() {
    optimum_.lambda.assign(start_.lambda.begin(), start_.lambda.end());
    optimum_.V.assign(start_.V.begin(), start_.V.end());
    optimum_.prices.assign(start_.prices.begin(), start_.prices.end());
  }

  void resize() {
    const auto pairs = static_cast<std::size_t>(shape_.pairs());
    for (Table* table :
         {&log_lambda_, &delta_, &theta_, &optimum_.response, &optimum_.slope_by_sigma,
          &optimum_.value, &optimum_.value_by_sigma, &total_})
      table->assign(pairs, 0.0);
    optimum_.kind.assign(pairs, Kind::kCurved);
    basic_.assign(pairs, 0);
    change_.g.assign(pairs, 0.0);
    change_.e.assign(shape_.states(), 0.0);
  }

  // What differences of rewards are measured with.
  void set_unit() {
    double sum = 0.0;
    double sigmas = 0.0;
    double count = 0.0;
    for (std::size_t p = 0; p < problem_.sigma.size(); ++p) {
      sum = std::max(sum, std::abs(problem_.reward_mean[p]));
      sigmas += problem_.sigma[p];
      count += problem_.sigma[p] > 0.0 ? 1.0 : 0.0;
    }
    sigma_unit_ = count > 0.0 ? sigmas / count : (sum > 0.0 ? sum : 1.0);
    unit_ = std::max(sum, sigma_unit_);
  }

  void set_delta() {
    advantages(problem_, flow_, optimum_.V, delta_);
    charge_prices(delta_);
  }

  void charge_prices(Table& pairs) const {
    for (std::size_t i = 0; i < optimum_.prices.size(); ++i) {
      const Constraint& row = problem_.constraints[i];
      for (std::size_t t = 0; t < row.pair.size(); ++t)
        pairs[row.pair[t]] -= row.coefficient[t] * optimum_.prices[i];
    }
  }

  // In a state without any sigma that the optimum never visits, V may be anything above its best
  // action: it is put there, last layers first.
  void lower_unvisited() {
    unvisited_.assign(shape_.states(), 0);
    if (std::all_of(problem_.sigma.begin(), problem_.sigma.end(), [](double x) { return x > 0.0; }))
      return;
    total_ = problem_.reward_mean;
    charge_prices(total_);
    for (Index l = shape_.layers() - 1; l >= 0; --l) {
      const bool last = l + 1 == shape_.layers();
      const double base = last ? 0.0 : base_value(shape_, problem_.transitions, l + 1, optimum_.V);
      for (Index s : shape_.states_of(l)) lower_unvisited(s, base);
    }
  }

  void lower_unvisited(Index s, double base) {
    constexpr double kUnvisited = 1e-6;
    const Range pairs = shape_.pairs_of(s);
    double mass = 0.0;
    double best = -std::numeric_limits<double>::infinity();
    for (Index p : pairs) {
      if (problem_.sigma[p] > 0.0 || reduced_.free[p] == 0.0) return;
      mass += optimum_.lambda[p];
      best = std::max(best, total_[p] + problem_.transitions.expectation(p, optimum_.V, base));
    }
    if (mass > kUnvisited || best > optimum_.V[s]) return;
    optimum_.V[s] = best;
    unvisited_[s] = 1;
  }

  // Complementarity: of a pair without sigma, either the policy takes it or it loses by taking it.
  void sort_pairs() {
    constexpr double kShareWhereUnvisited = 1e-6;
    flow_.reset(problem_);
    lower_unvisited();
    set_delta();
    for (Index s = 0; s < shape_.states(); ++s) {
      for (Index p : shape_.pairs_of(s)) {
        if (reduced_.free[p] == 0.0) {
          optimum_.kind[p] = Kind::kForced;
        } else if (problem_.sigma[p] == 0.0) {
          const double loss = std::max(0.0, -delta_[p]) / unit_;
          const double share = unvisited_[s] ? kShareWhereUnvisited : start_.policy[p];
          optimum_.kind[p] = share > loss ? Kind::kBasic : Kind::kUnused;
        }
      }
    }
    cut_off();
    for (std::size_t p = 0; p < basic_.size(); ++p)
      basic_[p] = optimum_.kind[p] == Kind::kBasic ? 1 : 0;
  }

  // States with sigmas to which only unused pairs lead have next to no mass: exp of minus what such
  // a pair loses, squared, over 2 sigma^2. They are left out, unless the solution saw them.
  void cut_off() {
    if (std::find(optimum_.kind.begin(), optimum_.kind.end(), Kind::kUnused) == optimum_.kind.end())
      return;
    constexpr double kSeen = 1e-8;
    std::vector<char> reached(shape_.states(), 0);
    for (std::size_t s = 0; s < problem_.initial.size(); ++s) reached[s] = 1;
    for (Index l = 0; l < shape_.layers(); ++l) {
      for (Index s : shape_.states_of(l)) {
        double mass = 0.0;
        bool curved = false;
        for (Index p : shape_.pairs_of(s)) {
          mass += optimum_.lambda[p];
          curved = curved || optimum_.kind[p] == Kind::kCurved;
        }
        if (!reached[s] && curved && mass > kSeen) reached[s] = use_best_way(l, s) ? 1 : 0;
        if (!reached[s] && curved) leave_out(s);
      }
      if (l + 1 < shape_.layers()) spread_reach(l, reached);
    }
  }

  void spread_reach(Index l, std::vector<char>& reached) const {
    const Transitions& P = problem_.transitions;
    bool base = false;
    for (Index s : shape_.states_of(l)) {
      for (Index p : shape_.pairs_of(s)) {
        if (!reached[s] || optimum_.kind[p] == Kind::kUnused) continue;
        base = base || P.base_weight[p] > 0.0;
        for (Offset k = P.begin[p]; k < P.begin[p + 1]; ++k) reached[P.next_state[k]] = 1;
      }
    }
    for (Index s : shape_.states_of(l + 1))
      if (base && P.base[s] > 0.0) reached[s] = 1;
  }

  // Takes the unused pair that brings the most to a state for one that is used.
  bool use_best_way(Index layer, Index state) {
    if (layer == 0) return true;
    const Transitions& P = problem_.transitions;
    Index best = -1;
    double most = 0.0;
    for (Index p : shape_.pairs_of_layer(layer - 1)) {
      double brought = P.base_weight[p] * P.base[state];
      for (Offset k = P.begin[p]; k < P.begin[p + 1]; ++k)
        if (P.next_state[k] == state) brought += P.probability[k];
      brought *= reduced_.copies[p] * optimum_.lambda[p];
      if (brought > most && optimum_.kind[p] == Kind::kUnused) {
        most = brought;
        best = p;
      }
    }
    if (best >= 0) optimum_.kind[best] = Kind::kBasic;
    return best >= 0;
  }

  void leave_out(Index s) {
    const Range pairs = shape_.pairs_of(s);
    unvisited_[s] = 1;
    for (Index p : pairs) optimum_.kind[p] = p == pairs.first() ? Kind::kPinned : Kind::kLeftOut;
  }

  // Of an inequality, either the price or the room is 0.
  std::vector<std::size_t> active_rows() {
    std::vector<std::size_t> rows;
    for (std::size_t q = 0; q < total_.size(); ++q)
      total_[q] = reduced_.copies[q] * optimum_.lambda[q];
    for (std::size_t i = 0; i < problem_.constraints.size(); ++i) {
      const Constraint& row = problem_.constraints[i];
      const bool active = row.sense == Sense::kEqual || price_size(i) > room_size(i);
      if (active)
        rows.push_back(i);
      else
        optimum_.prices[i] = 0.0;
    }
    return rows;
  }

  double row_size(const Constraint& row) const {
    double size = std::abs(row.bound);
    for (double c : row.coefficient) size = std::max(size, std::abs(c));
    return std::max(size, 1e-300);
  }
  double price_size(std::size_t i) const {
    return std::abs(optimum_.prices[i]) * row_size(problem_.constraints[i]) / unit_;
  }
  double room_size(std::size_t i) const {
    const Constraint& row = problem_.constraints[i];
    return std::abs(row.bound - used_by(row, total_)) / row_size(row);
  }

  void start_logs() {
    for (std::size_t p = 0; p < log_lambda_.size(); ++p) {
      double& lambda = optimum_.lambda[p];
      if (optimum_.kind[p] == Kind::kForced) lambda = 1.0;
      if (optimum_.kind[p] == Kind::kUnused || optimum_.kind[p] == Kind::kPinned ||
          optimum_.kind[p] == Kind::kLeftOut)
        lambda = 0.0;
      if (optimum_.kind[p] != Kind::kCurved) continue;
      log_lambda_[p] = lambda > 0.0 ? std::log(lambda) : kLeastLog;
      set_lambda(p, log_lambda_[p]);
    }
  }

  void set_lambda(std::size_t p, double log_lambda) {
    log_lambda_[p] = std::clamp(log_lambda, kLeastLog, 0.0);
    optimum_.lambda[p] = std::exp(log_lambda_[p]);
  }

  // The change that Newton's step answers: what is left of the conditions.
  void linearise() {
    set_delta();
    for (std::size_t p = 0; p < theta_.size(); ++p) {
      const typename R::Parameter sigma = R::parameters(problem_)[p];
      double& response = optimum_.response[p];
      change_.g[p] = delta_[p];
      switch (optimum_.kind[p]) {
        case Kind::kCurved: {
          if (log_lambda_[p] > kNearOne) set_lambda(p, R::log_maximiser(delta_[p], sigma));
          const double tau = R::temperature(log_lambda_[p], sigma);
          const double slope = R::slope(log_lambda_[p], sigma);
          const Linearisation f =
              R::linearise(optimum_.lambda[p], log_lambda_[p], tau, -slope, 0.0, sigma);
          // Without curvature, between 0 and an atom, lambda is not settled by delta.
          straight_ = straight_ || !(f.curvature > 0.0);
          response = f.curvature > 0.0 ? 1.0 / f.curvature : 0.0;
          change_.g[p] += slope;
          break;
        }
        case Kind::kPinned:
          change_.g[p] = 0.0;
          [[fallthrough]];
        case Kind::kForced:
          response = 1.0 / sigma_unit_;
          break;
        case Kind::kBasic:
          response = kWeightOfBasic * std::max(optimum_.lambda[p], 1e-10) / sigma_unit_;
          break;
        case Kind::kUnused:
        case Kind::kLeftOut:
          response = 0.0;
          change_.g[p] = 0.0;
      }
      theta_[p] = reduced_.copies[p] * response;
      total_[p] = reduced_.copies[p] * optimum_.lambda[p];
    }
    flow_.apply_transpose(total_, change_.e);
    for (std::size_t s = 0; s < problem_.initial.size(); ++s) change_.e[s] += problem_.initial[s];
    const auto& rows = optimum_.system.rows();
    change_.b.resize(rows.size());
    optimum_.system.count(total_, change_.b);
    for (std::size_t i = 0; i < rows.size(); ++i)
      change_.b[i] = problem_.constraints[rows[i]].bound - change_.b[i];
  }

  // Steps until lambda stays, and then the factor that belongs to it.
  Differentiability converge() {
    for (int step = 0; step < kMostSteps; ++step) {
      linearise();
      if (straight_) return Differentiability::kTies;
      if (!optimum_.system.factor(theta_) || !optimum_.system.respond(change_, answer_))
        return Differentiability::kTies;
      const double moved = take_step();
      if (!std::isfinite(moved)) break;
      if (moved > kConverged) continue;
      linearise();
      const bool good = optimum_.system.factor(theta_) && largest_magnitude(change_.e) <= kBalanced;
      return good ? Differentiability::kSmooth : Differentiability::kInaccurate;
    }
    return Differentiability::kInaccurate;
  }

  // Returns the largest relative step. Where lambda would change by more than a part of itself its
  // linearisation says little: it follows the new V, which changes slowly where lambda is small.
  double take_step() {
    constexpr double kShort = 0.2;
    constexpr double kFreely = -14.0;  // below this log lambda may go where it likes
    for (std::size_t s = 0; s < answer_.V.size(); ++s) optimum_.V[s] += answer_.V[s];
    const auto& rows = optimum_.system.rows();
    for (std::size_t i = 0; i < rows.size(); ++i) optimum_.prices[rows[i]] += answer_.y[i];
    set_delta();
    double most = 0.0;
    for (std::size_t p = 0; p < theta_.size(); ++p) {
      const double d_lambda = answer_.lambda[p] / reduced_.copies[p];
      if (optimum_.kind[p] == Kind::kBasic) {
        most = std::max(most, std::abs(d_lambda));
        optimum_.lambda[p] += d_lambda;
      }
      if (optimum_.kind[p] != Kind::kCurved) continue;
      const double relative = d_lambda / optimum_.lambda[p];
      if (!std::isfinite(relative)) return relative;
      double next = log_lambda_[p] + std::log1p(relative > -kShort ? relative : -kShort);
      if (std::abs(relative) > kShort) {
        const double highest = std::max(log_lambda_[p] + 1.0, kFreely);
        next = std::min(highest, R::log_maximiser(delta_[p], R::parameters(problem_)[p]));
      }
      next = std::clamp(next, kLeastLog, 0.0);
      most = std::max(most, std::abs(next - log_lambda_[p]));
      set_lambda(p, next);
    }
    return most;
  }

  // Whether everything that is on one side of a choice is clearly there.
  bool is_strict() {
    for (Index s = 0; s < shape_.states(); ++s) {
      double mass = 0.0;
      int basics = 0;
      for (Index p : shape_.pairs_of(s)) mass += optimum_.lambda[p];
      for (Index p : shape_.pairs_of(s)) {
        if (optimum_.kind[p] == Kind::kBasic) {
          ++basics;
          if (!unvisited_[s] && mass > 0.0 && !(optimum_.lambda[p] > kStrictly * mass))
            return false;
        }
        if (optimum_.kind[p] == Kind::kUnused && !(delta_[p] < -kStrictly * unit_)) return false;
      }
      // Copies could exchange what each gives to two actions without sigma.
      if (basics > 1 && reduced_.state_copies[s] > 1.0) return false;
    }
    std::vector<char> active(problem_.constraints.size(), 0);
    for (std::size_t i : optimum_.system.rows()) active[i] = 1;
    for (std::size_t i = 0; i < active.size(); ++i) {
      const Constraint& row = problem_.constraints[i];
      if (row.sense == Sense::kEqual) continue;
      const double sign = row.sense == Sense::kAtMost ? 1.0 : -1.0;
      if (active[i] ? !(price_size(i) > kStrictly && sign * optimum_.prices[i] > 0.0)
                    : !(room_size(i) > kStrictly))
        return false;
    }
    return true;
  }

  // Whether the basic pairs are independent: they answer any change.
  bool probe() {
    if (std::find(basic_.begin(), basic_.end(), 1) == basic_.end()) return true;
    for (std::size_t p = 0; p < basic_.size(); ++p)
      change_.g[p] = basic_[p] ? sigma_unit_ * std::sin(1.0 + 3.0 * static_cast<double>(p)) : 0.0;
    std::fill(change_.e.begin(), change_.e.end(), 0.0);
    std::fill(change_.b.begin(), change_.b.end(), 0.0);
    return optimum_.system.respond(change_, answer_);
  }

  void set_sigma_slopes() {
    constexpr double kAllButOne = 1e-14;
    for (std::size_t p = 0; p < theta_.size(); ++p) {
      const double lambda = optimum_.lambda[p];
      const typename R::Parameter sigma = R::parameters(problem_)[p];
      const Kind kind = optimum_.kind[p];
      if (kind == Kind::kBasic) log_lambda_[p] = std::log(std::clamp(lambda, 1e-260, 1.0));
      const bool follows = kind == Kind::kCurved ||
                           (kind == Kind::kBasic && 1.0 - lambda > kAllButOne && lambda > 0.0);
      if (!follows) continue;
      optimum_.slope_by_sigma[p] = R::slope(log_lambda_[p], with_unit_sigma(sigma));
      optimum_.value[p] = R::value(lambda, log_lambda_[p], sigma);
      optimum_.value_by_sigma[p] = R::value(lambda, log_lambda_[p], with_unit_sigma(sigma));
    }
  }

  const Reduced& reduced_;
  const Problem& problem_;
  const Shape& shape_;
  const OptimumStart& start_;
  PolishedOptimum& optimum_;
  FlowOperator flow_;
  double unit_ = 1.0, sigma_unit_ = 1.0;
  bool straight_ = false;  // somewhere f has no curvature
  std::vector<char> basic_, unvisited_;
  Table log_lambda_, delta_, theta_, total_;  // by pair; the last with all copies
  ResponseSystem::Change change_;
  ResponseSystem::Answer answer_;
};

}  // namespace

std::string_view name_of(Differentiability status) {
  switch (status) {
    case Differentiability::kSmooth:
      return "smooth";
    case Differentiability::kTies:
      return "ties";
    case Differentiability::kInaccurate:
      return "inaccurate";
    case Differentiability::kInfeasible:
      return "infeasible";
  }
  return "";
}

template <ScalarRegulariser R>
void find_optimum(const Reduced& reduced, const OptimumStart& start, double max_bytes,
                  PolishedOptimum& optimum) {
  OptimumSearch<R>(reduced, start, optimum).run(max_bytes);
}

template void find_optimum<Vapor>(const Reduced&, const OptimumStart&, double, PolishedOptimum&);
template void find_optimum<AnyBelief>(const Reduced&, const OptimumStart&, double,
                                      PolishedOptimum&);
template void find_optimum<WeightedEntropy>(const Reduced&, const OptimumStart&, double,
                                            PolishedOptimum&);

}  // namespace vapor
