#include "vapor/report/study.h"

#include <gmock/gmock.h>

#include "tests/record/temporary_folder.h"
#include "tests/report/recorded_run.h"

namespace vapor {
namespace {

using test_support::RecordedRun;
using test_support::write_run;
using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;

class StudyTest : public test_support::FolderTest {
 protected:
  // Every run in a folder of its own: 0000, 0001, ...
  void add(const RecordedRun& run) {
    std::string number = std::to_string(count_++);
    number.insert(0, 4 - number.size(), '0');
    write_run(path("runs/" + number), run);
  }
  void add(RecordedRun run, int seeds) {
    for (int seed = 1; seed <= seeds; ++seed) {
      run.seed = static_cast<std::uint64_t>(seed);
      add(run);
    }
  }

  Studies studies() {
    const std::vector<std::string> paths = {folder_.string()};
    collection_ = collect(paths);
    EXPECT_THAT(collection_.left_out, IsEmpty());
    return studies_of(collection_.runs);
  }
  Study only_study() {
    const Studies all = studies();
    EXPECT_THAT(all.refused, IsEmpty());
    EXPECT_EQ(all.studies.size(), 1u);
    return all.studies.at(0);
  }

 private:
  int count_ = 0;
  Collection collection_;  // that the studies point into
};

std::string depth(int value) { return "deep_sea:depth=" + std::to_string(value); }

TEST_F(StudyTest, AgentsTasksAndSeedsAreFoundFromTheDefinitions) {
  for (const int value : {100, 9, 20})
    for (const char* agent : {"thompson", "vapor-lite", "greedy", "vapor", "vapor:warm=false"})
      add({.env = depth(value), .agent = agent}, 2);
  const Study study = only_study();
  EXPECT_EQ(study.environment, "deep_sea");
  EXPECT_EQ(study.axis, "depth");
  EXPECT_EQ(study.beliefs.at(0).spec, "tabular");
  EXPECT_EQ(study.stop, "never");
  EXPECT_EQ(study.episodes, 4);
  EXPECT_EQ(study.measure, Measure::kRegret);
  EXPECT_THAT(study.agents,
              ElementsAre("vapor", "vapor:warm=false", "vapor-lite", "greedy", "thompson"));
  EXPECT_THAT(study.tasks, ElementsAre("9", "20", "100"));
  EXPECT_EQ(study.cells.size(), 15u);
  EXPECT_EQ(study.unfinished, 0u);
  EXPECT_EQ(study.folder, test_support::fs::canonical(path("runs")));
  EXPECT_EQ(study.shape(), "5 agents x 3 depths x 2 seeds");
  const StudyCell* cell = study.cell("greedy", "20");
  ASSERT_NE(cell, nullptr);
  EXPECT_EQ(cell->number, 20.0);
  ASSERT_EQ(cell->seeds.size(), 2u);
  EXPECT_EQ(cell->seeds[0]->run.definition["seed"], 1);
  EXPECT_EQ(cell->seeds[1]->run.definition["seed"], 2);
  EXPECT_THAT(measured(study, *cell), ElementsAre(104.0, 108.0));
  EXPECT_EQ(study.cell("greedy", "21"), nullptr);
}

TEST_F(StudyTest, WhereNothingVariesTheTaskIsTheEnvironment) {
  add({});
  const Study study = only_study();
  EXPECT_EQ(study.axis, "");
  EXPECT_THAT(study.tasks, ElementsAre("deep_sea:depth=10"));
  EXPECT_EQ(study.shape(), "1 agent x 1 environment x 1 seed");
  EXPECT_THAT(study.folder, EndsWith("runs/0000"));
}

TEST_F(StudyTest, ASettingThatIsAPluralIsNotCountedByItsName) {
  add({.env = "river_swim:states=6"});
  add({.env = "river_swim:states=12"});
  EXPECT_EQ(only_study().shape(), "1 agent x 2 values of states x 1 seed");
}

TEST_F(StudyTest, MeasuresFollowFromTheRuleByWhichRunsStop) {
  add({.episodes = 9, .seed = 1, .stop = "solved", .played = 3, .success_at = 3});
  add({.episodes = 9, .seed = 2, .stop = "solved", .played = 9});
  add({.episodes = 9, .seed = 1, .stop = "covered", .played = 5});
  add({.episodes = 9, .seed = 2, .stop = "covered", .played = 9});
  const Studies all = studies();
  ASSERT_EQ(all.studies.size(), 2u);
  EXPECT_EQ(all.studies[0].measure, Measure::kCovered);
  EXPECT_THAT(measured(all.studies[0], all.studies[0].cells.at(0)), ElementsAre(5.0, 9.0));
  EXPECT_EQ(all.studies[1].measure, Measure::kSolved);
  EXPECT_THAT(measured(all.studies[1], all.studies[1].cells.at(0)), ElementsAre(3.0, 9.0));
}

TEST_F(StudyTest, WhatMayNotStandInOneFigureIsAnotherStudy) {
  add({});
  add({.stop = "covered"});
  add({.episodes = 3, .played = 3});
  add({.env = "deep_sea"});
  add({.env = "deep_sea:depth=10,stochastic=true"});
  add({.env = "deep_sea:depth=10,stochastic=false"});
  add({.env = "four_rooms:depth=10"});
  const Studies all = studies();
  EXPECT_EQ(all.studies.size(), 7u);
  EXPECT_THAT(all.refused, IsEmpty());
}

TEST_F(StudyTest, BeliefsAreComparedInOneStudy) {
  for (const std::uint64_t seed : {1, 2}) {
    add({.agent = "vapor", .belief = "tabular:mass=1,transform=paper", .seed = seed});
    add({.agent = "vapor", .belief = "tabular:mass=1", .seed = seed});
    add({.agent = "thompson", .belief = "tabular:mass=1", .seed = seed});
  }
  const Studies all = studies();
  ASSERT_EQ(all.studies.size(), 1u);
  EXPECT_THAT(all.studies[0].agents, ElementsAre("vapor, tabular:mass=1", "vapor, transform=paper",
                                                 "thompson, tabular:mass=1"));
  EXPECT_THAT(all.refused, IsEmpty());
  for (const StudyCell& cell : all.studies[0].cells) EXPECT_EQ(cell.seeds.size(), 2u);
}

TEST_F(StudyTest, TwoSettingsThatVaryAreRefusedByName) {
  add({.env = "deep_sea:depth=10,move_cost=0.01"});
  add({.env = "deep_sea:depth=20,move_cost=0.02"});
  add({.env = "deep_sea:depth=30,move_cost=0.02", .played = 1, .finished = false});
  add({.env = "toy_chain:length=4"});
  const Studies all = studies();
  EXPECT_EQ(all.studies.size(), 1u);
  ASSERT_EQ(all.refused.size(), 3u);
  for (const LeftOut& out : all.refused)
    EXPECT_EQ(out.reason,
              "depth and move_cost vary among the runs of deep_sea that would be one study; report "
              "folders in which only one of them varies");
  EXPECT_THAT(all.refused[0].path, EndsWith("runs/0000"));
}

TEST_F(StudyTest, ASettingThatIsTheSameEverywhereDoesNotVary) {
  add({.env = "deep_sea:depth=10,move_cost=0.010"});
  add({.env = "deep_sea:move_cost=1e-2,depth=20"});
  const Study study = only_study();
  EXPECT_EQ(study.axis, "depth");
  EXPECT_THAT(study.tasks, ElementsAre("10", "20"));
}

// How often snapshots were taken, and how a number is written, make no other run.
TEST_F(StudyTest, ARunInTwoFoldersCountsOnce) {
  add({.env = "deep_sea:depth=10"});
  add({.env = "deep_sea:depth=10.0", .snapshot_every = 2});
  add({.env = "deep_sea:depth=10", .seed = 2, .snapshot_every = 2});
  const Studies all = studies();
  ASSERT_EQ(all.studies.size(), 1u);
  EXPECT_EQ(all.studies[0].shape(), "1 agent x 1 environment x 2 seeds");
  ASSERT_EQ(all.refused.size(), 1u);
  EXPECT_THAT(all.refused[0].path, EndsWith("runs/0001"));
  EXPECT_THAT(all.refused[0].reason,
              AllOf(HasSubstr("has the definition and the seed of"), HasSubstr("runs/0000;")));
}

TEST_F(StudyTest, UnfinishedRunsAreCountedAndNotMeasured) {
  add({}, 3);
  add({.seed = 4, .played = 2, .finished = false});
  add({.env = "deep_sea:depth=20", .seed = 1, .played = 2, .finished = false});
  const Study study = only_study();
  EXPECT_EQ(study.unfinished, 2u);
  EXPECT_EQ(study.axis, "");
  EXPECT_EQ(study.shape(), "1 agent x 1 environment x 3 seeds");
}

TEST_F(StudyTest, UnfinishedRunsAloneAreNoStudy) {
  add({.played = 2, .finished = false});
  const Studies all = studies();
  EXPECT_THAT(all.studies, IsEmpty());
  ASSERT_EQ(all.refused.size(), 1u);
  EXPECT_EQ(all.refused[0].reason, "is not finished, nor is any run like it");
}

// A sum over some of the episodes is not the regret of the run.
TEST_F(StudyTest, FinishedRunsThatLostEpisodesAreRefused) {
  add({.seed = 1, .played = 3});
  add({.seed = 2, .played = 5});
  add({.seed = 3, .stop = "solved", .played = 3});
  const Studies all = studies();
  EXPECT_THAT(all.studies, IsEmpty());
  ASSERT_EQ(all.refused.size(), 3u);
  EXPECT_EQ(all.refused[0].reason, "episodes.csv: has 3 of 4 episodes, and run.json says finished");
  EXPECT_THAT(all.refused[1].reason, HasSubstr("has 5 of 4 episodes"));
  EXPECT_THAT(all.refused[2].reason, HasSubstr("has 3 of 4 episodes"));
}

TEST_F(StudyTest, ScoresAreAgentsByTasksBySeeds) {
  for (const char* agent : {"thompson", "vapor"})
    for (const int value : {10, 20}) add({.env = depth(value), .agent = agent}, 3);
  const StudyScores scores = scores_of(only_study());
  EXPECT_EQ(scores.refused, "");
  ASSERT_EQ(scores.agents.size(), 2u);
  EXPECT_EQ(scores.agents[0].agent(), "vapor");
  EXPECT_THAT(scores.agents[1].tasks(), ElementsAre("10", "20"));
  EXPECT_THAT(scores.agents[1].of_task(1), ElementsAre(104.0, 108.0, 112.0));
}

TEST_F(StudyTest, RaggedDataIsNamedAndRefused) {
  for (const char* agent : {"thompson", "vapor"})
    for (const int value : {10, 20}) add({.env = depth(value), .agent = agent}, 3);
  add({.env = depth(40), .agent = "vapor"}, 3);
  add({.env = depth(40), .agent = "thompson"}, 1);
  const Study one = only_study();
  EXPECT_EQ(one.shape(), "ragged: thompson has 1 seed at depth 40, 3 elsewhere");
  EXPECT_EQ(scores_of(one).refused, "thompson has 1 seed at depth 40, 3 elsewhere");
  EXPECT_THAT(scores_of(one).agents, IsEmpty());

  add({.env = depth(10), .agent = "ucbvi"}, 2);
  const Study several = only_study();
  EXPECT_EQ(several.shape(),
            "ragged: thompson has 1 seed at depth 40, ucbvi has 2 seeds at depth 10, ucbvi has 0 "
            "seeds at depth 20, 1 more cell differs too, 3 elsewhere");
  EXPECT_EQ(several.cell("ucbvi", "20"), nullptr);
}

// Of two numbers of seeds that are as common, the larger is what was meant.
TEST_F(StudyTest, TheAgentWithFewerSeedsIsTheRaggedOne) {
  add({.agent = "thompson"}, 2);
  add({.agent = "vapor"}, 1);
  EXPECT_EQ(only_study().shape(), "ragged: vapor has 1 seed at deep_sea:depth=10, 2 elsewhere");
}

TEST_F(StudyTest, DefinitionsThatMeanNothingHereAreRefused) {
  add({.env = "deep_sea:depth"});
  add({.stop = "tired"});
  add({.seed = UINT64_MAX});
  RunHeader header = test_support::header_of({});
  header.definition.erase("agent");
  RunFolder(path("runs/nobody"), header).finish();
  const Studies all = studies();
  EXPECT_EQ(all.studies.size(), 1u);  // the largest seed is one
  ASSERT_EQ(all.refused.size(), 3u);
  EXPECT_THAT(all.refused[0].reason, HasSubstr("definition: env: must be name:key=value"));
  EXPECT_THAT(all.refused[1].reason,
              HasSubstr("stop: must be never, solved or covered, got tired"));
  EXPECT_EQ(all.refused[2].reason, "definition: agent: must be a string");
}

TEST_F(StudyTest, AFieldThatIsNotKnownHereKeepsRunsApart) {
  for (const int width : {1, 2}) {
    RunHeader header = test_support::header_of({.episodes = 1});
    header.definition["width"] = width;
    RunFolder folder(path("runs/" + std::to_string(width)), header);
    folder.append(std::vector{1.0, 1.0, 1.0, 0.0}, 0.1);
    folder.finish();
  }
  EXPECT_EQ(studies().studies.size(), 2u);
}

}  // namespace
}  // namespace vapor
