#include "vapor/run/regret_curves.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <numeric>

#include "tests/record/temporary_folder.h"
#include "vapor/agent/registry.h"
#include "vapor/env/registry.h"
#include "vapor/run/beliefs.h"
#include "vapor/mdp/backward_induction.h"
#include "vapor/record/run_record.h"

namespace vapor {
namespace {

using nlohmann::ordered_json;
using testing::HasSubstr;
namespace fs = test_support::fs;

class RegretCurves : public test_support::FolderTest {
 protected:
  ReproductionOptions into(const std::string& name) const {
    ReproductionOptions options;
    options.out = path(name);
    return options;
  }

  // Two seeds, two agents.
  static RegretStudy small() {
    RegretStudy study = regret_quick();
    study.agents = {"vapor", "thompson"};
    study.seeds = 2;
    study.episodes = 40;
    study.checkpoints = {10, 20};
    return study;
  }
};

// log 8 = 2.0794415. N = 1, L = 2, S = 4, A = 2: 2 x 1.25 x 2 x 8 log 8 = 83.178, and with
// 3.6^2 x 1.25 + 4 = 20.2 in place of 1.25, 1344.15. The others: N = 1000, L = 4, S = 16, A = 3.
TEST(RegretBound, IsTheFormulaOfTheProof) {
  RegretBound bound = {.layers = 2, .states = 4, .actions = 2};
  EXPECT_NEAR(bound.at(1), 9.1201788, 1e-7);
  bound.known_dynamics = false;
  EXPECT_NEAR(bound.at(1), 36.662665, 1e-6);
  bound = {.layers = 4, .states = 16, .actions = 3};
  EXPECT_NEAR(bound.at(1000), 3833.276002, 1e-6);
  bound.known_dynamics = false;
  EXPECT_NEAR(bound.at(1000), 19455.527916, 1e-6);
}

// Two arms with uniform means: a player who never learns loses 1/6 an episode, 333 of 2000, and the
// bound is sqrt(2 x 1.25 x 2000 x 2 log 2 x (1 + log 2000)) = 244.
TEST_F(RegretCurves, TheBoundHoldsForVaporAndIsBrokenByWhoDoesNotLearn) {
  RegretStudy study = regret_quick();
  study.agents = {"vapor", "epsilon-greedy:epsilon=1"};
  study.dynamics = {"known"};
  study.layers = study.states = 1;
  study.actions = 2;
  study.seeds = 40;
  study.episodes = 2000;
  study.checkpoints = {2000};
  const Findings findings = reproduce_regret(study, into("runs"));
  ASSERT_EQ(findings["rows"].size(), 2u);
  const ordered_json& vapor = findings["rows"][0];
  const ordered_json& uniform = findings["rows"][1];
  EXPECT_LT(vapor["bound"], vapor["most_possible"]);
  EXPECT_EQ(vapor["below_bound"], true) << vapor;
  EXPECT_EQ(uniform["below_bound"], false) << uniform;
  EXPECT_NEAR(uniform["regret_per_episode"].get<double>(), 1.0 / 6.0,
              4.0 * uniform["bayes_regret_se"].get<double>() / 2000.0);
  EXPECT_EQ(findings["proven_bounds_tested"], 1);
  EXPECT_EQ(findings["proven_bounds_hold"], true);
}

// At this length the bounds are above all that can be lost, and say nothing.
TEST_F(RegretCurves, ABoundAboveEverythingIsNotCounted) {
  const Findings findings = reproduce_regret(regret_quick(), into("runs"));
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
  const RegretStudy study = small();
  const Findings findings = reproduce_regret(study, into("runs"));
  const ordered_json& row = findings["rows"][1];
  EXPECT_EQ(row["agent"], "vapor");
  EXPECT_EQ(row["dynamics"], "known");
  ASSERT_EQ(row["episodes"], 20);
  double sum[2] = {0.0, 0.0};
  for (int k : {0, 1}) {
    const RunRecord record =
        read_run(path(fmt::format("runs/known/vapor/within-40/seed-{}", k + 1)));
    for (int t = 0; t < 20; ++t) sum[k] += record.episodes.column("regret")[t];
  }
  EXPECT_NEAR(row["bayes_regret"].get<double>(), (sum[0] + sum[1]) / 2.0, 1e-12);
  EXPECT_NEAR(row["bayes_regret_se"].get<double>(), std::abs(sum[0] - sum[1]) / 2.0, 1e-12);

  const fs::path csv = path("runs/known/vapor/within-40/seed-1/episodes.csv");
  const std::string text = test_support::contents(csv);
  const auto second = text.find('\n', text.find('\n') + 1);
  test_support::write_contents(
      csv, text.substr(0, text.find('\n')) + "\n1,0,0,1000,0" + text.substr(second));
  const double altered = reproduce_regret(study, into("runs"))["rows"][1]["bayes_regret"];
  EXPECT_NEAR(altered - row["bayes_regret"].get<double>(), 500.0, 5.0);
}

// V*, and V of the played policy, by backward recursion in the true model.
TEST_F(RegretCurves, RegretIsExactlyExpectedRegret) {
  reproduce_regret(small(), into("runs"));
  for (const char* agent : {"vapor", "thompson"}) {
    const RunRecord record = read_run(path(fmt::format("runs/unknown/{}/within-40/seed-2", agent)));
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

TEST_F(RegretCurves, BadOptionsAreNamed) {
  const auto refused = [&](const auto& change) {
    RegretStudy study = small();
    change(study);
    return complaint([&] { reproduce_regret(study, into("runs")); });
  };
  EXPECT_THAT(refused([](RegretStudy& s) { s.dynamics = {"knwon"}; }), HasSubstr("--dynamics"));
  EXPECT_THAT(refused([](RegretStudy& s) { s.agents = {"vapr"}; }), HasSubstr("vapor?"));
  EXPECT_THAT(refused([](RegretStudy& s) { s.seeds = 0; }), HasSubstr("--seeds"));
  EXPECT_THAT(refused([](RegretStudy& s) { s.episodes = 0; }), HasSubstr("--episodes"));
  EXPECT_FALSE(fs::exists(path("runs")));
}

}  // namespace
}  // namespace vapor
