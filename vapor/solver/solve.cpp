#include "vapor/solver/solve.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <tuple>

#include "vapor/core/clock.h"
#include "vapor/core/error.h"
#include "vapor/mdp/backward_induction.h"
#include "vapor/mdp/policy.h"
#include "vapor/solver/belief_regulariser.h"
#include "vapor/solver/certification.h"
#include "vapor/solver/forbidden_pairs.h"
#include "vapor/solver/frank_wolfe.h"
#include "vapor/solver/memory.h"
#include "vapor/solver/newton.h"
#include "vapor/solver/presolve.h"
#include "vapor/solver/saddle_point.h"

namespace vapor {
namespace {

void check_warm_start(const Problem& problem, std::span<const double> policy) {
  const Shape& shape = problem.shape;
  if (policy.size() != static_cast<std::size_t>(shape.pairs()))
    throw InputError("warm_start", fmt::format("must have {} entries, one a pair, got {}",
                                               shape.pairs(), policy.size()));
  for (Index s = 0; s < shape.states(); ++s) {
    double sum = 0.0;
    for (Index p : shape.pairs_of(s)) {
      if (!(policy[p] >= 0.0 && policy[p] <= 1.0 + 1e-6))
        throw InputError("warm_start", fmt::format("must be probabilities, got {}", policy[p]));
      sum += policy[p];
    }
    if (std::abs(sum - 1.0) > 1e-6)
      throw InputError("warm_start", fmt::format("state {} sums to {}, not to 1", s, sum));
  }
}

void report_constraints(const CertifiedBounds& bounds, const Problem& problem, Solution& solution) {
  solution.constraint_residual = bounds.constraint_residual();
  for (std::size_t i = 0; i < problem.constraints.size(); ++i) {
    const Constraint& c = problem.constraints[i];
    solution.constraints.push_back(
        {c.name, c.sense, c.bound, bounds.used()[i], bounds.prices()[i]});
  }
}

// The tables of the given problem, from those of the reduced one that the bounds belong to.
template <ScalarRegulariser R>
Solution expand(const Problem& problem, const Reduced& reduced, const ReducedSolution& small,
                Certification<R>& certification) {
  const Shape& shape = problem.shape;
  const CertifiedBounds& bounds = certification.bounds();
  Solution solution;
  solution.status = small.status;
  solution.iterations = small.iterations;
  solution.linear_iterations = small.linear_iterations;
  solution.value = certification.value();
  solution.gap = certification.gap();
  solution.occupancy.resize(shape.pairs());
  solution.policy.resize(shape.pairs());
  solution.temperature.resize(shape.pairs());
  solution.values.resize(shape.states());
  reduced.expand_occupancy(bounds.occupancy(), solution.occupancy);
  reduced.expand_policy(shape, certification.policy(), solution.policy);
  if (!small.start.empty()) {
    solution.start.resize(shape.pairs());
    reduced.expand_policy(shape, small.start, solution.start);
  }
  reduced.expand_values(certification.V(), solution.values);
  solution.flow_residual = max_flow_residual(problem, solution.occupancy);

  report_constraints(bounds, problem, solution);

  const std::span<const double> log_lambda = bounds.log_occupancy();
  for (std::size_t p = 0; p < log_lambda.size(); ++p) {
    const double lambda = bounds.occupancy()[p];
    if (lambda <= 0.0 || lambda == 1.0 || reduced.problem.sigma[p] == 0.0) continue;
    const double slope = R::slope(log_lambda[p], R::parameters(reduced.problem)[p]);
    solution.dual_residual =
        std::max(solution.dual_residual, lambda * std::abs(bounds.advantages()[p] + slope));
  }
  for (std::size_t p = 0; p < solution.temperature.size(); ++p) {
    const Index q = reduced.pair_of[p];
    solution.temperature[p] =
        R::temperature(q < 0 ? -std::numeric_limits<double>::infinity() : log_lambda[q],
                       R::parameters(problem)[p]);
  }
  return solution;
}

bool is_first_order(Method method) {
  return method == Method::kFrankWolfe || method == Method::kSaddlePoint;
}

void check_method(const Problem& problem, Method method) {
  if (!problem.constraints.empty() && !takes_constraints(method))
    throw InputError(
        "method", fmt::format("{} takes no constraints; newton and newton_cg do", name_of(method)));
  if (problem.stationary() && !takes_discount(method))
    throw InputError("method",
                     fmt::format("{} takes no discount; newton and newton_cg do", name_of(method)));
}

constexpr int kPolishings = 3;  // they need not converge (state_equation.h)

constexpr double kLooseTolerance = 1e-5;

constexpr Sweeps kColdSweeps = {8, 0};
constexpr Sweeps kWarmSweeps = {2, 12};

// Of the least sum of violations.
constexpr double kViolationTolerance = 1e-12;

// Of the tolerance, for a problem whose value may be so much larger.
constexpr double kShapedShare = 1e-2;

}  // namespace

// Policies of the given problem: one that may still be good enough as it is, and one to begin at.
struct Solver::WarmStart {
  std::span<const double> policy;
  std::span<const double> start;  // on the way to an optimum; empty: the policy it is
};

struct Solver::Workspace {
  Reduced reduced;
  std::tuple<Newton<Vapor>, Newton<AnyBelief>, Newton<WeightedEntropy>> newtons;
  std::tuple<Certification<Vapor>, Certification<AnyBelief>, Certification<WeightedEntropy>,
             Certification<Linear>>
      certifications;
  std::vector<double> policy;
  Clock::time_point begin;  // of the solve

