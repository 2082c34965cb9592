// VAPOR's function for any belief, through its cumulant generating function (mdp/family.h):
//
//   f(lambda) = sigma lambda g(u),   u = -log lambda,   g(u) = inf over beta > 0 of (psi + u) /
//   beta.
//
// With beta the minimiser, u = beta psi' - psi is the family's rate, and
//
//   g = psi',   g' = 1 / beta,   g'' = -1 / (beta^3 psi''),
//   f' = sigma (g - g'),   f'' = sigma (g'' - g') / lambda,   tau = sigma g' = sigma / beta.
//
// The maximiser of lambda delta + f(lambda) has delta / sigma = 1 / beta - psi', which falls in
// beta. Both equations are solved for log beta by a safeguarded Newton iteration. From u = -log
// atom on the family's g is its supremum, beta is infinite and f is linear: there lambda is settled
// by the slack of the interior point, as where sigma = 0.
//
// For bounds no root is needed: any beta gives g(u) <= (psi + u) / beta, and by weak duality
//
//   f*(delta) <= sigma / beta exp(beta delta / sigma + psi - 1);
//
// and g(u) >= psi' for any beta whose rate is at most u.
#pragma once

#include <cmath>

#include "vapor/mdp/problem.h"
#include "vapor/solver/regulariser.h"

namespace vapor {

// g, g' and g'' at one u; beta is infinite, and the derivatives 0, from the atom on.
struct InverseConjugate {
  double beta = 0.0;
  double g = 0.0;
  double slope = 0.0;
  double curvature = 0.0;
};

// (psi*)^-1(u) and its derivatives, u > 0.
InverseConjugate inverse_conjugate(const Family& family, double u);

// At most (psi*)^-1(u), with its own rounding on the safe side.
double inverse_conjugate_below(const Family& family, double u);

// -log lambda of the maximiser of lambda x + lambda g(-log lambda); infinite where that is 0.
double maximising_rate(const Family& family, double x);

// At least max over lambda of lambda x + lambda g(-log lambda), less max(x, 0).
double conjugate_excess_above(const Family& family, double x);

struct AnyBelief {
  struct Parameter {
    double sigma = 0.0;
    const Family* family = nullptr;  // null: Gaussian
  };

  struct Parameters {
    const double* sigma;
    const FamilyPtr* family;
    Parameter operator[](std::size_t p) const { return {sigma[p], family[p].get()}; }
  };
  static Parameters parameters(const Problem& problem) {
    return {problem.sigma.data(), problem.family.data()};
  }

  static double value(double lambda, double log_lambda, const Parameter& belief) {
    if (!belief.family || belief.sigma == 0.0)
      return Vapor::value(lambda, log_lambda, belief.sigma);
    if (!(log_lambda < 0.0)) return 0.0;
    return belief.sigma * lambda * inverse_conjugate(*belief.family, -log_lambda).g;
  }

  static double value_below(double lambda, double log_lambda, const Parameter& belief) {
    if (!belief.family) return Vapor::value_below(lambda, log_lambda, belief.sigma);
    if (!(log_lambda < 0.0)) return 0.0;
    const double g = inverse_conjugate_below(*belief.family, -log_lambda * (1.0 - kManyRoundings));
    return belief.sigma * lambda * g * (1.0 - kManyRoundings);
  }

  static double slope(double log_lambda, const Parameter& belief) {
    if (!belief.family || belief.sigma == 0.0) return Vapor::slope(log_lambda, belief.sigma);
    const InverseConjugate at = inverse_conjugate(*belief.family, rate(log_lambda));
    return belief.sigma * (at.g - at.slope);
  }

  static double temperature(double log_lambda, const Parameter& belief) {
    if (!belief.family || belief.sigma == 0.0 || !(log_lambda < 0.0) || !std::isfinite(log_lambda))
      return Vapor::temperature(log_lambda, belief.sigma);
    return belief.sigma * inverse_conjugate(*belief.family, -log_lambda).slope;
  }

  static double log_maximiser(double delta, const Parameter& belief) {
    if (!belief.family || belief.sigma == 0.0) return Vapor::log_maximiser(delta, belief.sigma);
    const double u = maximising_rate(*belief.family, delta / belief.sigma);
    return u < -kLogOfZero ? -u : kLogOfZero;
  }

  // Where f is linear between 0 and the atom, the maximiser is one of the two and no help.
  static bool maximiser_settles(double lambda, const Parameter& belief) {
    return belief.sigma > 0.0 && !(belief.family && lambda <= 1.001 * belief.family->atom());
  }

  // f' = sigma g - tau, and log tau = log (sigma g') linearised in the form of Vapor::linearise.
  static Linearisation linearise(double lambda, double log_lambda, double tau, double delta,
                                 double s, const Parameter& belief) {
    if (!belief.family || belief.sigma == 0.0)
      return Vapor::linearise(lambda, log_lambda, tau, delta, s, belief.sigma);
    if (belief.family->atom() > 0.0) return linearise_with_atom(lambda, tau, delta, s, belief);
    if (std::isfinite(belief.family->supremum()))
      return linearise_bounded(lambda, rate(log_lambda), tau, belief);
    const InverseConjugate at = inverse_conjugate(*belief.family, rate(log_lambda));
    const double ratio = belief.sigma * at.slope / tau;
    const double shift = 0.5 * tau * (ratio * ratio - 1.0);
    const double rate = tau * (-at.curvature / at.slope) / lambda;
    return {belief.sigma * at.g - tau - shift, belief.sigma * at.slope / lambda + rate, shift,
            rate};
  }

  static double excess_above(DoubleDouble delta, const Parameter& belief);

 private:
  static Linearisation linearise_bounded(double lambda, double u, double tau,
                                         const Parameter& belief);
  static Linearisation linearise_with_atom(double lambda, double tau, double delta, double s,
                                           const Parameter& belief);

  static double rate(double log_lambda) {
    constexpr double kSmallestRate = 0.5 * Vapor::kSmallestW * Vapor::kSmallestW;
    return -log_lambda > kSmallestRate ? -log_lambda : kSmallestRate;
  }
};

static_assert(ScalarRegulariser<AnyBelief>);

}  // namespace vapor
