// Beliefs made of others: samples, and mixtures of any families.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "vapor/core/error.h"
#include "vapor/mdp/family.h"
#include "vapor/mdp/family_functions.h"

namespace vapor {
namespace {

using family::exponential_remainder;

constexpr double kSumError = 1e-12;       // of a sum of exponentials, relative
constexpr double kLargestExponent = 600;  // exp of it is finite, with room for sums

// A value z of Z and its probability.
struct Atom {
  double z, weight;
};

// psi = log sum w exp(beta z). Near 0 the sums are those of exp(beta z) - 1 - beta z, whose terms
// are all positive; where the tilted mean is nearer to the largest value than to 0, the distances
// from there keep the digits (as in beta_family.cpp).
class SampleFamily final : public Family {
 public:
  SampleFamily(std::vector<Atom> atoms, FamilySpec spec)
      : atoms_(std::move(atoms)), spec_(std::move(spec)) {
    for (const Atom& a : atoms_) most_ = std::max(most_, a.z);
    for (const Atom& a : atoms_) at_most_ += a.z == most_ ? a.weight : 0.0;
  }

  Cumulants at(double beta) const override {
    if (beta * most_ < 1.0) return near_zero(beta);
    const Cumulants far = near_most(beta);
    return far.slope < 0.5 * most_ && beta * most_ < kLargestExponent ? near_zero(beta) : far;
  }
  double supremum() const override { return most_; }
  double atom() const override { return at_most_; }
  double relative_error() const override { return kSumError; }
  FamilySpec spec() const override { return spec_; }

 private:
  Cumulants near_zero(double beta) const {
    double sum = 0.0, first = 0.0, second = 0.0;
    for (const auto& [z, weight] : atoms_) {
      const double x = beta * z;
      const double more = std::expm1(x);
      sum += weight * exponential_remainder(x);
      first += weight * z * more;
      second += weight * z * z * (1.0 + more);
    }
    const double slope = first / (1.0 + sum);
    const double psi = std::log1p(sum);
    return {psi, slope, second / (1.0 + sum) - slope * slope, beta * slope - psi};
  }
  Cumulants near_most(double beta) const {
    double sum = 0.0, first = 0.0, second = 0.0;
    for (const auto& [z, weight] : atoms_) {
      const double below = most_ - z;
      const double e = weight * std::exp(-beta * below);
      sum += e;
      first += e * below;
      second += e * below * below;
    }
    const double q = first / sum;
    const double L = -std::log(sum);
    return {beta * most_ - L, most_ - q, std::max(0.0, second / sum - q * q), L - beta * q};
  }

  std::vector<Atom> atoms_;
  FamilySpec spec_;
  double most_ = 0.0;
  double at_most_ = 0.0;
};

// A component: offset + sigma Z_i, in units of the mixture's deviation.
struct Part {
  double weight, offset, sigma;
  FamilyPtr family;

  double limit() const {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    return sigma > 0.0 && family ? family->limit() / sigma : kInfinity;
  }
  double supremum() const {
    if (sigma == 0.0) return offset;
    return family ? offset + sigma * family->supremum() : std::numeric_limits<double>::infinity();
  }
  double atom() const { return sigma == 0.0 ? 1.0 : family ? family->atom() : 0.0; }

  // psi and its derivatives of sigma Z_i.
  Cumulants at(double beta) const {
    if (sigma == 0.0) return {};
    const double x = sigma * beta;
    const Cumulants c = family ? family->at(x) : Cumulants{0.5 * x * x, x, 1.0, 0.5 * x * x};
    return {c.psi, sigma * c.slope, sigma * sigma * c.curvature, c.rate};
  }
};

// psi = log sum w exp(beta offset + psi_i). Offsets have the mean 0, so that near 0 the sum less 1
// is one of positive terms.
class MixtureFamily final : public Family {
 public:
  MixtureFamily(std::vector<Part> parts, FamilySpec spec)
      : parts_(std::move(parts)), spec_(std::move(spec)) {
    for (const Part& part : parts_) {
      limit_ = std::min(limit_, part.limit());
      most_ = std::max(most_, part.supremum());
      error_ = std::max(error_, 4.0 * (part.family ? part.family->relative_error() : 0.0));
    }
    if (std::isfinite(most_))
      for (const Part& part : parts_)
        at_most_ += part.supremum() == most_ ? part.weight * part.atom() : 0.0;
  }

  Cumulants at(double beta) const override;
  double limit() const override { return limit_; }
  double supremum() const override { return most_; }
  double atom() const override { return at_most_; }
  double relative_error() const override { return error_; }
  double rate_error(double beta, const Cumulants& c) const override {
    return error_ * (beta * c.slope + c.psi);
  }
  FamilySpec spec() const override { return spec_; }

