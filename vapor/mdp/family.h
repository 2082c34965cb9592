// What a belief about the mean reward r of a pair looks like, beyond its mean and its deviation:
//
//   r = E r + sigma Z,   psi(beta) = log E exp(beta Z),   E Z = 0,   E Z^2 = 1.
//
// A family is the cumulant generating function psi of such a Z. With it VAPOR's term of the pair is
//
//   lambda (E r + sigma g(-log lambda)),   g(u) = (psi*)^-1(u) = inf over beta > 0 of
//                                                                 (psi(beta) + u) / beta
//
// (appendix F.5 of the paper, which says psi^-1 where the inverse of its conjugate is meant). For a
// Gaussian g(u) = sqrt(2 u), the term of equation (3); that family is written as no family at all.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace vapor {

// psi and what follows from it, at one beta.
struct Cumulants {
  double psi = 0.0;        // >= 0
  double slope = 0.0;      // psi', the mean of the belief tilted by exp(beta Z)
  double curvature = 0.0;  // psi'', its variance
  double rate = 0.0;       // beta psi' - psi = psi*(psi'), without cancellation
};

struct FamilySpec;

class Family {
 public:
  virtual ~Family() = default;

  // At 0 < beta < limit().
  virtual Cumulants at(double beta) const = 0;

  // psi is finite below it.
  virtual double limit() const { return std::numeric_limits<double>::infinity(); }

  // The supremum of Z, and the probability of being there. From u = -log atom() on g(u) is the
  // supremum, and VAPOR's term is linear in lambda.
  virtual double supremum() const { return std::numeric_limits<double>::infinity(); }
  virtual double atom() const { return 0.0; }

  // psi, psi' and the rate are wrong by at most this share of themselves.
  virtual double relative_error() const { return 0x1.0p-46; }
  // By how much the rate may be wrong.
  virtual double rate_error(double /*beta*/, const Cumulants& at_beta) const {
    return relative_error() * at_beta.rate;
  }

  // What it is called and made of, as files and messages state it.
  virtual FamilySpec spec() const = 0;
};

using FamilyPtr = std::shared_ptr<const Family>;

// A belief about one pair. Without a family it is Gaussian.
struct PairBelief {
  double mean = 0.0;
  double sigma = 0.0;
  FamilyPtr family = {};
};

// A part of a mixture.
struct WeightedBelief {
  double weight = 1.0;  // > 0; weights are scaled to sum to 1
  PairBelief belief;
};

// The parameters of a family by name, in the order in which files have them.
struct FamilySpec {
  std::string name;
  std::vector<std::pair<std::string, double>> numbers = {};
  std::vector<std::pair<std::string, std::vector<double>>> lists = {};
  std::vector<WeightedBelief> components = {};

  bool operator==(const FamilySpec& other) const;
};

// Whether two families are the same: no family, one object, or equal specifications.
bool same_family(const FamilyPtr& a, const FamilyPtr& b);

// The families. All throw InputError that names the parameter.

// r = low + (high - low) B with B ~ Beta(alpha, beta): what 0-1 rewards leave of a Beta prior.
PairBelief beta_belief(double alpha, double beta, double low = 0.0, double high = 1.0);
// r ~ Gamma(shape, scale), mean shape * scale; psi is finite below a limit.
PairBelief gamma_belief(double shape, double scale);
inline PairBelief exponential_belief(double scale) { return gamma_belief(1.0, scale); }
// r has the density exp(-|r - mean| / scale) / (2 scale).
PairBelief laplace_belief(double mean, double scale);
// r is high with the given probability, else low.
PairBelief two_point_belief(double probability, double low, double high);
// Nothing is known but the mean and that r is between low and high. Of all such beliefs the two
// points low and high have the largest psi (exp is convex): their bound holds for every one.
PairBelief bounded_belief(double mean, double low, double high);
// r is one of the values, with the weights or all alike: draws of a posterior.
PairBelief sample_belief(std::vector<double> values, std::vector<double> weights = {});
PairBelief mixture_belief(std::vector<WeightedBelief> components);

// A belief of one's own, by its psi of r - E r: what a user brings is a function that gives psi,
// psi' and psi'' at 0 <= beta < limit. It is checked when the belief is made (convex, 0 and flat at
// 0, derivatives that fit each other), and what it returns is checked at every call.
struct CumulantValues {
  double psi = 0.0;
  double slope = 0.0;
  double curvature = 0.0;
};

struct CumulantFunction {
  std::function<CumulantValues(double beta)> values;
  double limit = std::numeric_limits<double>::infinity();
  double supremum = std::numeric_limits<double>::infinity();  // of r - E r
  double atom = 0.0;                                          // P(r - E r = supremum)
  double relative_error = 1e-12;                              // of what the function returns
  std::string name = "function";
};

PairBelief function_belief(double mean, CumulantFunction function);

}  // namespace vapor
