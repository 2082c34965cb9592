#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>

#include "tests/experiments/small_study.h"
#include "vapor/agent/registry.h"
#include "vapor/env/registry.h"
#include "vapor/mdp/backward_induction.h"
#include "vapor/record/run_record.h"
#include "vapor/run/beliefs.h"

namespace vapor {
namespace {

using nlohmann::ordered_json;
using test_support::Given;
using test_support::with;
using testing::HasSubstr;
namespace fs = test_support::fs;

// Two seeds, two agents; rows at 10, 30 and 40 episodes.
const Given kSmallRegret = {{"--agents", "vapor,thompson"}, {"--seeds", "2"}, {"--episodes", "40"}};

class RegretCurves : public test_support::ExperimentTest {
 protected:
  std::string folder(const std::string& dynamics, const std::string& agent, int seed) const {
    const bool known = dynamics == "known";
    return path(fmt::format(
        "out/random_mdp-layers=3-states=3-actions=2{}/{}+tabular-repeat=1-transform={}/within-40/"
        "seed-{}",
        known ? "-known_dynamics=true" : "", agent, known ? "known" : "paper", seed));
  }
};

// log 8 = 2.0794415. N = 1, L = 2, S = 4, A = 2: 2 x 1.25 x 2 x 8 log 8 = 83.178, and with
// 3.6^2 x 1.25 + 4 = 20.2 in place of 1.25, 1344.15.
TEST_F(RegretCurves, TheBoundIsTheFormulaOfTheProof) {
  const Findings findings = reproduce("regret", {{"--agents", "thompson"},
                                                 {"--layers", "2"},
                                                 {"--states", "2"},
                                                 {"--actions", "2"},
                                                 {"--seeds", "1"},
                                                 {"--episodes", "1"}});
  ASSERT_EQ(findings["rows"].size(), 2u);
  EXPECT_NEAR(findings["rows"][0]["bound"].get<double>(), 9.1201788, 1e-7);
  EXPECT_NEAR(findings["rows"][1]["bound"].get<double>(), 36.662665, 1e-6);
}

// N = 10, L = 4, S = 16, A = 3, where S counts the states of all layers together:
// sqrt(2 x 1.25 x 10 x 4 x 48 log 48 x (1 + log 10)) and sqrt(32.2 / 1.25) times that.
TEST_F(RegretCurves, TheBoundCountsTheStatesOfAllLayers) {
  const Findings findings = reproduce("regret", {{"--agents", "thompson"},
                                                 {"--layers", "4"},
                                                 {"--states", "4"},
                                                 {"--actions", "3"},
                                                 {"--seeds", "1"},
                                                 {"--episodes", "10"}});
  const double known = std::sqrt(100.0 * 48.0 * std::log(48.0) * (1.0 + std::log(10.0)));
  EXPECT_NEAR(findings["rows"][0]["bound"].get<double>(), known, 1e-9);
  EXPECT_NEAR(findings["rows"][1]["bound"].get<double>(), known * std::sqrt(32.2 / 1.25), 1e-9);
}

// Two arms with uniform means: a player who never learns loses 1/6 an episode, 333 of 2000, and the
// bound is sqrt(2 x 1.25 x 2000 x 2 log 2 x (1 + log 2000)) = 244.
TEST_F(RegretCurves, TheBoundHoldsForVaporAndIsBrokenByWhoDoesNotLearn) {
  const Findings findings = reproduce("regret", {{"--agents", "vapor,epsilon-greedy:epsilon=1"},
                                                 {"--dynamics", "known"},
                                                 {"--layers", "1"},
                                                 {"--states", "1"},
                                                 {"--actions", "2"},
                                                 {"--seeds", "40"},
                                                 {"--episodes", "2000"}});
  ASSERT_EQ(findings["rows"].size(), 2u * 6u);
  const ordered_json& vapor = findings["rows"][5];
  const ordered_json& uniform = findings["rows"][11];
  EXPECT_LT(vapor["bound"], vapor["most_possible"]);
  EXPECT_EQ(vapor["below_bound"], true) << vapor;
  EXPECT_EQ(uniform["below_bound"], false) << uniform;
  EXPECT_NEAR(uniform["regret_per_episode"].get<double>(), 1.0 / 6.0,
              4.0 * uniform["bayes_regret_se"].get<double>() / 2000.0);
  EXPECT_GE(findings["proven_bounds_tested"], 1);
  EXPECT_EQ(findings["proven_bounds_hold"], true);
}

// At this length the bounds are above all that can be lost, and say nothing.
TEST_F(RegretCurves, ABoundAboveEverythingIsNotCounted) {
  const Findings findings = reproduce("regret", {});
  EXPECT_EQ(findings["proven_bounds_tested"], 0);
  EXPECT_EQ(findings["rows"].size(), 7u * 2u * 3u) << "episodes 10, 30 and 100";
  for (const ordered_json& row : findings["rows"]) {
    EXPECT_EQ(row["below_bound"], true) << row;
    EXPECT_GT(row["bayes_regret"], 0.0) << row;
    const bool proven = row["agent"] == "vapor" ||
                        (row["agent"] == "conditional-optimality" && row["dynamics"] == "known");
    EXPECT_EQ(row["bound_proven_by"].is_null(), !proven) << row;
  }
}

TEST_F(RegretCurves, RowsAreReadFromRecords) {
  const Findings findings = reproduce("regret", kSmallRegret);
  const ordered_json& row = findings["rows"][1];
  EXPECT_EQ(row["agent"], "vapor");
  EXPECT_EQ(row["dynamics"], "known");
  ASSERT_EQ(row["episodes"], 30);
  double sum[2] = {0.0, 0.0};
  for (int k : {0, 1}) {
    const RunRecord record = read_run(folder("known", "vapor", k + 1));
    for (int t = 0; t < 30; ++t) sum[k] += record.episodes.column("regret")[t];
  }
  EXPECT_NEAR(row["bayes_regret"].get<double>(), (sum[0] + sum[1]) / 2.0, 1e-12);
  EXPECT_NEAR(row["bayes_regret_se"].get<double>(), std::abs(sum[0] - sum[1]) / 2.0, 1e-12);

  const fs::path csv = folder("known", "vapor", 1) + "/episodes.csv";
  const std::string text = test_support::contents(csv);
  const auto second = text.find('\n', text.find('\n') + 1);
  test_support::write_contents(
      csv, text.substr(0, text.find('\n')) + "\n1,0,0,1000,0" + text.substr(second));
  EXPECT_THROW(reproduce("regret", kSmallRegret), InputError) << "it has another checksum";
  const fs::path run = folder("known", "vapor", 1) + "/run.json";
  ordered_json unsealed = ordered_json::parse(test_support::contents(run));
  unsealed.erase("files");
  unsealed.erase("checksum");
  test_support::write_contents(run, unsealed.dump());
  const double altered = reproduce("regret", kSmallRegret)["rows"][1]["bayes_regret"];
  EXPECT_NEAR(altered - row["bayes_regret"].get<double>(), 500.0, 5.0);
}

// V*, and V of the played policy, by backward recursion in the true model.
TEST_F(RegretCurves, RegretIsExactlyExpectedRegret) {
  reproduce("regret", kSmallRegret);
  for (const char* agent : {"vapor", "thompson"}) {
    const RunRecord record = read_run(folder("unknown", agent, 2));
    const Environment env =
        make_environment(Spec("--env", record.run.definition["env"].get<std::string>()), 2);
    const auto player = make_agent(
        Spec("--agent", agent),
        make_belief(Spec("--belief", record.run.definition["belief"].get<std::string>()), env));
    const Problem& model = env.model;
    const std::vector<double> V_star = backward_induction(model, model.reward_mean).V;
    for (int t = 1; t <= 40; ++t) {
      const auto policy = player->policy(RandomStream(2).split("agent").split(t));
      std::vector<double> V(model.shape.states(), 0.0);
      for (Index s = model.shape.states() - 1; s >= 0; --s)
        for (Index p : model.shape.pairs_of(s)) {
          double Q = model.reward_mean[p];
          for (Offset k = model.transitions.begin[p]; k < model.transitions.begin[p + 1]; ++k)
            Q += model.transitions.probability[k] * V[model.transitions.next_state[k]];
          V[s] += policy[p] * Q;
        }
      double regret = 0.0;
      for (Index s : model.shape.states_of(0)) regret += model.initial[s] * (V_star[s] - V[s]);
      ASSERT_NEAR(record.episodes.column("regret")[t - 1], regret, 1e-12) << agent << ", " << t;
      RandomStream random = RandomStream(2).split("play").split(t);
      player->observe(play(env, policy, random));
    }
  }
}

TEST_F(RegretCurves, WhatIsWrongIsNamed) {
  const auto refused = [&](const Given& changes) {
    return refusal("regret", with(kSmallRegret, changes));
  };
  EXPECT_THAT(refused({{"--dynamics", "knwon"}}), HasSubstr("--dynamics"));
  EXPECT_THAT(refused({{"--agents", "vapr"}}), HasSubstr("vapor?"));
  EXPECT_THAT(refused({{"--seeds", "0"}}), HasSubstr("--seeds"));
  EXPECT_THAT(refused({{"--episodes", "0"}}), HasSubstr("--episodes"));
}

}  // namespace
}  // namespace vapor
