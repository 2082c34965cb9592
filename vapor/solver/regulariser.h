// The scalar function that VAPOR adds to the reward of each pair, as a concept. Nothing else in the
// solvers is special to VAPOR: any concave f(lambda; sigma) on [0, 1] with f(0) = f(1) = 0 may
// stand here.
//
//   Vapor            f = sigma lambda sqrt(-2 log lambda)      (equation (3) of the paper)
//   WeightedEntropy  f = -sigma lambda log lambda              (section 6, maximum entropy)
//   Linear           f = 0                                     (a plain MDP)
//   AnyBelief        f = sigma lambda (psi*)^-1(-log lambda)   (appendix F.5: belief_regulariser.h)
//
// All are written in log lambda, so that a solver takes its logarithms and exponentials of whole
// arrays at once (vapor/core/elementary.h). sigma = 0 means f = 0 everywhere. What a pair's
// function depends on is the regulariser's Parameter: sigma, or more than that.
#pragma once

#include <cmath>
#include <concepts>
#include <limits>

#include "vapor/core/double_double.h"
#include "vapor/mdp/problem.h"

namespace vapor {

// One Newton step's view of f' at a pair:
//   f'(lambda + d) = slope - curvature d,   tau moves by tau_shift + tau_rate d.
struct Linearisation {
  double slope = 0.0;
  double curvature = 0.0;
  double tau_shift = 0.0;
  double tau_rate = 0.0;
};

template <typename R>
concept ScalarRegulariser = requires(double x, DoubleDouble delta, const Problem& problem,
                                     std::size_t p, typename R::Parameter sigma) {
  // What a loop over the pairs of a problem takes its parameters from.
  { R::parameters(problem)[p] } -> std::convertible_to<typename R::Parameter>;
  // f(lambda), f'(lambda) and the temperature tau, NaN where there is none.
  { R::value(/*lambda=*/x, /*log_lambda=*/x, sigma) } -> std::same_as<double>;
  { R::slope(/*log_lambda=*/x, sigma) } -> std::same_as<double>;
  { R::temperature(/*log_lambda=*/x, sigma) } -> std::same_as<double>;
  // log of the lambda that attains f*(delta) = max over [0, 1] of lambda delta + f(lambda).
  { R::log_maximiser(/*delta=*/x, sigma) } -> std::same_as<double>;
  // Whether that maximiser says what lambda is, as it does not where f is linear around lambda.
  { R::maximiser_settles(/*lambda=*/x, sigma) } -> std::same_as<bool>;
  // f' at lambda, with tau a variable beside it that need not (yet) be the temperature of lambda.
  {
    R::linearise(/*lambda=*/x, /*log_lambda=*/x, /*tau=*/x, /*delta=*/x, /*s=*/x, sigma)
  } -> std::same_as<Linearisation>;
  // For the certificate (certified_bounds.h), with their own rounding on the safe side and for
  // sigma > 0: at most f(lambda), and at least f*(delta) - max(delta, 0).
  { R::value_below(/*lambda=*/x, /*log_lambda=*/x, sigma) } -> std::same_as<double>;
  { R::excess_above(/*delta=*/delta, sigma) } -> std::same_as<double>;
};

// What the regularisers have in common whose functions depend on sigma alone.
struct OfSigma {
  using Parameter = double;
  static const double* parameters(const Problem& problem) { return problem.sigma.data(); }
  static bool maximiser_settles(double /*lambda*/, double sigma) { return sigma > 0.0; }
};

// Rounding in units of 2^-53, counted generously: the C library's exp and log are taken to be
// within two units in the last place, the operations of a formula within one each.
inline constexpr double kRoundingUnit = 0x1.0p-53;
inline constexpr double kManyRoundings = 64.0 * kRoundingUnit;
inline constexpr double kBelowAnyExponential = 1e-300;  // exp(-x) is less for x > 700

inline constexpr double kLogOfZero = -750.0;  // exp of it is 0

// The maximiser of lambda delta over [0, 1]; at the kink it is 0.
inline double linear_log_maximiser(double delta) { return delta > 0.0 ? 0.0 : kLogOfZero; }

struct Vapor : OfSigma {
  // w = sqrt(-2 log lambda) is kept above this: at w = 0, lambda = 1, the slope is minus infinity.
  static constexpr double kSmallestW = 1e-8;

  static double w(double log_lambda) {
    const double root = std::sqrt(-2.0 * log_lambda);
    return root > kSmallestW ? root : kSmallestW;
  }

  static double value(double lambda, double log_lambda, double sigma) {
    return sigma * lambda * std::sqrt(log_lambda < 0.0 ? -2.0 * log_lambda : 0.0);
  }

  static double value_below(double lambda, double log_lambda, double sigma) {
    return value(lambda, log_lambda, sigma) * (1.0 - kManyRoundings);
  }

  static double slope(double log_lambda, double sigma) {
    const double x = w(log_lambda);
    return sigma * (x - 1.0 / x);
  }

  // tau = sigma / w: infinite where lambda = 1.
  static double temperature(double log_lambda, double sigma) {
    if (sigma == 0.0) return std::numeric_limits<double>::quiet_NaN();
    return sigma / std::sqrt(log_lambda < 0.0 ? -2.0 * log_lambda : 0.0);
  }

  // w is the positive root of w^2 + (delta / sigma) w - 1 = 0, in the form of the quadratic's
  // solution that subtracts nothing; log lambda = -w^2 / 2.
  static double log_maximiser(double delta, double sigma) {
    const double x = delta / sigma;
    const double sum = std::abs(x) + std::sqrt(x * x + 4.0);
    const double root = x > 0.0 ? 2.0 / sum : 0.5 * sum;
    return std::abs(x) < 1e100 ? -0.5 * root * root : linear_log_maximiser(delta);
  }

