// A belief by a cumulant generating function of one's own, checked.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "vapor/core/error.h"
#include "vapor/mdp/family.h"
#include "vapor/mdp/family_functions.h"

namespace vapor {
namespace {

constexpr double kEnoughRate = 750.0;  // exp(-750) is 0

class FunctionFamily final : public Family {
 public:
  FunctionFamily(CumulantFunction function, double sigma)
      : function_(std::move(function)), sigma_(sigma) {}

  Cumulants at(double beta) const override {
    const double x = beta / sigma_;
    const CumulantValues v = function_.values(x);
    if (!(std::isfinite(v.psi) && std::isfinite(v.slope) && std::isfinite(v.curvature)))
      refuse(fmt::format("is not finite at beta = {}; state its limit if that is beyond it", x));
    if (v.curvature < 0.0)
      refuse(fmt::format("is not convex: psi'' = {} at beta = {}", v.curvature, x));
    const double slope = v.slope / sigma_;
    return {v.psi, slope, v.curvature / (sigma_ * sigma_), std::max(0.0, beta * slope - v.psi)};
  }
  double limit() const override { return function_.limit * sigma_; }
  double supremum() const override { return function_.supremum / sigma_; }
  double atom() const override { return function_.atom; }
  double relative_error() const override { return function_.relative_error; }
  double rate_error(double beta, const Cumulants& c) const override {
    return function_.relative_error * (beta * c.slope + c.psi);
  }
  FamilySpec spec() const override { return {function_.name}; }

  [[noreturn]] void refuse(const std::string& why) const { throw InputError(function_.name, why); }

  // Neighbours on a convex curve: each is above the other's tangent, and their slopes differ by
  // what the curvature between them says.
  void check() const;

 private:
  void check_neighbours(double low, double high) const;

  CumulantFunction function_;
  double sigma_;
};

void FunctionFamily::check_neighbours(double low, double high) const {
  constexpr double kSlack = 1e-7;  // rounding of differences
  const Cumulants a = at(low);
  const Cumulants b = at(high);
  const double step = high - low;
  const double rise = b.psi - a.psi;
  const double slack = kSlack * (std::abs(a.psi) + std::abs(b.psi) + step * std::abs(b.slope));
  if (rise < a.slope * step - slack || rise > b.slope * step + slack)
    refuse(fmt::format("is not convex, or psi' is not its derivative, between beta = {} and {}",
                       low / sigma_, high / sigma_));
  constexpr double kNear = 1e-3, kRough = 1e-2;
  const double width = 2.0 * kNear * low;
  const double turn = at(low * (1.0 + kNear)).slope - at(low * (1.0 - kNear)).slope;
  if (std::abs(turn - a.curvature * width) > kRough * (a.curvature * width) + slack * kNear)
    refuse(fmt::format("psi'' is not the derivative of psi' at beta = {}", low / sigma_));
}

void FunctionFamily::check() const {
  constexpr double kFirst = 1e-2, kRatio = 1.5, kLast = 1e6;
  const double last = std::min(kLast, 0.99 * limit());
  for (double beta = std::min(kFirst, 0.01 * last); beta < last; beta *= kRatio) {
    if (at(beta).rate > kEnoughRate) return;
    check_neighbours(beta, std::min(last, beta * kRatio));
  }
}

}  // namespace

PairBelief function_belief(double mean, CumulantFunction function) {
  family::check_finite("mean", mean);
  if (!function.values) throw InputError(function.name, "must be a function");
  if (!(function.limit > 0.0)) throw InputError("limit", "must be > 0");
  if (!(function.supremum > 0.0)) throw InputError("supremum", "must be > 0");
  if (!(function.atom >= 0.0 && function.atom < 1.0))
    throw InputError("atom", fmt::format("must be at least 0 and below 1, got {}", function.atom));
  if (function.atom > 0.0 && !std::isfinite(function.supremum))
    throw InputError("supremum", "missing, though atom is given");
  if (!(function.relative_error >= 0x1.0p-50 && function.relative_error <= 1e-3))
    throw InputError("relative_error", fmt::format("must be between 1e-15 and 1e-3, got {}",
                                                   function.relative_error));
  const CumulantValues zero = function.values(0.0);
  if (!(std::isfinite(zero.curvature) && zero.curvature >= 0.0))
    throw InputError(function.name, fmt::format("psi''(0) must be >= 0, got {}", zero.curvature));
  const double sigma = std::sqrt(zero.curvature);
  if (!(sigma > 1e-150 || sigma == 0.0) || sigma > 1e100)
    throw InputError(
        function.name,
        fmt::format("psi''(0) must be 0, or between 1e-300 and 1e200, got {}", zero.curvature));
  if (!(std::abs(zero.psi) <= 1e-9))
    throw InputError(function.name, fmt::format("psi(0) must be 0, got {}", zero.psi));
  if (!(std::abs(zero.slope) <= 1e-9 * std::max(sigma, 1e-300)))
    throw InputError(function.name,
                     fmt::format("psi'(0) must be 0: psi is that of r - E r, got {}", zero.slope));
  if (sigma == 0.0) return {mean, 0.0, {}};
  auto family = std::make_shared<FunctionFamily>(std::move(function), sigma);
  family->check();
  return {mean, sigma, std::move(family)};
}

bool FamilySpec::operator==(const FamilySpec& other) const {
  const auto same_component = [](const WeightedBelief& a, const WeightedBelief& b) {
    return a.weight == b.weight && a.belief.mean == b.belief.mean &&
           a.belief.sigma == b.belief.sigma && same_family(a.belief.family, b.belief.family);
  };
  return name == other.name && numbers == other.numbers && lists == other.lists &&
         std::equal(components.begin(), components.end(), other.components.begin(),
                    other.components.end(), same_component);
}

bool same_family(const FamilyPtr& a, const FamilyPtr& b) {
  if (a == b) return true;
  if (!a || !b) return false;
  // Two functions are the same only if they are one.
  if (dynamic_cast<const FunctionFamily*>(a.get()) || dynamic_cast<const FunctionFamily*>(b.get()))
    return false;
  return a->spec() == b->spec();
}

}  // namespace vapor
