#include "vapor/deep/objective/vtrace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "vapor/core/check.h"
#include "vapor/core/random.h"

namespace vapor::deep {
namespace {

struct Sequence {
  std::vector<double> ratio, reward, value, next_value;
  std::vector<float> discount;

  SequenceView view() const { return {ratio, reward, discount, value, next_value}; }
  std::size_t size() const { return ratio.size(); }
};

// A sequence whose value after frame t is the value at frame t + 1, as it is within an episode.
Sequence random_sequence(std::size_t length, RandomStream random) {
  Sequence s;
  for (std::size_t t = 0; t < length; ++t) {
    s.ratio.push_back(random.uniform(0.0, 3.0));
    s.reward.push_back(random.normal());
    s.value.push_back(random.normal());
    s.discount.push_back(random.uniform() < 0.2 ? 0.0F : 0.9F);
  }
  for (std::size_t t = 0; t < length; ++t)
    s.next_value.push_back(t + 1 < length ? s.value[t + 1] : random.normal());
  return s;
}

double clipped(double ratio) { return std::min(1.0, ratio); }

// v_t = V_t + sum_{u >= t} (prod_{t <= i < u} gamma_i c_i) delta_u, the sum of the paper, term by
// term.
double vtrace_by_definition(const Sequence& s, double lambda, std::size_t t) {
  double target = s.value[t];
  for (std::size_t u = t; u < s.size(); ++u) {
    double product = 1.0;
    for (std::size_t i = t; i < u; ++i) product *= s.discount[i] * lambda * clipped(s.ratio[i]);
    target += product * clipped(s.ratio[u]) *
              (s.reward[u] + s.discount[u] * s.next_value[u] - s.value[u]);
  }
  return target;
}

// g_t = Q_t + sum_{u >= t} (prod_{t < i <= u} gamma_{i-1} c_i) (r_u + gamma_u V_{u+1} - Q_u).
double retrace_by_definition(const Sequence& s, double lambda, std::size_t t) {
  double target = s.value[t];
  for (std::size_t u = t; u < s.size(); ++u) {
    double product = 1.0;
    for (std::size_t i = t + 1; i <= u; ++i)
      product *= s.discount[i - 1] * lambda * clipped(s.ratio[i]);
    target += product * (s.reward[u] + s.discount[u] * s.next_value[u] - s.value[u]);
  }
  return target;
}

TEST(Vtrace, EqualsTheSumThatDefinesIt) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Sequence s = random_sequence(1 + seed % 12, RandomStream(seed));
    std::vector<double> target(s.size());
    std::vector<double> advantage(s.size());
    for (const double lambda : {0.0, 0.9, 1.0}) {
      vtrace(s.view(), lambda, target, advantage);
      for (std::size_t t = 0; t < s.size(); ++t) {
        EXPECT_NEAR(target[t], vtrace_by_definition(s, lambda, t), 1e-12);
        const double after =
            t + 1 < s.size() ? vtrace_by_definition(s, lambda, t + 1) : s.next_value[t];
        EXPECT_NEAR(advantage[t], s.reward[t] + s.discount[t] * after - s.value[t], 1e-12);
      }
    }
  }
}

TEST(Vtrace, RetraceEqualsTheSumThatDefinesIt) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Sequence s = random_sequence(1 + seed % 12, RandomStream(100 + seed));
    std::vector<double> target(s.size());
    for (const double lambda : {0.0, 0.9, 1.0}) {
      retrace(s.view(), lambda, target);
      for (std::size_t t = 0; t < s.size(); ++t)
        EXPECT_NEAR(target[t], retrace_by_definition(s, lambda, t), 1e-12);
    }
  }
}

// On policy with lambda = 1 both are the discounted return with the value at the end.
TEST(Vtrace, OnPolicyIsTheReturn) {
  const Sequence s{
      {1.0, 1.0, 1.0}, {1.0, 2.0, 4.0}, {9.0, -5.0, 3.0}, {-5.0, 3.0, 10.0}, {0.5F, 0.5F, 0.5F}};
  const double last = 4.0 + 0.5 * 10.0;
  const double middle = 2.0 + 0.5 * last;
  const double first = 1.0 + 0.5 * middle;
  std::vector<double> target(3);
  std::vector<double> advantage(3);
  vtrace(s.view(), 1.0, target, advantage);
  EXPECT_THAT(target, testing::ElementsAre(first, middle, last));
  EXPECT_THAT(advantage, testing::ElementsAre(first - 9.0, middle + 5.0, last - 3.0));
  retrace(s.view(), 1.0, target);
  EXPECT_THAT(target, testing::ElementsAre(first, middle, last));
}

// By hand: an action that the policy never takes leaves V as it is; a ratio of 2 counts as 1.
TEST(Vtrace, HandWorkedOffPolicy) {
  const Sequence s{{2.0, 0.0}, {1.0, 7.0}, {0.0, 4.0}, {4.0, 0.0}, {0.5F, 0.0F}};
  std::vector<double> target(2);
  std::vector<double> advantage(2);
  vtrace(s.view(), 0.9, target, advantage);
  EXPECT_DOUBLE_EQ(target[1], 4.0);
  EXPECT_DOUBLE_EQ(advantage[1], 3.0);
  EXPECT_DOUBLE_EQ(target[0], 1.0 + 0.5 * 4.0);
  // Retrace fits the action that was taken all the same, and cuts the trace before it.
  retrace(s.view(), 0.9, target);
  EXPECT_DOUBLE_EQ(target[1], 7.0);
  EXPECT_DOUBLE_EQ(target[0], 1.0 + 0.5 * 4.0);
}

TEST(Vtrace, RefusesArraysOfAnotherLength) {
  Sequence s = random_sequence(3, RandomStream(5));
  std::vector<double> target(3), advantage(3), longer(4);
  EXPECT_THROW(vtrace(s.view(), 0.9, longer, advantage), InternalError);
  EXPECT_THROW(vtrace(s.view(), 0.9, target, longer), InternalError);
  EXPECT_THROW(retrace(s.view(), 0.9, longer), InternalError);
  s.next_value.pop_back();
  EXPECT_THROW(vtrace(s.view(), 0.9, target, advantage), InternalError);
}

}  // namespace
}  // namespace vapor::deep
