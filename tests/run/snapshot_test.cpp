#include "vapor/run/snapshot.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <vector>

#include "vapor/mdp/problem_builder.h"
#include "vapor/run/table_run.h"

namespace vapor {
namespace {

using nlohmann::json;
using testing::DoubleEq;
using testing::ElementsAre;
using testing::IsNan;

// What the agent thinks after some episodes, as the record has it.
json snapshot_after(const std::string& env, const std::string& agent, int episodes) {
  RunSettings settings;
  settings.env = env;
  settings.agent = agent;
  settings.episodes = episodes + 1;
  settings.snapshot_every = 1;
  TableRun run(complete(settings));
  for (int t = 0; t < episodes; ++t) {
    run.choose_policy();
    (void)run.play_episode();
  }
  run.choose_policy();
  return json::parse(run.snapshot());
}

// A pair of a snapshot with what stands in its tables.
struct Pair {
  std::string name;
  double lambda, tau, sigma, reward, next_value, V;
};

double number(const json& value) {
  return value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>();
}

std::vector<Pair> pairs_of(const json& snapshot) {
  std::vector<Pair> pairs;
  for (std::size_t l = 0; l < snapshot["lambda"].size(); ++l)
    for (std::size_t s = 0; s < snapshot["lambda"][l].size(); ++s)
      for (std::size_t a = 0; a < snapshot["lambda"][l][s].size(); ++a) {
        const auto at = [&](const char* table) { return number(snapshot[table][l][s][a]); };
        pairs.push_back({fmt::format("[{}][{}][{}]", l, s, a), at("lambda"), at("tau"),
                         at("sigma_hat"), at("reward_mean"), at("next_value"),
                         number(snapshot["V"][l][s])});
      }
  return pairs;
}

// The program is solved to a gap of 1e-9 max(1, value). The gap is a sum over the pairs, and a pair
// whose condition fails by r has at least about r^2 / (2 |f''(lambda)|) of it; twice that r is
// allowed for where f is not a parabola, and 1e-9 for rounding.
double allowed(double value, double curvature) {
  const double gap = 1e-9 * std::max(1.0, std::abs(value));
  return 2.0 * std::sqrt(2.0 * gap * curvature) + 1e-9 * std::max(1.0, std::abs(value));
}

constexpr double kNotNegligible = 1e-5;

// V(s) = E r + sigma^2 / (2 tau) - tau log lambda - tau + (E P V')(s,a): section 4, appendix E.1.
void expect_vapor_identity(const json& snapshot) {
  ASSERT_EQ(snapshot["program"], "vapor");
  const std::vector<Pair> pairs = pairs_of(snapshot);
  double value = 0.0;
  for (const Pair& p : pairs)
    if (p.lambda > 0.0)
      value +=
          p.lambda * (p.reward + p.sigma * std::sqrt(-2.0 * std::log(std::min(1.0, p.lambda))));
  int checked = 0;
  for (const Pair& p : pairs) {
    if (p.lambda < kNotNegligible || std::isnan(p.tau)) continue;
    const double terms = p.reward + p.sigma * p.sigma / (2.0 * p.tau) - p.tau * std::log(p.lambda) -
                         p.tau + p.next_value;
    const double w = p.sigma / p.tau;  // -f''(lambda) = sigma (1 + w^2) / (lambda w^3)
    const double curvature = p.sigma * (1.0 + w * w) / (p.lambda * w * w * w);
    EXPECT_NEAR(terms, p.V, allowed(value, curvature)) << p.name;
    ++checked;
  }
  EXPECT_GE(checked, 20);
}

TEST(Snapshot, TheTermsOfVaporSumToThePriceOfTheState) {
  for (const char* env : {"deep_sea:depth=10", "deep_sea:depth=6,stochastic=true",
                          "grid_world:size=5", "random_mdp", "river_swim"})
    for (int episodes : {0, 10, 40}) {
      SCOPED_TRACE(fmt::format("{} after {}", env, episodes));
      expect_vapor_identity(snapshot_after(env, "vapor", episodes));
    }
}

// -sum sigma lambda log lambda without rewards: the weights sigma stand as temperatures.
TEST(Snapshot, TheTermsOfWeightedEntropySumToThePriceOfTheState) {
  for (const char* agent : {"max-entropy:method=program", "weighted-max-entropy:method=program"}) {
    SCOPED_TRACE(agent);
    const json snapshot = snapshot_after("four_rooms:size=5", agent, 3);
    ASSERT_EQ(snapshot["program"], "weighted_entropy");
    const std::vector<Pair> pairs = pairs_of(snapshot);
    double value = 0.0;
    for (const Pair& p : pairs)
      if (p.lambda > 0.0 && p.tau > 0.0) value -= p.tau * p.lambda * std::log(p.lambda);
    int checked = 0;
    for (const Pair& p : pairs) {
      if (p.lambda < kNotNegligible || !(p.tau > 0.0)) continue;
      EXPECT_NEAR(-p.tau * std::log(p.lambda) - p.tau + p.next_value, p.V,
                  allowed(value, p.tau / p.lambda))
          << p.name;
      ++checked;
    }
    EXPECT_GE(checked, 20);
  }
}

TEST(Snapshot, AnAgentWithoutAProgramHasNoPrices) {
  const json snapshot = snapshot_after("deep_sea:depth=3", "thompson", 2);
  for (const char* key : {"program", "tau", "V", "next_value"}) {
    ASSERT_TRUE(snapshot.contains(key)) << key;
    EXPECT_TRUE(snapshot[key].is_null()) << key;
  }
  EXPECT_EQ(snapshot["lambda"].size(), 3u);
}

// The second state of layer 1 is never reached: it has no V, nor have its pairs a price, and it
// weighs nothing in the price of others although the base leads there.
TEST(Snapshot, PricesOfNextStates) {
  Problem problem = ProblemBuilder({1.0})
                        .layer()
                        .state({{.next = {{0, 1.0}}}})
                        .layer({0.5, 0.5})
                        .state({{}, {}})
                        .state({{}})
                        .build();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(next_values(problem, std::vector{0.0, 4.0, nan}),
              ElementsAre(DoubleEq(4.0), 0.0, 0.0, IsNan()));
}

TEST(Snapshot, TheDrawingSaysWhereActionsLead) {
  RunSettings settings;
  settings.env = "deep_sea:depth=3,randomise_actions=false";
  settings.agent = "vapor";
  const json drawing = json::parse(TableRun(complete(settings)).drawing());
  EXPECT_EQ(drawing["next"][0][0], json::parse("[0, 1]"));
  EXPECT_EQ(drawing["next"][1][1], json::parse("[0, 2]"));
  EXPECT_EQ(drawing["next"][2][0], json::parse("[null, null]"));
}

// Under a budget, what a pair is charged for it is one term more of V(s).
TEST(Snapshot, HasThePriceOfABudgetAndWhatPairsAreCharged) {
  const json snapshot = snapshot_after("factored_cmdp:horizon=4", "vapor:budget=auto,k=0", 12);
  ASSERT_EQ(snapshot["constraints"].size(), 1u);
  const json& budget = snapshot["constraints"][0];
  EXPECT_EQ(budget["name"], "budget");
  EXPECT_EQ(budget["bound"], 2.0);
  EXPECT_NEAR(budget["used"], 2.0, 1e-6);
  const double price = budget["price"];
  EXPECT_GT(price, 0.1);
  EXPECT_EQ(snapshot["charge"][0][0][0], 0.0) << "staying costs nothing";
  EXPECT_NEAR(snapshot["charge"][0][0][1], price, 1e-12) << "moving costs 1";
  int compared = 0;
  for (std::size_t l = 0; l < 4; ++l)
    for (const Pair& pair : pairs_of(snapshot)) {
      if (!pair.name.starts_with(fmt::format("[{}]", l))) continue;
      if (!(pair.lambda > 1e-3) || !(pair.tau > 0.0) || std::isinf(pair.tau)) continue;
      const double charge = pair.name.ends_with("[1]") ? price : 0.0;
      const double sum = pair.reward + pair.sigma * pair.sigma / (2.0 * pair.tau) -
                         pair.tau * std::log(pair.lambda) - pair.tau + pair.next_value - charge;
      EXPECT_NEAR(sum, pair.V, 1e-4) << pair.name;
      ++compared;
    }
  EXPECT_GT(compared, 4);
  EXPECT_FALSE(snapshot_after("factored_cmdp:horizon=4", "vapor", 2).contains("constraints"));
}

}  // namespace
}  // namespace vapor
