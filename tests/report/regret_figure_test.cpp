#include "vapor/report/regret_figure.h"

#include <gmock/gmock.h>

#include "tests/report/recorded_study.h"

namespace vapor {
namespace {

using nlohmann::ordered_json;
using test_support::rows_where;
using testing::HasSubstr;

class RegretFigure : public test_support::StudyTest {
 protected:
  void record_regret(const std::string& env, const std::string& agent, std::uint64_t seed,
                     std::int64_t episodes = 4) {
    test_support::RecordedRun run;
    run.env = env;
    run.agent = agent;
    run.seed = seed;
    run.episodes = run.played = episodes;
    record(run);
  }

  Figure figure(const std::vector<ExperimentFindings>& findings = {}) {
    PlotStyle style;
    return regret_figure(study(), findings, "r", style);
  }
};

// Episode t of seed s has the regret 10 t + s: after 4 episodes 100 + 4 s.
TEST_F(RegretFigure, SumsTheRegretsAndAveragesOverTheSeeds) {
  record_regret("random_mdp:layers=2", "vapor", 1);
  record_regret("random_mdp:layers=2", "vapor", 3);
  const Figure of = figure();
  ASSERT_EQ(of.picture.rows.size(), 4u);
  EXPECT_EQ(of.picture.at(3, "episode"), 4);
  EXPECT_EQ(of.picture.at(3, "regret"), 108.0);
  EXPECT_EQ(of.picture.at(3, "standard_error"), 4.0);
  EXPECT_EQ(of.picture.at(3, "low"), 100.0);
  EXPECT_EQ(of.picture.at(3, "high"), 116.0);
}

TEST_F(RegretFigure, ThinsThePictureAndTheTableForReaders) {
  record_regret("random_mdp:layers=2", "vapor", 1, 5000);
  const Figure of = figure();
  EXPECT_LE(of.picture.rows.size(), 200u);
  EXPECT_LE(of.table_rows.size(), 8u);
  EXPECT_EQ(of.picture.at(of.table_rows.front(), "episode"), 1);
  EXPECT_EQ(of.picture.at(of.table_rows.back(), "episode"), 5000);
}

TEST_F(RegretFigure, HasAPanelForEachOfFewTasks) {
  for (const char* layers : {"2", "3"})
    record_regret(std::string("random_mdp:layers=") + layers, "vapor", 1);
  const Figure of = figure();
  EXPECT_EQ(of.spec["facet"]["field"], "panel");
  EXPECT_EQ(rows_where(of.picture, "panel", "layers 2").size(), 4u);
  EXPECT_EQ(rows_where(of.picture, "panel", "layers 3").size(), 4u);
}

TEST_F(RegretFigure, DrawsTheBoundOfFindingsThatHoldTheRuns) {
  record_regret("random_mdp:layers=2,known_dynamics=true", "vapor", 1);
  const auto row = [](const char* more, int episodes, double bound) -> ordered_json {
    return {{"agent", "vapor"},
            {"env", std::string("random_mdp:layers=2") + more},
            {"episodes", episodes},
            {"bound", bound},
            {"most_possible", 2 * episodes}};
  };
  const char* known = ",known_dynamics=true";
  const ordered_json findings = {
      {"experiment", "mine"},
      {"rows", {row(known, 2, 50.0), row(known, 4, 70.0), row(known, 4, 70.0), row("", 4, 999.0)}},
      {"columns",
       {{"bound", {{"line", "proven bound for VAPOR"}, {"about", "It is loose."}}},
        {"most_possible", {{"line", "most possible"}}}}}};
  const Figure of = figure({{path(""), findings}});
  const std::vector<std::size_t> bound = rows_where(of.picture, "kind", "bound");
  ASSERT_EQ(bound.size(), 2u);
  EXPECT_EQ(of.picture.at(bound[1], "regret"), 70.0);
  EXPECT_EQ(rows_where(of.picture, "kind", "most_possible").size(), 2u);
  EXPECT_THAT(of.summary, HasSubstr("proven bound for VAPOR 70 at episode 4"));
  EXPECT_THAT(of.caption, testing::Contains("It is loose."));

  const Figure elsewhere = figure({{path("other"), findings}});
  EXPECT_TRUE(rows_where(elsewhere.picture, "kind", "bound").empty());
}

TEST_F(RegretFigure, FindingsOfOtherTypesAreNoBound) {
  record_regret("random_mdp:layers=2", "vapor", 1);
  const Figure of = figure({{path(""),
                             {{"experiment", "mine"},
                              {"rows", {3, {{"episodes", "x"}, {"env", "random_mdp:layers=2"}}}},
                              {"columns", {{"bound", {{"line", "a bound"}}}, {"other", 3}}}}}});
  EXPECT_EQ(of.picture.rows.size(), 4u);
}

}  // namespace
}  // namespace vapor