 private:
  std::vector<Part> parts_;
  FamilySpec spec_;
  double limit_ = std::numeric_limits<double>::infinity();
  double most_ = 0.0;
  double at_most_ = 0.0;
  double error_ = kSumError;
};

Cumulants MixtureFamily::at(double beta) const {
  double largest = 0.0;
  for (const Part& part : parts_)
    largest = std::max(largest, std::abs(beta * part.offset + part.at(beta).psi));
  const bool near_zero = largest < 1.0;
  const double shift = near_zero ? 0.0 : largest;
  double sum = 0.0, first = 0.0, second = 0.0;
  for (const Part& part : parts_) {
    const Cumulants c = part.at(beta);
    const double exponent = beta * part.offset + c.psi - shift;
    const double mean = part.offset + c.slope;
    const double e = part.weight * std::exp(exponent);
    if (near_zero) {
      sum += part.weight * (exponential_remainder(exponent) + c.psi);
      first += part.weight * (std::expm1(exponent) * mean + c.slope);
    } else {
      sum += e;
      first += e * mean;
    }
    second += e * (mean * mean + c.curvature);
  }
  const double total = near_zero ? 1.0 + sum : sum;
  const double psi = near_zero ? std::log1p(sum) : shift + std::log(sum);
  const double slope = first / total;
  return {psi, slope, std::max(0.0, second / total - slope * slope), beta * slope - psi};
}

// Scales weights to sum to 1.
template <typename Weighted>
void scale_weights(std::vector<Weighted>& parts) {
  double sum = 0.0;
  for (const Weighted& part : parts) sum += part.weight;
  for (Weighted& part : parts) part.weight /= sum;
}

}  // namespace

PairBelief sample_belief(std::vector<double> values, std::vector<double> weights) {
  if (values.empty()) throw InputError("values", "must have at least one entry");
  if (!weights.empty() && weights.size() != values.size())
    throw InputError("weights", fmt::format("must have {} entries, one a value, got {}",
                                            values.size(), weights.size()));
  for (double value : values) family::check_finite("values", value);
  for (double weight : weights) family::check_positive("weights", weight);
  FamilySpec spec{"samples", {}, {{"values", values}}};
  if (!weights.empty()) spec.lists.push_back({"weights", weights});
  std::vector<Atom> atoms;
  for (std::size_t i = 0; i < values.size(); ++i)
    atoms.push_back({values[i], weights.empty() ? 1.0 : weights[i]});
  scale_weights(atoms);
  // Sums in long double: what is left of the centre is below the rounding of the values.
  long double mean = 0.0L, variance = 0.0L;
  for (const Atom& a : atoms) mean += static_cast<long double>(a.weight) * a.z;
  for (const Atom& a : atoms) variance += a.weight * (a.z - mean) * (a.z - mean);
  const long double deviation = std::sqrt(variance);
  if (!(deviation > 0.0L)) return {static_cast<double>(mean), 0.0, {}};
  for (Atom& a : atoms) a.z = static_cast<double>((a.z - mean) / deviation);
  return {static_cast<double>(mean), static_cast<double>(deviation),
          std::make_shared<SampleFamily>(std::move(atoms), std::move(spec))};
}

PairBelief mixture_belief(std::vector<WeightedBelief> components) {
  if (components.empty()) throw InputError("components", "must have at least one entry");
  for (const WeightedBelief& c : components) {
    family::check_positive("weight", c.weight);
    family::check_finite("mean", c.belief.mean);
    if (!(c.belief.sigma >= 0.0 && c.belief.sigma <= family::kLargestParameter))
      throw InputError("sigma",
                       fmt::format("must be >= 0 and at most 1e100, got {}", c.belief.sigma));
  }
  FamilySpec spec{"mixture", {}, {}, components};
  scale_weights(components);
  long double mean = 0.0L, variance = 0.0L;
  for (const WeightedBelief& c : components)
    mean += static_cast<long double>(c.weight) * c.belief.mean;
  for (const WeightedBelief& c : components) {
    const long double offset = c.belief.mean - mean;
    variance +=
        c.weight * (offset * offset + static_cast<long double>(c.belief.sigma) * c.belief.sigma);
  }
  const long double deviation = std::sqrt(variance);
  if (!(deviation > 0.0L)) return {static_cast<double>(mean), 0.0, {}};
  std::vector<Part> parts;
  for (const WeightedBelief& c : components)
    parts.push_back({c.weight, static_cast<double>((c.belief.mean - mean) / deviation),
                     static_cast<double>(c.belief.sigma / deviation), c.belief.family});
  return {static_cast<double>(mean), static_cast<double>(deviation),
          std::make_shared<MixtureFamily>(std::move(parts), std::move(spec))};
}

}  // namespace vapor
