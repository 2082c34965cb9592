// The loops over all pairs of a Newton iteration. Each touches flat arrays only and has no branch,
// so that it runs four pairs at a time where the machine can.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>

#include "vapor/core/multiversion.h"
#include "vapor/solver/regulariser.h"

namespace vapor {

using In = const double* __restrict;
using Out = double* __restrict;

// The parameters of the pairs: the sigmas, but for AnyBelief.
template <typename R>
using Of = std::conditional_t<std::same_as<typename R::Parameter, double>, In,
                              decltype(R::parameters(std::declval<const Problem&>()))>;

// Sums of products and plain sums, in four interleaved parts.
double sum_of(std::span<const double> a);
double sum_of_products(std::span<const double> a, std::span<const double> b);

// max_p |x_p|.
double largest_magnitude(std::span<const double> x);

// The longest step, at most 1, that keeps x + step * dx >= 0.
double step_to_zero(std::span<const double> x, std::span<const double> dx);

// The longest step, at most 1, that keeps x + step * dx <= bound; a bound may be infinite.
double step_to_bound(std::span<const double> x, std::span<const double> dx,
                     std::span<const double> bound);

// stationarity = delta + f' + s, theta = 1 / (-f'' + s / lambda), and how tau follows lambda.
template <ScalarRegulariser R>
VAPOR_MULTIVERSION void linearise_pairs(std::size_t pairs, In x, In log_x, In copies, Of<R> sigma,
                                        In delta, In s, In tau, Out stationarity, Out theta,
                                        Out tau_shift, Out tau_rate) {
  for (std::size_t p = 0; p < pairs; ++p) {
    const double per_copy = 1.0 / copies[p];
    const Linearisation f = R::linearise(x[p], log_x[p], tau[p], delta[p], s[p], sigma[p]);
    stationarity[p] = delta[p] + f.slope + s[p];
    theta[p] = 1.0 / ((f.curvature + s[p] / x[p]) * per_copy);
    tau_shift[p] = f.tau_shift;
    tau_rate[p] = f.tau_rate * per_copy;
  }
}

// reward + f'.
template <ScalarRegulariser R>
VAPOR_MULTIVERSION void add_slopes(std::size_t pairs, In reward, In log_x, Of<R> sigma, Out sum) {
  for (std::size_t p = 0; p < pairs; ++p) sum[p] = reward[p] + R::slope(log_x[p], sigma[p]);
}

template <ScalarRegulariser R>
VAPOR_MULTIVERSION void log_maximiser_of_pairs(std::size_t pairs, In delta, Of<R> sigma,
                                               Out log_x) {
  for (std::size_t p = 0; p < pairs; ++p) log_x[p] = R::log_maximiser(delta[p], sigma[p]);
}

// By pair: what lambda adds to the value, and the Fenchel-Young term that it adds to the gap.
template <ScalarRegulariser R>
VAPOR_MULTIVERSION void certify_pairs(std::size_t pairs, In x, In log_x, In maximiser,
                                      In log_maximiser, In copies, In free, In reward_mean,
                                      Of<R> sigma, In delta, Out value, Out gap) {
  for (std::size_t p = 0; p < pairs; ++p) {
    const double f = R::value(x[p], log_x[p], sigma[p]);
    const double f_maximiser = R::value(maximiser[p], log_maximiser[p], sigma[p]);
    const double young = (maximiser[p] - x[p]) * delta[p] + (f_maximiser - f);
    value[p] = copies[p] * (x[p] * reward_mean[p] + f);
    gap[p] = copies[p] * free[p] * (young < 0.0 ? 0.0 : young);  // NaN stays NaN: no bound
  }
}

}  // namespace vapor