  // Presolves, if there is memory for that and then for the solve, and returns the settings with as
  // much for newton's factor as is left.
  Settings make_room(const Problem& problem, const Settings& settings) {
    expect_room(settings, presolve_bytes(problem), "reading the problem into the solver");
    presolve(problem, reduced);
    const double bytes = solve_bytes(problem, reduced.problem, settings);
    expect_room(settings, bytes, "the solve");
    Settings with_room = settings;
    with_room.max_bytes = std::min(settings.max_bytes, settings.max_memory - bytes);
    return with_room;
  }

  template <ScalarRegulariser R>
  Newton<R>& newton() {
    return std::get<Newton<R>>(newtons);
  }

  template <ScalarRegulariser R>
  ReducedSolution solve_reduced(const Start& start, const Settings& settings) {
    switch (settings.method) {
      case Method::kNewton:
      case Method::kNewtonCg:
        break;
      case Method::kFrankWolfe:
        return frank_wolfe<R>(reduced, start, settings);
      case Method::kSaddlePoint:
        if constexpr (std::same_as<R, Vapor>) return saddle_point(reduced, start, settings);
        if constexpr (std::same_as<R, AnyBelief>) refuse_families(reduced.problem, "saddle_point");
        throw InputError("method", "saddle_point plays for VAPOR's temperatures only");
    }
    return newton<R>().solve(reduced, start, settings);
  }

  // Rounding that stops Newton depends on the way it came: it is tried again from the uniform
  // policy as it is, and from the best one so far mixed with the uniform one.
  template <ScalarRegulariser R>
  void restart(const Settings& settings, ReducedSolution& solution) {
    std::vector<Start> starts;
    policy = uniform_policy(reduced.problem.shape);
    const std::vector<double> best = solution.policy;
    starts.push_back({policy, 0.0});
    for (double share : {0.5, 0.05}) starts.push_back({best, share});
    Settings rest = settings;  // of the caller's limits
    for (const Start& start : starts) {
      rest.max_seconds = settings.max_seconds - seconds_since(begin);
      if (settings.max_iterations > 0)
        rest.max_iterations = settings.max_iterations - solution.iterations;
      if (!(rest.max_seconds > 0.0) || (settings.max_iterations > 0 && rest.max_iterations <= 0))
        return;
      ReducedSolution next = newton<R>().solve(reduced, start, rest);
      next.iterations += solution.iterations;
      next.linear_iterations += solution.linear_iterations;
      if (next.gap < solution.gap || next.status == Status::kInterrupted) std::swap(solution, next);
      solution.iterations = std::max(solution.iterations, next.iterations);
      solution.linear_iterations = std::max(solution.linear_iterations, next.linear_iterations);
      if (solution.status != Status::kStalled) return;
    }
  }

