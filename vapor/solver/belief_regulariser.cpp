#include "vapor/solver/belief_regulariser.h"

#include <algorithm>
#include <limits>

#include "vapor/mdp/family_functions.h"

namespace vapor {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

using family::exponential_remainder;

// beta as a function of a variable on the whole line: exp, or the logistic function where psi has a
// limit.
struct LogBeta {
  double limit;

  bool limited() const { return limit < kInfinity; }
  double low() const { return -45.0; }
  double high() const { return limited() ? 34.0 : 690.0; }
  double beta(double eta) const {
    return limited() ? limit / (1.0 + std::exp(-eta)) : std::exp(eta);
  }
  // d beta / d eta.
  double rate(double beta) const { return limited() ? beta * (limit - beta) / limit : beta; }
  double eta(double beta) const {
    return std::log(limited() ? beta / std::max(limit - beta, 1e-300) : beta);
  }
};

struct Tilted {
  double beta = 0.0;
  Cumulants at;
  double eta = 0.0;
  double step = 0.0;  // that Newton takes from there, too short to be worth an evaluation
};

// Newton on an increasing function of eta inside a bracket; `distance` gives target - F and F'.
template <typename F>
Tilted newton_root(const Family& family, const LogBeta& map, double start, F&& distance) {
  constexpr int kMostSteps = 80;
  constexpr double kShort = 1e-6;
  double low = map.low();
  double high = map.high();
  double eta = std::clamp(start, low, high);
  Tilted t;
  for (int i = 0; i < kMostSteps; ++i) {
    t.eta = eta;
    t.beta = map.beta(eta);
    t.at = family.at(t.beta);
    const auto [left, slope] = distance(t.beta, t.at);
    (left > 0.0 ? low : high) = eta;
    double step = left / slope;
    if (!(std::abs(step) < kInfinity)) step = left > 0.0 ? high - eta : low - eta;
    if (std::abs(step) < kShort) {
      t.step = step;
      return t;
    }
    double next = eta + step;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (std::abs(next - eta) < kShort) {
      t.step = 0.0;
      return t;
    }
    eta = next;
  }
  return t;
}

void take_step(const Family& family, Tilted& t) {
  if (t.step == 0.0) return;
  t.beta = LogBeta{family.limit()}.beta(t.eta + t.step);
  t.at = family.at(t.beta);
}

struct Distance {
  double left, slope;
};

// The beta whose rate is u. The logarithm of the rate is nearly a straight line for small ones, the
// rate itself for those of bounded beliefs.
Tilted tilt_to_rate(const Family& family, double u) {
  const LogBeta map{family.limit()};
  const double w = std::sqrt(2.0 * u);
  const double start =
      map.limited() ? std::log(w / map.limit * (1.0 + 0.5 * w / map.limit)) : std::log(w);
  return newton_root(family, map, start, [&](double beta, const Cumulants& at) -> Distance {
    const double slope = beta * at.curvature * map.rate(beta);
    if (u < 1.0 || map.limited()) return {std::log(u / at.rate), slope / at.rate};
    return {u - at.rate, slope};
  });
}

// The beta at which 1 / beta - psi' is x; x above minus the supremum.
Tilted tilt_to_advantage(const Family& family, double x) {
  const LogBeta map{family.limit()};
  const double top = family.supremum();
  const bool bounded = top < kInfinity;
  const double gaussian = -std::asinh(0.5 * x);  // log beta
  double start = gaussian;
  if (bounded) start = -std::log(x + top) + (x < 0.0 ? 0.0 : std::log1p(top / (x + 1.0)));
  if (map.limited())
    start = gaussian - std::log(map.limit) + std::log1p(std::exp(gaussian) / map.limit);
  const double target = bounded ? std::log(x + top) : std::asinh(0.5 * x);
  return newton_root(family, map, start, [&](double beta, const Cumulants& at) -> Distance {
    const double advantage = 1.0 / beta - at.slope;
    const double fall = (1.0 / (beta * beta) + at.curvature) * map.rate(beta);
    if (bounded) {
      const double above = std::max(1.0 / beta + (top - at.slope), 1e-300);
      return {std::log(above) - target, fall / above};
    }
    return {std::asinh(0.5 * advantage) - target, fall / std::sqrt(4.0 + advantage * advantage)};
  });
}

bool behind_atom(const Family& family, double u) {
  const double atom = family.atom();
  return atom > 0.0 && u >= -std::log(atom);
}

}  // namespace

