// Variance proxies: v with E exp(c (X - E X)) <= exp(c^2 v / 2) for all c, small and in closed
// form. VAPOR's sigma of a pair is the square root of the proxy of its mean reward (Lemma 3).
#pragma once

namespace vapor {

// X is `high` with probability p, else `low`. The optimal proxy (Kearns and Saul, 1998; Buldygin
// and Moskvichova, 2013): (1 - 2p) (high - low)^2 / (2 log((1 - p) / p)), and a quarter of the
// squared range at p = 1/2.
double two_point_variance_proxy(double p, double low, double high);

// X lies in [low, high] (Hoeffding, 1963): (high - low)^2 / 4.
double bounded_variance_proxy(double low, double high);

// X ~ Beta(a, b): 1 / (4 (a + b + 1)), optimal for a = b (Marchal and Arbel, 2017).
double beta_variance_proxy(double a, double b);

}  // namespace vapor