  template <ScalarRegulariser R>
  Solution solve(const Problem& problem, const Settings& settings, const WarmStart& warm_start) {
    const auto& sigma = reduced.problem.sigma;
    const bool constrained = !problem.constraints.empty();
    if (!constrained && std::all_of(sigma.begin(), sigma.end(), [](double x) { return x == 0.0; }))
      return certify_linear<R>(problem, settings);
    policy = uniform_policy(reduced.problem.shape);
    Start start{policy, 0.0, kColdSweeps};
    const bool warm = !warm_start.policy.empty();
    if (warm) {
      reduced.reduce_policy(problem.shape, warm_start.policy, policy);
      if (settings.tolerance >= kLooseTolerance && !constrained && !problem.stationary() &&
          !is_first_order(settings.method) && still_solves<R>(problem, settings)) {
        ReducedSolution small;
        small.status = Status::kSolved;
        Solution solution =
            expand<R>(problem, reduced, small, std::get<Certification<R>>(certifications));
        solution.start.assign(warm_start.start.begin(), warm_start.start.end());
        return solution;
      }
      start = begin_warm(problem, warm_start);
    }
    // The methods stop a little below the tolerance, so that the rounding of their bounds, which
    // the certificate includes, does not put the gap above it.
    constexpr double kRoomForRounding = 1.0 - 0x1.0p-10;
    Settings inner = settings;
    inner.tolerance *= kRoomForRounding;
    inner.max_seconds = settings.max_seconds - seconds_since(begin);
    ReducedSolution solution = solve_reduced<R>(start, inner);
    if (constrained) return certify_constrained<R>(problem, settings, solution);
    if (solution.status == Status::kStalled && !is_first_order(settings.method))
      restart<R>(inner, solution);
    return certify<R>(problem, settings, solution);
  }

  // Where to begin, in `policy`, which is given back some of the uniform one: enough to reach what
  // the last solution had given up, little enough to keep what it knew (docs/algorithms/newton.md).
  Start begin_warm(const Problem& problem, const WarmStart& warm_start) {
    constexpr double kShareOfAnOptimum = 0.1;
    constexpr double kShareOfAStart = 0.05;
    if (warm_start.start.empty()) return {policy, kShareOfAnOptimum};
    reduced.reduce_policy(problem.shape, warm_start.start, policy);
    return {policy, kShareOfAStart, kWarmSweeps};
  }

  // Whether the warm start, or the policy that follows from its masses, is within the tolerance. A
  // look in doubles says whether to ask: the answer in twice the digits costs as much as some
  // Newton steps, and more polishing than once helps in one case of fifty. To keep the last policy
  // itself where its own values would do is faster still, but agents then learn arms half as fast.
  template <ScalarRegulariser R>
  bool still_solves(const Problem& problem, const Settings& settings) {
    constexpr double kHopeless = 10.0;  // tolerances
    const Bounds seen = look_at_policy<R>();
    const double scale = std::max(1.0, std::abs(seen.value));
    if (!(seen.gap <= kHopeless * settings.tolerance * scale)) return false;
    auto& certification = std::get<Certification<R>>(certifications);
    certification.reset(problem, reduced);
    certification.consider(policy);
    return certification.within(settings.tolerance);
  }

  // The bounds of the policy and of `own_values`, its values for the rewards E r + f'(lambda),
  // which are V at the optimum: one pass forward and one back.
  template <ScalarRegulariser R>
  Bounds look_at_policy() {
    const Problem& small = reduced.problem;
    const Shape& shape = small.shape;
    std::vector<double> lambda(shape.pairs()), mass(shape.states()), V(shape.states());
    FlowOperator(small).push_forward(policy, lambda, mass);
    Shares share;
    share.resize(lambda.size());
    share.set(reduced, lambda);
    const auto parameters = R::parameters(small);
    for (Index l = shape.layers() - 1; l >= 0; --l) {
      const bool last = l + 1 == shape.layers();
      const double base = last ? 0.0 : base_value(shape, small.transitions, l + 1, V);
      for (Index s : shape.states_of(l))
        for (Index p : shape.pairs_of(s))
          if (policy[p] > 0.0)
            V[s] += policy[p] * (small.reward_mean[p] + R::slope(share.log_x[p], parameters[p]) +
                                 small.transitions.expectation(p, V, base));
    }
    return certificate<R>(reduced, lambda, V);
  }

