// What holds for every experiment.
#include <gmock/gmock.h>

#include "experiments/common/experiment.h"
#include "vapor/core/error.h"
#include "vapor/report/findings.h"

namespace vapor::experiments {
namespace {

const std::string kFolder = std::string(VAPOR_SOURCE_DIR) + "/experiments/";

// The files are those of `vapor sweep`: every environment, agent and belief in them is good.
TEST(EveryExperiment, HasASweepThatVaporSweepTakes) {
  EXPECT_GE(experiments().size(), 8u);
  for (const Experiment& of : experiments()) {
    SCOPED_TRACE(of.name);
    EXPECT_GT(read_sweep(kFolder + of.name + "/sweep.toml").size(), 0u);
    EXPECT_GE(tables_of(of, "full").size(), 1u);
    EXPECT_GE(tables_of(of, "quick").size(), 1u);
    for (const auto& [part, help] : of.parts) EXPECT_GE(tables_of(of, part).size(), 1u);
  }
}

// Of an experiment that says so itself, and of no other.
TEST(EveryExperiment, SaysWhatItIsAndHowItIsPrinted) {
  for (const Experiment& of : experiments()) {
    SCOPED_TRACE(of.name);
    EXPECT_NE(of.summary, "");
    EXPECT_THAT(of.footer, testing::HasSubstr("vapor reproduce " + of.name));
    EXPECT_TRUE(of.print);
    EXPECT_NE(static_cast<bool>(of.findings), static_cast<bool>(of.compute));
  }
  EXPECT_THROW(experiment("deep-see"), InputError);
}

// What was found is stored beside it, in a form that reports read.
TEST(EveryExperiment, HasFindingsThatReportsRead) {
  const Collection collection = collect(std::vector<std::string>{kFolder});
  EXPECT_TRUE(collection.left_out.empty());
  std::map<std::string, const ExperimentFindings*> stored;
  for (const ExperimentFindings& found : collection.findings)
    stored[experiment_name(found)] = &found;
  for (const Experiment& of : experiments()) {
    SCOPED_TRACE(of.name);
    ASSERT_TRUE(stored.contains(of.name));
    EXPECT_FALSE(findings_tables(*stored[of.name], "x").empty());
    EXPECT_THAT(commands_of(*stored[of.name]),
                testing::Each(testing::StartsWith("vapor reproduce")));
  }
}

// What an option was given is what the tables hold.
TEST(EveryExperiment, OptionsChangeTheTables) {
  const Study study = study_of(experiment("regret"), "quick",
                               {{"--layers", "2"},
                                {"--seeds", "3"},
                                {"--first-seed", "8"},
                                {"--episodes", "7"},
                                {"--agents", "vapor-lite:c=2,thompson"}});
  ASSERT_EQ(study.tables.size(), 2u);
  for (const SweepTable& table : study.tables) {
    EXPECT_EQ(table.vary.at("layers"), std::vector<std::string>{"2"});
    EXPECT_EQ(table.seeds, (std::vector<std::uint64_t>{8, 9, 10}));
    EXPECT_EQ(table.request.episodes, 7);
    ASSERT_EQ(table.agents.size(), 2u);
    EXPECT_EQ(table.agents[0].text, "vapor-lite:c=2");
  }
}

}  // namespace
}  // namespace vapor::experiments