  // f' = sigma w - tau, and tau^2 (-2 log lambda) = sigma^2 linearised in both. Near lambda = 1 the
  // slope is all tau, and like any product of a variable and its multiplier it is better followed
  // with both free than with one eliminated.
  static Linearisation linearise(double lambda, double log_lambda, double tau, double /*delta*/,
                                 double /*s*/, double sigma) {
    const double root = w(log_lambda);
    const double inverse = 1.0 / root;
    const double ratio = sigma > 0.0 ? sigma * inverse / tau : 1.0;
    const double shift = 0.5 * tau * (ratio * ratio - 1.0);
    const double rate = tau * inverse * inverse / lambda;
    return {sigma * root - tau - shift, sigma * inverse / lambda + rate, shift, rate};
  }

  // f*(delta) = sigma exp(-w^2 / 2) / w, and beyond delta > 0, where w < 1,
  // f*(delta) - delta = sigma (w - (1 - exp(-w^2 / 2)) / w): all relative to what is returned.
  static double excess_above(DoubleDouble delta, double sigma) {
    constexpr double kLargestX = 1e150;  // its square is finite
    const double x = delta.hi / sigma;
    if (x > 0.0) {
      if (!(x < kLargestX)) return sigma * (2.0 / kLargestX);
      const double w = 2.0 / (x + std::sqrt(x * x + 4.0));
      const double phi = 1.0 - 0.5 * mean_exponential(0.5 * w * w);
      return sigma * (w * phi * (1.0 + kManyRoundings));
    }
    if (!(x > -40.0)) return sigma * kBelowAnyExponential;
    const double w = 0.5 * (std::sqrt(x * x + 4.0) - x);
    const double square = w * w;
    return sigma * (std::exp(-0.5 * square) / w * (1.0 + (1.0 + square) * kManyRoundings) +
                    kBelowAnyExponential);
  }

 private:
  // (1 - exp(-z)) / z for 0 <= z <= 1/2, by its series: what is left out is below 2^-56.
  static double mean_exponential(double z) {
    double sum = 1.0;
    for (int k = 15; k >= 2; --k) sum = 1.0 - z * (1.0 / k) * sum;
    return sum;
  }
};

struct WeightedEntropy : OfSigma {
  static double value(double lambda, double log_lambda, double sigma) {
    return -sigma * lambda * log_lambda;
  }

  static double value_below(double lambda, double log_lambda, double sigma) {
    return value(lambda, log_lambda, sigma) * (1.0 - kManyRoundings);
  }

  static double slope(double log_lambda, double sigma) { return -sigma * (log_lambda + 1.0); }

  // The temperatures of a weighted entropy are its weights.
  static double temperature(double /*log_lambda*/, double sigma) { return sigma; }

  // lambda = exp(delta / sigma - 1), at most 1.
  static double log_maximiser(double delta, double sigma) {
    if (delta >= sigma) return linear_log_maximiser(delta);
    const double x = delta / sigma - 1.0;
    return x > kLogOfZero ? x : kLogOfZero;
  }

  static Linearisation linearise(double lambda, double log_lambda, double /*tau*/, double /*delta*/,
                                 double /*s*/, double sigma) {
    return {-sigma * (log_lambda + 1.0), sigma / lambda, 0.0, 0.0};
  }

  // With h = 1 - delta / sigma: sigma exp(-h) below delta = 0, sigma (exp(-h) - 1 + h) from there
  // to h = 0, and nothing beyond.
  static double excess_above(DoubleDouble delta, double sigma) {
    const double h = ((-delta) + sigma).hi / sigma;
    if (!(h > 0.0)) return 0.0;
    if (h < 1.0) return sigma * (h * h * second_remainder(h) * (1.0 + kManyRoundings));
    if (!(h < 700.0)) return sigma * kBelowAnyExponential;
    return sigma * (std::exp(-h) * (1.0 + (1.0 + h) * kManyRoundings) + kBelowAnyExponential);
  }

 private:
  // (exp(-h) - 1 + h) / h^2 for 0 <= h <= 1, by its series: what is left out is below 2^-58.
  static double second_remainder(double h) {
    double sum = 1.0;
    for (int k = 20; k >= 3; --k) sum = 1.0 - h * (1.0 / k) * sum;
    return 0.5 * sum;
  }
};

struct Linear : OfSigma {
  static double value(double /*lambda*/, double /*log_lambda*/, double /*sigma*/) { return 0.0; }
  static double value_below(double /*lambda*/, double /*log_lambda*/, double /*sigma*/) {
    return 0.0;
  }
  static double slope(double /*log_lambda*/, double /*sigma*/) { return 0.0; }
  static double temperature(double /*log_lambda*/, double /*sigma*/) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  static double log_maximiser(double delta, double /*sigma*/) {
    return linear_log_maximiser(delta);
  }
  static Linearisation linearise(double /*lambda*/, double /*log_lambda*/, double /*tau*/,
                                 double /*delta*/, double /*s*/, double /*sigma*/) {
    return {};
  }
  static double excess_above(DoubleDouble /*delta*/, double /*sigma*/) { return 0.0; }
};

static_assert(ScalarRegulariser<Vapor>);
static_assert(ScalarRegulariser<WeightedEntropy>);
static_assert(ScalarRegulariser<Linear>);

}  // namespace vapor
