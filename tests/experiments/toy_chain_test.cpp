// Table 1 of the paper as `vapor reproduce toy-chain` computes it, against closed forms.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "experiments/common/experiment.h"
#include "vapor/core/error.h"

namespace vapor {
namespace {

using nlohmann::ordered_json;
using testing::HasSubstr;

// Little is simulated: that part is tested on its own.
Findings reproduce(const std::string& lengths, int repetitions = 1, std::int64_t most_episodes = 0,
                   const ReproductionOptions& options = {}) {
  const experiments::Experiment& of = experiments::experiment("toy-chain");
  experiments::Study study = study_of(
      of, "full", {{"--lengths", lengths}, {"--repetitions", std::to_string(repetitions)}});
  study.tables.front().request.episodes = most_episodes;
  return experiments::reproduce(of, study, options);
}

const ordered_json& row(const ordered_json& rows, const std::string& agent, int L) {
  for (const ordered_json& candidate : rows)
    if (candidate["agent"] == agent && candidate["L"] == L) return candidate;
  ADD_FAILURE() << "no row of " << agent << ", L = " << L;
  return rows.front();
}

void expect_policy(const ordered_json& pi, double down, double right, double accuracy) {
  ASSERT_EQ(pi.size(), 2u);
  EXPECT_NEAR(pi[0].get<double>(), down, accuracy);
  EXPECT_NEAR(pi[1].get<double>(), right, accuracy);
}

// Soft values with m actions in s_L and in the absorbing states: those are worth log m a layer, and
// V(s_l) = log(exp V(s'_{l+1}) + exp(V(s_{l+1}) - epsilon)). Returns P(right) of s_1, ..., s_{L-1}.
std::vector<double> soft_right(int L, int m) {
  const double epsilon = 0.1 / L;
  std::vector<double> right(L - 1);
  double V = std::log(m);
  for (int l = L - 1; l >= 1; --l) {
    const double leave = (L - l) * std::log(m);
    const double stay = V - epsilon;
    V = std::log(std::exp(leave) + std::exp(stay));
    right[l - 1] = std::exp(stay - V);
  }
  return right;
}

double product(const std::vector<double>& factors) {
  double p = 1.0;
  for (const double factor : factors) p *= factor;
  return p;
}

TEST(ToyChainTable, IsTableOne) {
  const Findings findings = reproduce("3,5,7,10,20");
  const ordered_json& rows = findings["rows"];
  EXPECT_EQ(findings["experiment"], "toy-chain");
  for (const int L : {3, 5, 7, 10, 20}) {
    SCOPED_TRACE(L);
    const auto expect = [&](const char* agent, double start, double later, double episodes,
                            double accuracy) {
      SCOPED_TRACE(agent);
      const ordered_json& found = row(rows, agent, L);
      expect_policy(found["pi_s1"], 1.0 - start, start, accuracy);
      expect_policy(found["pi_sl"], 1.0 - later, later, accuracy);
      EXPECT_NEAR(found["pi_sl_right"][0].get<double>(), later, accuracy);
      EXPECT_NEAR(found["pi_sl_right"][1].get<double>(), later, accuracy);
      EXPECT_NEAR(found["episodes"].get<double>() / episodes, 1.0, 1e-6);
      EXPECT_EQ(found["agrees"], true);
    };
    expect("bayes-optimal", 1.0, 1.0, 1.0, 0.0);
    expect("marginal-optimality", 0.5, 0.5, std::pow(2.0, L - 1), 1e-15);
    expect("conditional-optimality", 0.5, 1.0, 2.0, 1e-15);
    expect("thompson", 0.5, 1.0, 2.0, 0.0);
    expect("vapor", 1.0, 1.0, 1.0, 1e-6);
    const std::vector<double> right = soft_right(L, 2);
    expect_policy(row(rows, "soft-q", L)["pi_s1"], 1.0 - right[0], right[0], 1e-12);
    expect_policy(row(rows, "soft-q", L)["pi_sl"], 1.0 - right[1], right[1], 1e-12);
    EXPECT_NEAR(row(rows, "soft-q", L)["episodes"].get<double>() * product(right), 1.0, 1e-9);
    EXPECT_EQ(row(rows, "soft-q", L)["agrees"], true);
  }
  EXPECT_THAT(row(rows, "thompson", 5)["note"].get<std::string>(),
              HasSubstr("(0, 1) w.p. 0.5, (1, 0) w.p. 0.5"));
}

// One action in s_L: VAPOR maximises lambda (sqrt(-2 log lambda) - c), c = epsilon (L - 1), so with
// x = sqrt(-2 log lambda), x - 1/x = c; at c = 0 that is lambda = exp(-1/2). Leaving late costs
// more than leaving at once.
TEST(ToyChainTable, OneActionIsAnotherTable) {
  const Findings findings = reproduce("3,5,20");
  const ordered_json& rows = findings["one_action_rows"];
  for (const int L : {3, 5, 20}) {
    SCOPED_TRACE(L);
    const double c = 0.1 / L * (L - 1);
    const double x = (c + std::sqrt(c * c + 4.0)) / 2.0;
    const double lambda = std::exp(-x * x / 2.0);
    EXPECT_LT(lambda, std::exp(-0.5));
    expect_policy(row(rows, "vapor", L)["pi_s1"], 1.0 - lambda, lambda, 1e-4);
    expect_policy(row(rows, "vapor", L)["pi_sl"], 0.0, 1.0, 1e-4);
    EXPECT_NEAR(row(rows, "vapor", L)["episodes"].get<double>(), 1.0 / lambda, 1e-4);
    const double soft = row(rows, "soft-q", L)["episodes"].get<double>();
    EXPECT_NEAR(soft * product(soft_right(L, 1)), 1.0, 1e-9);
    EXPECT_NEAR(soft / L, 1.0, 0.1) << "1/L but for the cost";
    EXPECT_EQ(row(rows, "bayes-optimal", L)["episodes"], 1.0);
    EXPECT_EQ(row(rows, "thompson", L)["episodes"], 2.0);
    EXPECT_EQ(row(rows, "marginal-optimality", L)["episodes"], std::pow(2.0, L - 1));
  }
}

TEST(ToyChainTable, ShortestAndLongest) {
  const Findings findings = reproduce("2,1000");
  EXPECT_TRUE(row(findings["rows"], "vapor", 2)["pi_sl"].is_null()) << "there is no 1 < l < 2";
  EXPECT_EQ(row(findings["rows"], "marginal-optimality", 2)["episodes"], 2.0);
  EXPECT_EQ(row(findings["rows"], "marginal-optimality", 1000)["episodes"], std::ldexp(1.0, 999));
  for (const ordered_json& found : findings["rows"])
    EXPECT_NE(found["agrees"], ordered_json(false)) << found;
}

TEST(ToyChainTable, SimulationAgreesWhereItIsMade) {
  for (const char* rows : {"rows", "one_action_rows"})
    for (const ordered_json& found : reproduce("5", 400, 20)[rows]) {
      SCOPED_TRACE(found.dump());
      ASSERT_FALSE(found["episodes_simulated"].is_null());
      EXPECT_NEAR(found["episodes_simulated"].get<double>(), found["episodes"].get<double>(),
                  4.0 * found["episodes_se"].get<double>() + 1e-6);
    }
  const ordered_json rows = reproduce("5", 400, 10)["rows"];
  EXPECT_TRUE(row(rows, "soft-q", 5)["episodes_simulated"].is_null());
  EXPECT_THAT(row(rows, "soft-q", 5)["note"].get<std::string>(), HasSubstr("not simulated"));
}

TEST(ToyChainTable, BadLengthsAreRefusedAndInterruptsObeyed) {
  for (const int L : {1, 1001}) {
    try {
      reproduce(fmt::format("5,{}", L));
      ADD_FAILURE() << "nothing was refused";
    } catch (const InputError& e) {
      EXPECT_EQ(e.what(), fmt::format("--lengths: must be in 2..1000, got {}", L));
    }
  }
  const std::atomic<bool> interrupt = true;
  ReproductionOptions options;
  options.interrupt = &interrupt;
  EXPECT_THROW(reproduce("5", 1, 0, options), Interrupted);
}

}  // namespace
}  // namespace vapor
