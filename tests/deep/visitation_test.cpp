#include "vapor/deep/objective/visitation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "vapor/core/random.h"

namespace vapor::deep {
namespace {

// From observation 0, which every episode begins at, to 1 with this probability, or else to 2.
std::vector<Frame> episode(double probability, RandomStream& random) {
  const Index next = random.uniform() < probability ? 1 : 2;
  return {{.observation = 0}, {.observation = next, .last = true}};
}

TEST(Visitation, ComesToHowOftenAnEpisodeVisits) {
  Visitation visitation(0.005);
  RandomStream random(4);
  for (int i = 0; i < 4000; ++i) visitation.observe(episode(0.3, random));
  // The average over the last 200 episodes or so has a deviation of sqrt(.21 * .005 / 2) = .023.
  EXPECT_NEAR(std::exp(visitation.log_mu(0)), 1.0, 0.01);
  EXPECT_NEAR(std::exp(visitation.log_mu(1)), 0.3, 0.08);
  EXPECT_NEAR(std::exp(visitation.log_mu(2)), 0.7, 0.08);
}

TEST(Visitation, ForgetsAtItsRateAndHasTheRateAsFloor) {
  Visitation visitation(0.1);
  RandomStream random(1);
  for (int i = 0; i < 200; ++i) visitation.observe(episode(1.0, random));
  for (int i = 0; i < 5; ++i) visitation.observe(episode(0.0, random));
  EXPECT_NEAR(std::exp(visitation.log_mu(1)), std::pow(0.9, 5), 0.06);
  for (int i = 0; i < 200; ++i) visitation.observe(episode(0.0, random));
  EXPECT_DOUBLE_EQ(visitation.log_mu(1), std::log(0.1));
  EXPECT_DOUBLE_EQ(visitation.log_mu(1000), std::log(0.1));
}

// lambda = mu pi is a probability, and a state may be visited more than once an episode.
TEST(Visitation, IsOneAtMost) {
  Visitation visitation(0.1);
  for (int i = 0; i < 100; ++i)
    visitation.observe(std::vector<Frame>{{.observation = 0}, {.observation = 0, .last = true}});
  EXPECT_EQ(visitation.log_mu(0), 0.0);
}

TEST(Visitation, IsRestoredAsItWas) {
  Visitation visitation(0.1);
  RandomStream random(1);
  for (int i = 0; i < 20; ++i) visitation.observe(episode(0.5, random));
  Archive saved;
  visitation.archive(saved);
  Archive bytes = Archive::restoring(saved.bytes());
  Visitation copy(0.1);
  copy.archive(bytes);
  bytes.expect_end();
  for (Index s = 0; s < 4; ++s) EXPECT_EQ(copy.log_mu(s), visitation.log_mu(s));
}

}  // namespace
}  // namespace vapor::deep
