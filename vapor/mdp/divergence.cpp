#include "vapor/mdp/divergence.h"

#include <cmath>
#include <limits>

#include "vapor/core/check.h"

namespace vapor {
namespace {

// sum tau * term(P, lambda), by the conventions of the header.
template <typename Term>
double weighted_sum(std::span<const double> tau, std::span<const double> P,
                    std::span<const double> lambda, const Term& term) {
  VAPOR_CHECK_EQ(tau.size(), P.size());
  VAPOR_CHECK_EQ(lambda.size(), P.size());
  double sum = 0.0;
  for (std::size_t p = 0; p < P.size(); ++p) {
    if (!(tau[p] > 0.0)) continue;
    if (std::isinf(tau[p])) {
      if (std::abs(P[p] - lambda[p]) > 1e-12) return std::numeric_limits<double>::infinity();
      continue;
    }
    sum += tau[p] * term(P[p], lambda[p]);
  }
  return sum;
}

double kl_term(double p, double q) { return p > 0.0 ? p * std::log(p / q) : 0.0; }

}  // namespace

double weighted_kl(std::span<const double> tau, std::span<const double> P,
                   std::span<const double> lambda) {
  return weighted_sum(tau, P, lambda, kl_term);
}

double weighted_bregman(std::span<const double> tau, std::span<const double> P,
                        std::span<const double> lambda) {
  return weighted_sum(tau, P, lambda, [](double p, double q) { return kl_term(p, q) - p + q; });
}

double total_variation(const Shape& shape, std::span<const double> P,
                       std::span<const double> lambda) {
  VAPOR_CHECK_EQ(static_cast<Index>(P.size()), shape.pairs());
  VAPOR_CHECK_EQ(lambda.size(), P.size());
  double sum = 0.0;
  for (std::size_t p = 0; p < P.size(); ++p) sum += std::abs(P[p] - lambda[p]);
  return 0.5 * sum / shape.layers();
}

double state_total_variation(const Shape& shape, std::span<const double> P,
                             std::span<const double> lambda) {
  VAPOR_CHECK_EQ(static_cast<Index>(P.size()), shape.pairs());
  VAPOR_CHECK_EQ(lambda.size(), P.size());
  double sum = 0.0;
  for (Index s = 0; s < shape.states(); ++s) {
    double difference = 0.0;
    for (Index p : shape.pairs_of(s)) difference += P[p] - lambda[p];
    sum += std::abs(difference);
  }
  return 0.5 * sum / shape.layers();
}

}  // namespace vapor
