// The scalar function that VAPOR adds to the reward of each pair, as a concept. Nothing else in the
// solvers is special to VAPOR: any concave f(lambda; sigma) on [0, 1] with f(0) = f(1) = 0 may
// stand here.
//
//   Vapor            f = sigma lambda sqrt(-2 log lambda)      (equation (3) of the paper)
//   WeightedEntropy  f = -sigma lambda log lambda              (section 6, maximum entropy)
//   Linear           f = 0                                     (a plain MDP)
//
// All are written in log lambda, so that a solver takes its logarithms and exponentials of whole
// arrays at once (vapor/core/elementary.h). sigma = 0 means f = 0 everywhere.
#pragma once

#include <cmath>
#include <concepts>
#include <limits>

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
concept ScalarRegulariser = requires(double x) {
  // f(lambda), f'(lambda) and the temperature tau, NaN where there is none.
  { R::value(/*lambda=*/x, /*log_lambda=*/x, /*sigma=*/x) } -> std::same_as<double>;
  { R::slope(/*log_lambda=*/x, /*sigma=*/x) } -> std::same_as<double>;
  { R::temperature(/*log_lambda=*/x, /*sigma=*/x) } -> std::same_as<double>;
  // log of the lambda that attains f*(delta) = max over [0, 1] of lambda delta + f(lambda).
  { R::log_maximiser(/*delta=*/x, /*sigma=*/x) } -> std::same_as<double>;
  // f' at lambda, with tau a variable beside it that need not (yet) be the temperature of lambda.
  {
    R::linearise(/*lambda=*/x, /*log_lambda=*/x, /*tau=*/x, /*sigma=*/x)
  } -> std::same_as<Linearisation>;
};

inline constexpr double kLogOfZero = -750.0;  // exp of it is 0

// The maximiser of lambda delta over [0, 1]; at the kink it is 0.
inline double linear_log_maximiser(double delta) { return delta > 0.0 ? 0.0 : kLogOfZero; }

struct Vapor {
  // w = sqrt(-2 log lambda) is kept above this: at w = 0, lambda = 1, the slope is minus infinity.
  static constexpr double kSmallestW = 1e-8;

  static double w(double log_lambda) {
    const double root = std::sqrt(-2.0 * log_lambda);
    return root > kSmallestW ? root : kSmallestW;
  }

  static double value(double lambda, double log_lambda, double sigma) {
    return sigma * lambda * std::sqrt(log_lambda < 0.0 ? -2.0 * log_lambda : 0.0);
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
  static Linearisation linearise(double lambda, double log_lambda, double tau, double sigma) {
    const double root = w(log_lambda);
    const double inverse = 1.0 / root;
    const double ratio = sigma > 0.0 ? sigma * inverse / tau : 1.0;
    const double shift = 0.5 * tau * (ratio * ratio - 1.0);
    const double rate = tau * inverse * inverse / lambda;
    return {sigma * root - tau - shift, sigma * inverse / lambda + rate, shift, rate};
  }
};

struct WeightedEntropy {
  static double value(double lambda, double log_lambda, double sigma) {
    return -sigma * lambda * log_lambda;
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

  static Linearisation linearise(double lambda, double log_lambda, double /*tau*/, double sigma) {
    return {-sigma * (log_lambda + 1.0), sigma / lambda, 0.0, 0.0};
  }
};

struct Linear {
  static double value(double /*lambda*/, double /*log_lambda*/, double /*sigma*/) { return 0.0; }
  static double slope(double /*log_lambda*/, double /*sigma*/) { return 0.0; }
  static double temperature(double /*log_lambda*/, double /*sigma*/) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  static double log_maximiser(double delta, double /*sigma*/) {
    return linear_log_maximiser(delta);
  }
  static Linearisation linearise(double /*lambda*/, double /*log_lambda*/, double /*tau*/,
                                 double /*sigma*/) {
    return {};
  }
};

static_assert(ScalarRegulariser<Vapor>);
static_assert(ScalarRegulariser<WeightedEntropy>);
static_assert(ScalarRegulariser<Linear>);

}  // namespace vapor
