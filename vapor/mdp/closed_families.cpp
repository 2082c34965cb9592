// The families whose psi has a closed form: Gamma, Laplace and two points.
#include <fmt/format.h>

#include <cmath>

#include "vapor/core/error.h"
#include "vapor/mdp/family.h"
#include "vapor/mdp/family_functions.h"

namespace vapor {
namespace {

using family::exponential_remainder;
using family::logarithm_remainder;

constexpr double kClosedFormError = 0x1.0p-44;

// With z = beta / sqrt(k): psi = -k (log(1 - z) + z), and the rate is k (y - log(1 + y)) with
// y = z / (1 - z).
class GammaFamily final : public Family {
 public:
  explicit GammaFamily(double shape) : shape_(shape), root_(std::sqrt(shape)) {}

  Cumulants at(double beta) const override {
    const double z = beta / root_;
    const double rest = (root_ - beta) / root_;
    const double y = z / rest;
    return {shape_ * logarithm_remainder(-z), root_ * y, 1.0 / (rest * rest),
            shape_ * logarithm_remainder(y)};
  }
  double limit() const override { return root_; }
  double relative_error() const override { return kClosedFormError; }
  FamilySpec spec() const override { return {"gamma", {{"shape", shape_}}}; }

 private:
  double shape_;
  double root_;
};

// psi = -log(1 - beta^2 / 2).
class LaplaceFamily final : public Family {
 public:
  Cumulants at(double beta) const override {
    const double z = 0.5 * beta * beta;
    const double rest = (limit() - beta) * (limit() + beta) * 0.5;
    const double log_rest = std::log1p(-z);
    return {-log_rest, beta / rest, (1.0 + z) / (rest * rest), 2.0 * z / rest + log_rest};
  }
  double limit() const override { return std::sqrt(2.0); }
  double relative_error() const override { return kClosedFormError; }
  FamilySpec spec() const override { return {"laplace"}; }
};

// B is 1 with probability p, else 0; t = beta / deviation. While the tilted mean of B is nearer to
// p than to 1 its distance from p keeps the digits, from there on its distance from 1.
class TwoPointFamily final : public Family {
 public:
  explicit TwoPointFamily(double p)
      : p_(p), rest_(1.0 - p), per_deviation_(1.0 / std::sqrt(p * (1.0 - p))) {}

  Cumulants at(double beta) const override {
    const double t = beta * per_deviation_;
    const double e = std::exp(-t);
    const double denominator = p_ + rest_ * e;
    const double below = rest_ * e / denominator;  // 1 - tilted mean
    const double above = p_ * rest_ * -std::expm1(-t) / denominator;
    const double variance = (p_ / denominator) * below * per_deviation_ * per_deviation_;
    if (above < below) {
      const double psi = std::log1p(p_ * exponential_remainder(t * rest_) +
                                    rest_ * exponential_remainder(-t * p_));
      return {psi, above * per_deviation_, variance, t * above - psi};
    }
    // t (1 - p) - psi.
    const double shortfall =
        denominator < 0.5 ? -std::log(denominator) : -std::log1p(rest_ * std::expm1(-t));
    return {t * rest_ - shortfall, above * per_deviation_, variance, shortfall - t * below};
  }
  double supremum() const override { return rest_ * per_deviation_; }
  double atom() const override { return p_; }
  double relative_error() const override { return kClosedFormError; }
  FamilySpec spec() const override { return {"two_point", {{"probability", p_}}}; }

 private:
  double p_;
  double rest_;
  double per_deviation_;
};

void check_interval(double low, double high) {
  family::check_finite("low", low);
  family::check_finite("high", high);
  if (!(low < high))
    throw InputError("high", fmt::format("must be above low, which is {}, got {}", low, high));
}

}  // namespace

namespace family {

void check_positive(const char* name, double value) {
  if (!(value > 0.0 && value <= kLargestParameter))
    throw InputError(name, fmt::format("must be > 0 and at most 1e100, got {}", value));
}

void check_finite(const char* name, double value) {
  if (!(std::abs(value) <= kLargestParameter))
    throw InputError(name, fmt::format("must be between -1e100 and 1e100, got {}", value));
}

}  // namespace family

PairBelief gamma_belief(double shape, double scale) {
  family::check_positive("scale", scale);
  // Below, sums of rewards that are nearly always 0; above, Gaussian to the last digit.
  if (!(shape >= 1e-6 && shape <= 1e12))
    throw InputError("shape", fmt::format("must be between 1e-6 and 1e12, got {}", shape));
  return {shape * scale, std::sqrt(shape) * scale, std::make_shared<GammaFamily>(shape)};
}

PairBelief laplace_belief(double mean, double scale) {
  family::check_finite("mean", mean);
  family::check_positive("scale", scale);
  static const FamilyPtr laplace = std::make_shared<LaplaceFamily>();
  return {mean, std::sqrt(2.0) * scale, laplace};
}

PairBelief two_point_belief(double probability, double low, double high) {
  check_interval(low, high);
  if (!(probability >= 0.0 && probability <= 1.0))
    throw InputError("probability", fmt::format("must be between 0 and 1, got {}", probability));
  const double mean = low + probability * (high - low);
  // What is so nearly certain is: its deviation is far below what a double of the mean resolves.
  constexpr double kNearlyCertain = 1e-200;
  if (probability < kNearlyCertain || probability == 1.0) return {mean, 0.0, {}};
  const double deviation = std::sqrt(probability * (1.0 - probability)) * (high - low);
  return {mean, deviation, std::make_shared<TwoPointFamily>(probability)};
}

PairBelief bounded_belief(double mean, double low, double high) {
  check_interval(low, high);
  if (!(mean >= low && mean <= high))
    throw InputError("mean", fmt::format("must be between {} and {}, got {}", low, high, mean));
  PairBelief belief = two_point_belief((mean - low) / (high - low), low, high);
  belief.mean = mean;
  return belief;
}

}  // namespace vapor
