// `vapor reproduce stochastic-sea`: what its rows are, from records that are written by hand.
#include <gmock/gmock.h>

#include "tests/experiments/small_study.h"
#include "vapor/record/run_folder.h"

namespace vapor {
namespace {

using nlohmann::ordered_json;
using test_support::Given;

using StochasticSeaStudy = test_support::ExperimentTest;

constexpr int kEpisodes = 200;

struct Told {
  int learns = 0;    // the episode from which on its policy is optimal and takes the goal; 0: never
  double first = 0;  // its return when it first does
};

class ToldStudy : public StochasticSeaStudy {
 protected:
  // Records in which seed 101 + i learns as told, in every environment.
  Findings findings_of(const std::vector<Told>& told) {
    const experiments::Experiment& of = experiments::experiment("stochastic-sea");
    const experiments::Study study =
        study_of(of, "quick", {{"--seeds", std::to_string(told.size())}});
    for (const experiments::Cell& cell : cells_of(study, path("out")))
      for (const SweepCell& run : cell.runs) write(run, told[run.settings.seed - 101]);
    ReproductionOptions options;
    options.out = path("out");
    return experiments::reproduce(of, study, options);
  }

 private:
  static void write(const SweepCell& run, const Told& told) {
    RunFolder record(run.folder, header_of(run.settings));
    for (int episode = 1; episode <= kEpisodes; ++episode) {
      const double good = told.learns > 0 && episode >= told.learns ? 1.0 : 0.0;
      const double reward = episode == told.learns ? told.first : good;
      record.append(std::vector<double>{reward, 0.8 * good, 0.8 * (1.0 - good), good}, 0.001);
    }
    record.finish();
  }
};

// From episode 21 on all is well: 18 of the last 20 episodes are good at episode 38, 10 at 30. A
// return of -0.005 is a reward of 0.005 at the goal, for the way there cost 0.01.
TEST_F(ToldStudy, RowsComeFromTheRecords) {
  const Findings findings = findings_of({{21, 1.5}, {31, -0.005}, {51, -0.5}});
  ASSERT_EQ(findings["rows"].size(), 2u);
  const ordered_json& row = findings["rows"][0];
  EXPECT_EQ(row["agent"], "vapor");
  EXPECT_EQ(row["depth"], 5);
  EXPECT_EQ(row["reached_by_seed"], (std::vector<int>{38, 48, 68}));
  EXPECT_EQ(row["reached_seeds"], 3);
  EXPECT_EQ(row["reached_from"], 38);
  EXPECT_EQ(row["reached_to"], 68);
  EXPECT_DOUBLE_EQ(row["worst_last_fifth"].get<double>(), 1.0);
  EXPECT_EQ(row["first_rewards"], "++-");
  EXPECT_EQ(row["bad_luck"], 1);
  EXPECT_EQ(row["bad_luck_reached"], 1);

  ASSERT_EQ(findings["tenth"].size(), 2u);
  EXPECT_EQ(findings["tenth"][0]["stochastic"], false);
  EXPECT_EQ(findings["tenth"][0]["tenth_by_seed"], (std::vector<int>{30, 40, 60}));
}

// Who never gets there is counted at the cap, and is no part of the span.
TEST_F(ToldStudy, ALostSeedIsSaidToBeLost) {
  const Findings findings = findings_of({{21, 1.5}, {0, 0.0}, {181, -2.0}});
  const ordered_json& row = findings["rows"][0];
  EXPECT_EQ(row["reached_by_seed"], (ordered_json{38, nullptr, 198}));
  EXPECT_EQ(row["reached_seeds"], 2);
  EXPECT_DOUBLE_EQ(row["reached"].get<double>(), (38.0 + 200.0 + 198.0) / 3.0);
  EXPECT_EQ(row["reached_to"], 198);
  EXPECT_EQ(row["first_rewards"], "+0-");
  EXPECT_DOUBLE_EQ(row["worst_last_fifth"].get<double>(), 0.0);
  EXPECT_EQ(findings["tenth"][0]["tenth_by_seed"], (ordered_json{30, nullptr, 190}));
}

}  // namespace
}  // namespace vapor