  // The solution with bounds that include their own rounding, and the status that they allow. Where
  // the doubles of the method are not close enough, the values that its policy implies are computed
  // to twice the digits, and if that does not do, Newton solves the problem in a form that does not
  // cancel.
  template <ScalarRegulariser R>
  Solution certify(const Problem& problem, const Settings& settings, ReducedSolution& small) {
    auto& certification = std::get<Certification<R>>(certifications);
    certification.reset(problem, reduced);
    certification.consider(small.policy, small.V);
    const auto wanting = [&] {
      return (small.status == Status::kSolved || small.status == Status::kStalled) &&
             !certification.within(settings.tolerance);
    };
    for (int i = 0; i < kPolishings && !problem.stationary() && wanting(); ++i)
      certification.consider_implied();
    if (!problem.stationary() && wanting() && !is_first_order(settings.method))
      solve_shaped(settings, small, certification);
    settle_status(settings, certification, small);
    return expand<R>(problem, reduced, small, certification);
  }

  // The same with constraints. Values are polished, policies are not: theirs would violate them.
  template <ScalarRegulariser R>
  Solution certify_constrained(const Problem& problem, const Settings& settings,
                               ReducedSolution& small) {
    auto& certification = std::get<Certification<R>>(certifications);
    const auto solved = [&] {
      certification.reset(problem, reduced);
      certification.consider(small.policy, small.V, small.prices);
      for (int i = 0;
           i < kPolishings && !problem.stationary() && !certification.within(settings.tolerance);
           ++i)
        certification.consider_implied_values();
      return certification.within(settings.tolerance);
    };
    if (small.status != Status::kInfeasible && solved()) {
      small.status = Status::kSolved;
      return expand<R>(problem, reduced, small, certification);
    }
    if (small.status == Status::kInfeasible || small.status == Status::kStalled ||
        small.status == Status::kSolved) {
      if (auto proof = prove_infeasible<R>(problem, settings, small)) return std::move(*proof);
      restart<R>(settings, small);
      solved();
    }
    settle_status(settings, certification, small);
    return expand<R>(problem, reduced, small, certification);
  }

  // What is left of the caller's limits for another problem, whose bounds are not for his progress
  // function; nothing if nothing is left.
  std::optional<Settings> rest_of(const Settings& settings, int iterations) const {
    Settings rest = settings;
    rest.progress = {};
    rest.max_seconds = settings.max_seconds - seconds_since(begin);
    if (settings.max_iterations > 0) rest.max_iterations -= iterations;
    if (!(rest.max_seconds > 0.0) || (settings.max_iterations > 0 && rest.max_iterations <= 0))
      return std::nullopt;
    return rest;
  }

  // A proof that no measure meets the constraints: that of the method, or what the dual of the
  // least sum of violations says.
  template <ScalarRegulariser R>
  std::optional<Solution> prove_infeasible(const Problem& problem, const Settings& settings,
                                           ReducedSolution& small) {
    auto& certification = std::get<Certification<R>>(certifications);
    const auto proved = [&](const ReducedSolution& by) -> std::optional<Solution> {
      certification.reset(problem, reduced);
      const double below = certification.consider_infeasible(small.policy, by.V, by.prices);
      if (!(below < 0.0)) return std::nullopt;
      small.status = Status::kInfeasible;
      Solution solution = expand<R>(problem, reduced, small, certification);
      solution.value = -std::numeric_limits<double>::infinity();
      solution.gap = 0.0;
      solution.dual_residual = 0.0;
      solution.infeasibility = below;
      return solution;
    };
    if (small.status == Status::kInfeasible) {
      if (auto solution = proved(small)) return solution;
      small.status = Status::kStalled;
    }
    std::optional<Settings> rest = rest_of(settings, small.iterations);
    if (!rest) return std::nullopt;
    rest->tolerance = kViolationTolerance;
    Reduced violations = reduced;
    std::fill(violations.problem.reward_mean.begin(), violations.problem.reward_mean.end(), 0.0);
    std::fill(violations.problem.sigma.begin(), violations.problem.sigma.end(), 0.0);
    ReducedSolution least =
        newton<R>().solve(violations, {policy, 0.1}, *rest, ConstraintRows::Limits::kUnit);
    small.iterations += least.iterations;
    small.linear_iterations += least.linear_iterations;
    return proved(least);
  }