InverseConjugate inverse_conjugate(const Family& family, double u) {
  if (behind_atom(family, u)) return {kInfinity, family.supremum(), 0.0, 0.0};
  const LogBeta map{family.limit()};
  const Tilted t = tilt_to_rate(family, u);
  const double rest = u - t.at.rate;
  const double second = -1.0 / (t.beta * t.beta * t.beta * t.at.curvature);
  // Rounding ends the search just before an atom: nothing is left to tilt.
  if (!(second > -1e100)) return {kInfinity, t.at.slope, 0.0, 0.0};
  const double beta = t.step == 0.0 ? t.beta : map.beta(t.eta + t.step);
  // By three terms around the last evaluation, or, where the search ended at its bounds, the first.
  const bool near = std::abs(rest) * -second * t.beta < 1e-3;
  const double g =
      near ? t.at.slope + rest * (1.0 / t.beta + 0.5 * rest * second) : (t.at.psi + u) / t.beta;
  return {beta, std::min(g, family.supremum()), 1.0 / beta, second};
}

double inverse_conjugate_below(const Family& family, double u) {
  const double error = family.relative_error();
  const double atom = family.atom();
  if (atom > 0.0 && u >= -std::log(atom) * (1.0 + kManyRoundings) + kManyRoundings)
    return family.supremum() * (1.0 - error);
  Tilted t = tilt_to_rate(family, u * (1.0 - 4.0 * error));
  take_step(family, t);
  double shrink = 2.0 * error;
  for (int i = 0; i < 40; ++i, shrink *= 2.0) {
    const double left = u - (t.at.rate + family.rate_error(t.beta, t.at));
    if (left >= 0.0 && t.at.curvature >= 0.0) {
      const double more = family.limit() < kInfinity ? left / family.limit() : 0.0;
      return (t.at.slope + more) * (1.0 - error) * (1.0 - kManyRoundings);
    }
    t.beta *= 1.0 - std::min(0.5, shrink);
    t.at = family.at(t.beta);
  }
  return 0.0;
}

double maximising_rate(const Family& family, double x) {
  if (!(x > -family.supremum())) return kInfinity;
  if (x > 1e100) return 0.0;
  if (x < -1e100) return kInfinity;
  const LogBeta map{family.limit()};
  const Tilted t = tilt_to_advantage(family, x);
  const double step = t.step * map.rate(t.beta);
  return std::max(0.0, t.at.rate + (t.beta + 0.5 * step) * t.at.curvature * step);
}

double conjugate_excess_above(const Family& family, double x) {
  constexpr double kLargestBeta = 1e12;
  constexpr double kSmallestBeta = 1e-100;
  const double error = family.relative_error();
  const double top = family.supremum();
  if (x <= -top * (1.0 + kManyRoundings)) return 0.0;
  double beta = kLargestBeta;
  if (x > 1e100)
    beta = kSmallestBeta;
  else if (x > -top)
    beta = std::min(kLargestBeta, tilt_to_advantage(family, x).beta);
  beta = std::min(beta, 0.5 * family.limit() + 0.5 * std::min(family.limit(), beta));
  const double psi = family.at(beta).psi;
  const double wrong = error * psi;
  if (x > 0.0) {
    // (exp(beta x + psi - 1) - beta x) / beta with 1 - beta x = rest, in terms >= 0.
    const double product = beta * x;
    const double rest = (1.0 - product) - std::fma(beta, x, -product);
    const double z = psi - rest;
    const double d = wrong + kManyRoundings * (std::abs(rest) * kManyRoundings + psi);
    const double remainder = std::max(exponential_remainder(z - d), exponential_remainder(z + d));
    return (psi + wrong + remainder) / beta * (1.0 + kManyRoundings);
  }
  const double exponent = beta * x + psi - 1.0;
  const double slack = wrong + kManyRoundings * (beta * -x + psi + 1.0);
  if (!(exponent + slack > -700.0)) return kBelowAnyExponential / beta;
  return std::exp(exponent + slack) / beta * (1.0 + kManyRoundings);
}

