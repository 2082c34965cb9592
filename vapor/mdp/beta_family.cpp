// The Beta family. B ~ Beta(a, b) has E exp(t B) = 1F1(a; c; t), c = a + b. With m = a / c and y
// the mean of the tilted B less m, Kummer's equation becomes one of Riccati,
//
//   t y' = t (m + y) (1 - m - y) - c y,        psi' = y,
//
// whose Taylor coefficients at any point follow from each other. psi is evaluated by such
// expansions: one at 0, and a few more that follow each other until the expansion of 1F1 for large
// t takes over. Where the tilted mean is nearer to 1 than to m, its distance q = 1 - m - y from 1
// and L = t (1 - m) - psi keep the digits:
//
//   t q' = -t q (1 - q) + b - c q,             L' = q,       rate = L - t q.
//
// Small errors die out along the way: the equation is a contraction, by exp(-D h / t) over a
// distance h, with D = sqrt((t - c)^2 + 4 a t). Read the other way, the Taylor coefficients at t
// amplify errors by as much. D is also how far the expansions converge, to the zeros of 1F1. So
// where D^2 is small beside t the coefficients are computed from the first on, and elsewhere each
// from the next one.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "vapor/core/error.h"
#include "vapor/mdp/family.h"
#include "vapor/mdp/family_functions.h"

namespace vapor {
namespace {

constexpr int kTerms = 20;          // of an expansion
constexpr double kStiff = 120.0;    // D^2 / t from which on coefficients follow from the next
constexpr double kAmplified = 4.0;  // errors by exp(4) elsewhere

// y or q behind t, and psi or L there.
struct Expansion {
  double t = 0.0;
  double reach = 0.0;  // good from t to this much behind it
  bool of_q = false;
  double integral = 0.0;
  std::array<double, kTerms> term{};

  // The function at t + h, its derivative and its integral from t.
  struct Values {
    double f, derivative, integral;
  };
  Values at(double h) const {
    double f = 0.0, derivative = 0.0, sum = 0.0;
    for (int n = kTerms - 1; n >= 0; --n) {
      sum = sum * h + term[n] * kInverse[n];
      derivative = derivative * h + f;
      f = f * h + term[n];
    }
    return {f, derivative, integral + sum * h};
  }

 private:
  static constexpr std::array<double, kTerms> kInverse = [] {
    std::array<double, kTerms> inverse{};
    for (int n = 0; n < kTerms; ++n) inverse[n] = 1.0 / (n + 1);
    return inverse;
  }();
};

// t f' = t G(f) + free - c f with G(f) = constant + linear f + square f^2: of y or of q.
struct Riccati {
  double constant, linear, square, free;

  // [h^n] G(f).
  double term(const std::array<double, kTerms>& f, int n) const {
    double product = 0.0;
    for (int i = 0; i <= n; ++i) product += f[i] * f[n - i];
    return (n == 0 ? constant : 0.0) + linear * f[n] + square * product;
  }
};

class BetaFamily final : public Family {
 public:
  BetaFamily(double a, double b)
      : a_(a),
        b_(b),
        c_(a + b),
        mean_(a / (a + b)),
        rest_(b / (a + b)),
        per_deviation_(std::sqrt((c_ + 1.0) / (mean_ * rest_))),
        log_ratio_(std::lgamma(a) - std::lgamma(a + b)) {
    expand();
  }

  Cumulants at(double beta) const override;
  double supremum() const override { return rest_ * per_deviation_; }
  // As measured against 1F1 to 60 digits, with a margin.
  double relative_error() const override {
    return 1e-12 + 1e-15 * std::max(a_, b_) / std::min(a_, b_);
  }
  FamilySpec spec() const override { return {"beta", {{"alpha", a_}, {"beta", b_}}}; }