  template <ScalarRegulariser R>
  void solve_shaped(const Settings& settings, ReducedSolution& small,
                    Certification<R>& certification) {
    std::optional<Settings> rest = rest_of(settings, small.iterations);
    if (!rest) return;
    const std::vector<double> rewards = reduced.problem.reward_mean;
    const std::span<const double> shaped = certification.shaped_rewards();
    std::copy(shaped.begin(), shaped.end(), reduced.problem.reward_mean.begin());
    // What is within the tolerance there may be more than that here, where the value is smaller.
    rest->tolerance *= kShapedShare;
    const ReducedSolution next = newton<R>().solve(reduced, {small.policy, 0.1}, *rest);
    reduced.problem.reward_mean = rewards;
    small.iterations += next.iterations;
    small.linear_iterations += next.linear_iterations;
    certification.consider_shaped(next.policy, next.V);
    for (int i = 0; i < kPolishings && !certification.within(settings.tolerance); ++i)
      certification.consider_implied();
  }

  // All sigmas 0: the optimal policy of a plain MDP.
  template <ScalarRegulariser R>
  Solution certify_linear(const Problem& problem, const Settings& settings) {
    auto& certification = std::get<Certification<R>>(certifications);
    certification.reset(problem, reduced);
    if (!problem.stationary()) {
      const OptimalValues optimal =
          backward_induction(reduced.problem, reduced.problem.reward_mean);
      certification.consider(optimal.policy, optimal.V);
    }
    if (!certification.within(settings.tolerance)) certification.consider_linear_optimum();
    ReducedSolution small;
    settle_status(settings, certification, small);
    return expand<R>(problem, reduced, small, certification);
  }

  template <ScalarRegulariser R>
  static void settle_status(const Settings& settings, const Certification<R>& certification,
                            ReducedSolution& small) {
    if (certification.within(settings.tolerance))
      small.status = Status::kSolved;
    else if (small.status == Status::kSolved)
      small.status = Status::kStalled;
  }
};

Solver::Solver(Settings settings)
    : settings_(std::move(settings)), workspace_(std::make_unique<Workspace>()) {
  validate(settings_);
}

Solver::~Solver() = default;
Solver::Solver(Solver&&) noexcept = default;
Solver& Solver::operator=(Solver&&) noexcept = default;

Solution Solver::solve(const Problem& problem, std::span<const double> warm_start) {
  return solve_from(problem, {warm_start, {}});
}

Solution Solver::solve(const Problem& problem, const Solution& last) {
  return solve_from(problem, {last.policy, last.start});
}

Solution Solver::solve_from(const Problem& problem, const WarmStart& warm_start) {
  const Clock::time_point begin = workspace_->begin = Clock::now();
  for (std::span<const double> policy : {warm_start.policy, warm_start.start})
    if (!policy.empty()) check_warm_start(problem, policy);
  check_method(problem, settings_.method);
  if (!problem.constraints.empty()) {
    if (const auto allowed = without_forbidden_pairs(problem)) {
      std::vector<double> policy, start;
      if (!warm_start.policy.empty()) policy = allowed_policy(problem, *allowed, warm_start.policy);
      if (!warm_start.start.empty()) start = allowed_policy(problem, *allowed, warm_start.start);
      return with_forbidden_pairs(problem, *allowed, solve_from(allowed->problem, {policy, start}));
    }
  }
  const Settings settings = workspace_->make_room(problem, settings_);
  Solution solution;
  switch (settings_.regulariser) {
    case RegulariserKind::kVapor:
      solution = problem.family.empty()
                     ? workspace_->solve<Vapor>(problem, settings, warm_start)
                     : workspace_->solve<AnyBelief>(problem, settings, warm_start);
      break;
    case RegulariserKind::kWeightedEntropy:
      refuse_families(problem, "the weighted entropy");
      solution = workspace_->solve<WeightedEntropy>(problem, settings, warm_start);
      break;
    case RegulariserKind::kLinear: {
      Problem plain = problem;
      std::fill(plain.sigma.begin(), plain.sigma.end(), 0.0);
      plain.family.clear();
      presolve(plain, workspace_->reduced);
      // Without sigma every regulariser is this one.
      solution = problem.constraints.empty()
                     ? workspace_->certify_linear<Linear>(plain, settings)
                     : workspace_->solve<Vapor>(plain, settings, warm_start);
      break;
    }
  }
  solution.regulariser = settings_.regulariser;
  solution.discount = problem.discount;
  solution.seconds = seconds_since(begin);
  return solution;
}

Solution solve(const Problem& problem, const Settings& settings,
               std::span<const double> warm_start) {
  return Solver(settings).solve(problem, warm_start);
}

Solution solve(const Problem& problem, const Settings& settings, const Solution& last) {
  return Solver(settings).solve(problem, last);
}

}  // namespace vapor