// Of a bounded belief lambda hardly moves with tau where beta is large: there tau is the variable
// to go by. With beta = sigma / tau and not that of lambda, the saddle point in lambda and tau of
// lambda tau (psi(sigma / tau) + u) has f' = tau (psi + u - 1) and u = rate(beta). The second is
// linearised as u / rate = 1 in log tau.
Linearisation AnyBelief::linearise_bounded(double lambda, double u, double tau,
                                           const Parameter& belief) {
  constexpr double kLargestBeta = 1e12;
  constexpr double kFall = -0.9;
  constexpr double kRise = 10.0;
  const double beta = std::min(belief.sigma / tau, kLargestBeta);
  const Cumulants at = belief.family->at(beta);
  const double t = belief.sigma / beta;
  const double excess = u - at.rate;
  const double slope = t * (at.psi + u - 1.0);
  const double per_log = at.rate / (beta * beta * at.curvature);
  const double move = per_log * (at.rate / u - 1.0);
  if (!(move > kFall && move < kRise)) {
    const double shift = tau * (move >= kRise ? kRise : kFall);
    return {slope + (excess - 1.0) * shift, t / lambda, shift, 0.0};
  }
  const double tau_rate = tau * per_log / (u * lambda);
  const double curvature = std::max(t / lambda + (1.0 - excess) * tau_rate, 0.1 * t / lambda);
  return {slope + (excess - 1.0) * tau * move, curvature, tau * move, tau_rate};
}

// With an atom p the graph of f' is a staircase: level at sigma times the supremum up to lambda =
// p, then falling so fast that in doubles it is vertical, then a curve. Linearised at lambda alone,
// an iteration jumps between the first step and the last. So it is linearised at the point of the
// graph that is nearest to (lambda, -(delta + s)), along a line that rises with lambda and so meets
// it once.
Linearisation AnyBelief::linearise_with_atom(double lambda, double tau, double delta, double s,
                                             const Parameter& belief) {
  constexpr double kSteepest = 1e14;  // -f'' in units of sigma / lambda
  const Family& family = *belief.family;
  const double sigma = belief.sigma;
  const double target = -(delta + s);
  const double rise = 0.1 * sigma / lambda;
  const double level = sigma * family.supremum();
  const double fastest_fall = -0.9 * tau;
  if ((family.atom() - lambda) * rise > level - target) return {level, 0.0, fastest_fall, 0.0};
  const double start = std::log(std::clamp(sigma / tau, 1e-8, 1e8));
  Tilted t = newton_root(
      family, LogBeta{kInfinity}, start, [&](double beta, const Cumulants& at) -> Distance {
        const double x = std::exp(-at.rate);
        const double y = sigma * (at.slope - 1.0 / beta);
        const double fall =
            x * beta * at.curvature * rise + sigma * (at.curvature + 1.0 / (beta * beta));
        return {(x - lambda) * rise - (y - target), fall * beta};
      });
  take_step(family, t);
  const double x = std::exp(-t.at.rate);
  const double y = sigma * (t.at.slope - 1.0 / t.beta);
  const double per_beta = 1.0 / t.beta;
  const double steep = per_beta + per_beta * per_beta * per_beta / t.at.curvature;
  const double curvature = sigma / x * std::min(steep, kSteepest);
  return {y + curvature * (x - lambda), curvature, std::max(sigma * per_beta - tau, fastest_fall),
          0.0};
}

// delta / sigma is rounded towards 0, where the excess is larger.
double AnyBelief::excess_above(DoubleDouble delta, const Parameter& belief) {
  if (!belief.family) return Vapor::excess_above(delta, belief.sigma);
  const double x = delta.hi / belief.sigma * (1.0 - kManyRoundings);
  return belief.sigma * conjugate_excess_above(*belief.family, x) * (1.0 + kManyRoundings);
}

}  // namespace vapor