 private:
  void expand();
  Expansion at_zero() const;
  Expansion around(double t, bool of_q, double f, double integral) const;
  void settle(Expansion& e) const;
  double D(double t) const { return std::sqrt((t - c_) * (t - c_) + 4.0 * a_ * t); }
  Riccati equation(bool of_q) const {
    return of_q ? Riccati{0.0, -1.0, 1.0, b_} : Riccati{mean_ * rest_, rest_ - mean_, -1.0, 0.0};
  }
  Cumulants far_out(double t) const;
  bool far_out_converges(double t) const;
  Cumulants scaled(const Cumulants& of_t) const {
    return {of_t.psi, of_t.slope * per_deviation_, of_t.curvature * per_deviation_ * per_deviation_,
            of_t.rate};
  }

  double a_, b_, c_;
  double mean_, rest_;
  double per_deviation_;
  double log_ratio_;               // log (Gamma(a) / Gamma(c))
  std::vector<Expansion> around_;  // in order of t
  double far_ = 0.0;               // from here on far_out()
};

// Within what distance the terms that are left out stay below rounding, by the decay of the last.
double reach_of(const Expansion& e, double scale) {
  constexpr double kLeftOut = 1e-17;
  double reach = 1e300;
  for (int n = kTerms - 4; n < kTerms; ++n)
    if (e.term[n] != 0.0)
      reach = std::min(reach, std::pow(kLeftOut * scale / std::abs(e.term[n]), 1.0 / n));
  return reach;
}

Expansion BetaFamily::at_zero() const {
  const Riccati G = equation(false);
  Expansion e;
  for (int n = 1; n < kTerms; ++n) e.term[n] = G.term(e.term, n - 1) / (c_ + n);
  // Relative to the first term, which is all there is at 0.
  e.reach = 1e300;
  for (int n = kTerms - 4; n < kTerms; ++n)
    if (e.term[n] != 0.0)
      e.reach = std::min(e.reach, std::pow(1e-17 * e.term[1] / std::abs(e.term[n]), 1.0 / (n - 1)));
  return e;
}

Expansion BetaFamily::around(double t, bool of_q, double f, double integral) const {
  Expansion e{.t = t, .of_q = of_q, .integral = integral};
  e.term[0] = f;
  if (D(t) * D(t) > kStiff * t) {
    settle(e);
    e.reach = reach_of(e, e.term[0]);
    return e;
  }
  const Riccati G = equation(of_q);
  double before = G.free;
  for (int n = 0; n + 1 < kTerms; ++n) {
    const double term = G.term(e.term, n);
    e.term[n + 1] = (t * term + before - (c_ + n) * e.term[n]) / ((n + 1) * t);
    before = term;
  }
  e.reach = std::min(reach_of(e, f), kAmplified * t / D(t));
  return e;
}

// The same equations, each solved for the term of its own order given the next one: a sweep gains a
// factor of about D^2 / (kTerms t).
void BetaFamily::settle(Expansion& e) const {
  constexpr int kSweeps = 100;
  const Riccati G = equation(e.of_q);
  const double t = e.t;
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    const double first = e.term[0];
    double change = -1.0;  // beyond rounding
    for (int n = 1; n < kTerms; ++n) {
      double product = 0.0;  // without those with the term itself
      for (int i = 1; i < n; ++i) product += e.term[i] * e.term[n - i];
      const double next = n + 1 < kTerms ? (n + 1) * t * e.term[n + 1] : 0.0;
      const double term = (t * G.square * product + G.term(e.term, n - 1) - next) /
                          (c_ + n - t * (G.linear + 2.0 * G.square * first));
      change = std::max(change, std::abs(term - e.term[n]) - 1e-12 * std::abs(term));
      e.term[n] = term;
    }
    const double A = -t * G.square, B = c_ - t * G.linear;
    const double C = t * G.constant + G.free - t * e.term[1];
    const double root = std::sqrt(std::max(0.0, B * B + 4.0 * A * C));
    e.term[0] = B > 0.0 ? 2.0 * C / (B + root) : (root - B) / (2.0 * A);
    if (change <= 0.0 && std::abs(e.term[0] - first) <= 1e-15 * first) return;
  }
}

// Each expansion serves from its own t to the next one's.
void BetaFamily::expand() {
  constexpr std::size_t kMost = 1000;  // never needed: far from 0 t doubles each time
  around_.push_back(at_zero());
  while (around_.size() < kMost) {
    const Expansion last = around_.back();
    const double t = last.t + (last.t > 0.0 ? std::min(last.reach, last.t) : last.reach);
    if (far_out_converges(t)) {
      far_ = t;
      return;
    }
    const auto [f, slope_of_f, integral] = last.at(t - last.t);
    if (last.of_q || f < rest_ - f)
      around_.push_back(around(t, last.of_q, f, integral));
    else
      around_.push_back(around(t, true, rest_ - f, t * rest_ - integral));
  }
  far_ = std::numeric_limits<double>::infinity();
}

// 1F1 = Gamma(c) / Gamma(a) e^t t^-b sum_k (b)_k (1 - a)_k / (k! t^k), if the terms fall below
// rounding before they grow again, and so does what belongs to the other end of [0, 1].
bool BetaFamily::far_out_converges(double t) const {
  constexpr double kSmall = 1e-17;
  if (t < 2.0 * c_ + 40.0) return false;
  const double other = -t + (b_ - a_) * std::log(t) + std::lgamma(a_) - std::lgamma(b_);
  if (!(other < std::log(kSmall))) return false;
  double term = 1.0, largest = 1.0;
  for (int k = 0; k < 60; ++k) {
    const double ratio = (b_ + k) * (k + 1.0 - a_) / ((k + 1.0) * t);
    if (k > 0 && std::abs(ratio) > 0.5) return false;
    term *= ratio;
    largest = std::max(largest, std::abs(term));
    if (largest > 1.1) return false;  // no cancellation
    if (std::abs(term) < kSmall) return true;
  }
  return false;
}

Cumulants BetaFamily::far_out(double t) const {
  double sum = 0.0, first = 0.0, second = 0.0;  // of the terms, k terms and k (k + 1) terms
  double term = 1.0;
  for (int k = 0; k < 60 && std::abs(term) > 1e-18; ++k) {
    term *= (b_ + k) * (k + 1.0 - a_) / ((k + 1.0) * t);
    sum += term;
    first += (k + 1) * term;
    second += (k + 1.0) * (k + 2.0) * term;
  }
  const double total = 1.0 + sum;
  const double mean = first / total;  // -t d/dt log total
  const double L = log_ratio_ + b_ * std::log(t) - std::log1p(sum);
  const double tq = b_ + mean;
  const double q = tq / t;
  const double variance = (b_ + second / total - mean * mean) / (t * t);
  return {t * rest_ - L, rest_ - q, variance, L - tq};
}

Cumulants BetaFamily::at(double beta) const {
  const double t = beta * per_deviation_;
  if (t >= far_) return scaled(far_out(t));
  const auto after = std::upper_bound(around_.begin() + 1, around_.end(), t,
                                      [](double x, const Expansion& e) { return x < e.t; });
  const Expansion& e = *(after - 1);
  const auto [f, derivative, integral] = e.at(t - e.t);
  if (e.of_q) return scaled({t * rest_ - integral, rest_ - f, -derivative, integral - t * f});
  return scaled({integral, f, derivative, t * f - integral});
}

}  // namespace

PairBelief beta_belief(double alpha, double beta, double low, double high) {
  constexpr double kLeast = 1e-2, kMost = 1e6;
  for (const auto& [name, value] : {std::pair{"alpha", alpha}, {"beta", beta}})
    if (!(value >= kLeast && value <= kMost))
      throw InputError(name,
                       fmt::format("must be between {} and {}, got {}", kLeast, kMost, value));
  family::check_finite("low", low);
  family::check_finite("high", high);
  if (!(low < high))
    throw InputError("high", fmt::format("must be above low, which is {}, got {}", low, high));
  const double c = alpha + beta;
  const double deviation = std::sqrt((alpha / c) * (beta / c) / (c + 1.0)) * (high - low);
  return {low + alpha / c * (high - low), deviation, std::make_shared<BetaFamily>(alpha, beta)};
}

}  // namespace vapor
