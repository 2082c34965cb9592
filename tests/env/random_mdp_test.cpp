#include "vapor/env/random_mdp.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/env/refusal.h"

namespace vapor {
namespace {

TEST(RandomMdp, ItsMeanRewardsAreUniform) {
  const Environment mdp = random_mdp({.layers = 20, .states = 20, .actions = 10});
  double sum = 0.0;
  double squares = 0.0;
  for (double mean : mdp.model.reward_mean) {
    sum += mean;
    squares += mean * mean;
  }
  const double n = mdp.shape().pairs();  // 4000; the variances are 1/12 and 4/45
  EXPECT_NEAR(sum / n, 1.0 / 2.0, 5.0 * std::sqrt(1.0 / 12.0 / n));
  EXPECT_NEAR(squares / n, 1.0 / 3.0, 5.0 * std::sqrt(4.0 / 45.0 / n));
}

// Dirichlet(mass / S, ..., mass / S): E p = 1 / S, E p^2 = (mass / S + 1) / (S (mass + 1)).
TEST(RandomMdp, ItsTransitionsHaveTheMomentsOfTheDirichlet) {
  for (double mass : {0.001, 0.1, 1.0, 30.0}) {
    const Index S = 8;
    const Environment mdp =
        random_mdp({.layers = 26, .states = S, .actions = 10, .dirichlet_mass = mass});
    const Transitions& P = mdp.model.transitions;
    const double rows = 25 * S * 10;
    std::vector<double> sum(S, 0.0);
    double squares = 0.0;  // over rows, sum_s' p(s')^2
    for (std::size_t k = 0; k < P.next_state.size(); ++k) {
      sum[P.next_state[k] % S] += P.probability[k];
      squares += P.probability[k] * P.probability[k];
    }
    const double second_moment = (mass / S + 1.0) / (S * (mass + 1.0));
    const double deviation = std::sqrt(second_moment - 1.0 / (S * S));
    for (double s : sum) EXPECT_NEAR(s / rows, 1.0 / S, 5.0 * deviation / std::sqrt(rows)) << mass;
    EXPECT_NEAR(squares / rows, S * second_moment, 5.0 * 0.5 / std::sqrt(rows)) << mass;
  }
}

// Shapes of 1e-5, whose Gamma numbers are all 0 in doubles: a row is still a distribution.
TEST(RandomMdp, TinyParametersDoNotUnderflow) {
  const Environment mdp =
      random_mdp({.layers = 3, .states = 100, .actions = 2, .dirichlet_mass = 0.001});
  for (double p : mdp.model.transitions.probability) EXPECT_TRUE(p > 0.0 && p <= 1.0) << p;
}

TEST(RandomMdp, TellsItsDynamicsIfAsked) {
  EXPECT_FALSE(random_mdp({}).known.dynamics);
  EXPECT_TRUE(random_mdp({.known_dynamics = true}).known.dynamics);
}

TEST(RandomMdp, RefusesBadSettingsByName) {
  using test_support::refused;
  refused("layers", [] { random_mdp({.layers = 0}); });
  refused("states", [] { random_mdp({.states = -1}); });
  refused("actions", [] { random_mdp({.actions = 0}); });
  refused("dirichlet_mass", [] { random_mdp({.dirichlet_mass = 0.0}); });
  refused("layers", [] { random_mdp({.layers = 1000, .states = 1000}); });
}

}  // namespace
}  // namespace vapor
