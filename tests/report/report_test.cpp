#include "vapor/report/report.h"

#include <gmock/gmock.h>

#include <set>

#include "tests/report/recorded_study.h"

namespace vapor {
namespace {

using test_support::contents;
using test_support::write_contents;
using testing::HasSubstr;
using testing::Not;
namespace fs = std::filesystem;

class Report : public test_support::StudyTest {
 protected:
  ReportSummary report(const std::string& out = "report") {
    const std::vector<std::string> paths = {path("runs")};
    return write_report(paths, path(out));
  }

  std::string refused(const std::string& out = "report") {
    return complaint([&] { report(out); });
  }

  void record_study() {
    for (const std::uint64_t seed : {1, 2})
      for (const int depth : {10, 20}) {
        record_solved("vapor", depth, seed, 5);
        record_solved("ucbvi", depth, seed, 9);
      }
  }
};

TEST_F(Report, WritesThePageAndTheDataOfEveryFigure) {
  record_study();
  const ReportSummary summary = report();
  EXPECT_EQ(summary.page, path("report/index.html"));
  EXPECT_EQ(summary.runs, 8u);
  EXPECT_EQ(summary.studies, 1u);
  EXPECT_EQ(summary.figures, 3u);
  EXPECT_TRUE(summary.left_out.empty());
  const std::string page = contents(summary.page);
  EXPECT_EQ(page.size(), summary.bytes);
  EXPECT_THAT(page, HasSubstr("8 runs of 2 agents in deep_sea (seeds 1-2)."));
  for (const char* figure : {"deep-sea-time", "deep-sea-iqm", "deep-sea-improvement"}) {
    EXPECT_THAT(page, HasSubstr("<figure id=\"" + std::string(figure) + "\""));
    EXPECT_THAT(page, HasSubstr("href=\"data/" + std::string(figure) + ".csv\""));
    EXPECT_TRUE(fs::exists(path("report/data/" + std::string(figure) + ".csv"))) << figure;
  }
  const std::string runs = contents(path("report/data/runs.csv"));
  EXPECT_EQ(std::count(runs.begin(), runs.end(), '\n'), 9);
}

// What an experiment says in one sentence comes first, and is text.
TEST_F(Report, FindingsBeginWithTheirHeadline) {
  record_study();
  write_contents(path("runs/findings.json"),
                 R"({"experiment": "x", "headline": "a <b> is first", "rows": [{"a": 1}]})");
  const std::string page = contents(report().page);
  const std::size_t headline = page.find("a &lt;b&gt; is first");
  ASSERT_NE(headline, std::string::npos);
  EXPECT_LT(headline, page.find("What vapor reproduce found"));
}

TEST_F(Report, HostileNamesStayText) {
  record_solved("</script><img src=x onerror=alert(1)>", 10, 1, 5);
  record_solved("vapor", 10, 1, 5);
  const std::string page = contents(report().page);
  EXPECT_THAT(page, Not(HasSubstr("</script><img")));
  EXPECT_THAT(page, Not(HasSubstr("<img src=x")));
  EXPECT_THAT(page, HasSubstr("&lt;/script&gt;&lt;img"));
}

TEST_F(Report, WhatCannotBeReadIsNamedAndTheRestIsShown) {
  record_study();
  fs::create_directories(path("runs/broken"));
  write_contents(path("runs/broken/run.json"), "{");
  const ReportSummary summary = report();
  ASSERT_EQ(summary.left_out.size(), 1u);
  EXPECT_THAT(summary.left_out[0].path, HasSubstr("broken"));
  EXPECT_EQ(summary.figures, 3u);
  EXPECT_THAT(contents(summary.page), HasSubstr("id=\"left-out\""));
}

TEST_F(Report, NothingToShowIsAnErrorThatNamesWhatWasLeftOut) {
  fs::create_directories(path("runs/broken"));
  EXPECT_THAT(refused(), HasSubstr("nothing to show in " + path("runs") +
                                   ": no run.json or findings.json below them"));
  write_contents(path("runs/broken/run.json"), "{");
  EXPECT_THAT(refused(), HasSubstr("broken"));
  EXPECT_FALSE(fs::exists(path("report")));
}

TEST_F(Report, APathThatDoesNotExistIsRefusedBeforeAnythingIsWritten) {
  EXPECT_THAT(refused(), HasSubstr("does not exist"));
  EXPECT_FALSE(fs::exists(path("report")));
}

TEST_F(Report, ReplacesAnOlderReportWithItsData) {
  record_study();
  write_contents(path("runs/findings.json"), R"({"experiment": "deep-sea", "rows": [{"a": 1}]})");
  report();
  EXPECT_TRUE(fs::exists(path("report/data/experiment-deep-sea-rows.csv")));
  fs::remove(path("runs/findings.json"));
  write_contents(path("report/index.html.1-0.tmp"), "killed");
  report();
  EXPECT_FALSE(fs::exists(path("report/data/experiment-deep-sea-rows.csv")));
}

// Both were deleted once.
TEST_F(Report, FilesThatThePageDoesNotNameAreNeverDeleted) {
  record_study();
  report();
  write_contents(path("report/data/notes.csv"), "mine");
  EXPECT_THAT(refused(), HasSubstr("data/notes.csv"));
  EXPECT_EQ(contents(path("report/data/notes.csv")), "mine");
  fs::create_directories(path("precious"));
  write_contents(path("precious/mine.csv"), "mine");
  fs::remove_all(path("report/data"));
  fs::create_directory_symlink(path("precious"), path("report/data"));
  EXPECT_THAT(refused(), HasSubstr("a link in place of its folder data"));
  EXPECT_EQ(contents(path("precious/mine.csv")), "mine");
}

// It wrote to the root of the file system once.
TEST_F(Report, AnEmptyNameIsNoFolder) {
  record_study();
  const std::vector<std::string> paths = {path("runs")};
  EXPECT_THAT(complaint([&] { write_report(paths, ""); }), HasSubstr("must name a folder"));
}

TEST_F(Report, ASeedThatIsNoneLeavesItsRunOut) {
  record_study();
  test_support::write_run(path("runs/odd"), {});
  const std::string file = path("runs/odd/run.json");
  std::string text = contents(file);
  text = text.substr(0, text.find(",\n  \"files\"")) + "\n}\n";  // without checksums
  text.replace(text.find("\"seed\": "), 8, "\"seed\": \"x\", \"was\": ");
  write_contents(file, text);
  const ReportSummary summary = report();
  ASSERT_EQ(summary.left_out.size(), 1u);
  EXPECT_THAT(summary.left_out[0].reason, HasSubstr("seed"));
  EXPECT_THAT(summary.left_out[0].path, HasSubstr("odd"));
}

TEST_F(Report, TablesOfSimilarOrLongNamesHaveFilesOfTheirOwn) {
  const std::string name(3000, 'x');
  fs::create_directories(path("runs"));
  write_contents(path("runs/findings.json"),
                 R"({"experiment": ")" + name +
                     R"(", "a b": [{"n": 1}], "a_b": [{"n": 2}], "a-b": [{"n": 3}]})");
  EXPECT_EQ(report().figures, 3u);
  std::set<std::string> tables;
  for (const fs::directory_entry& file : fs::directory_iterator(path("report/data")))
    tables.insert(contents(file.path()));
  EXPECT_TRUE(tables.contains("n\n1\n"));
  EXPECT_TRUE(tables.contains("n\n2\n"));
  EXPECT_TRUE(tables.contains("n\n3\n"));
}

TEST_F(Report, AFolderOfOtherFilesIsLeftAlone) {
  record_study();
  fs::create_directories(path("mine"));
  report("mine");  // an empty one is fine
  write_contents(path("mine/notes.txt"), "x");
  EXPECT_THAT(refused("mine"), HasSubstr("holds \"notes.txt\""));
  fs::create_directories(path("site/data"));
  write_contents(path("site/index.html"), "<p>my own");
  EXPECT_THAT(refused("site"), HasSubstr("has not made"));
  EXPECT_EQ(contents(path("site/index.html")), "<p>my own");
  report("other");
  write_contents(path("other/data/mine.txt"), "x");
  EXPECT_THAT(refused("other"), HasSubstr("data/mine.txt"));
  write_contents(path("file"), "x");
  EXPECT_THAT(refused("file"), HasSubstr("is not a folder"));
}

TEST_F(Report, StudiesOfOneEnvironmentAreToldApart) {
  record_study();
  test_support::RecordedRun run;
  run.env = "deep_sea:depth=10";
  run.stop = "covered";
  run.episodes = 100;
  run.played = 5;
  record(run);
  const ReportSummary summary = report();
  EXPECT_EQ(summary.studies, 2u);
  const std::string page = contents(summary.page);
  EXPECT_THAT(page, HasSubstr(">Coverage time in deep_sea</h2>"));
  EXPECT_THAT(page, HasSubstr("<figure id=\"deep-sea-2-time\""));
}

TEST_F(Report, FiguresOfAnExperimentNameItsCommand) {
  record_study();
  write_contents(path("runs/findings.json"),
                 R"({"experiment": "deep-sea", "command": "vapor reproduce deep-sea"})");
  const std::string page = contents(report().page);
  EXPECT_THAT(page, HasSubstr("Part of the experiment deep-sea."));
  EXPECT_THAT(page, HasSubstr("<span>vapor</span> <span>reproduce</span> <span>deep-sea</span>"));
  EXPECT_THAT(page, HasSubstr("<span>deep_sea:depth={10,20}</span>"));
  // Once in the section, and not once a figure.
  const std::string box = "<pre><span>vapor</span> <span>reproduce</span>";
  const std::string section = page.substr(0, page.find("</section>"));
  ASSERT_NE(section.find(box), std::string::npos);
  EXPECT_EQ(section.find(box), section.rfind(box));
}

TEST_F(Report, RunsAndTrainingsStandOnOnePage) {
  record_study();
  test_support::write_training(path("runs/catch/seed-1"),
                               {.env = "catch", .returns = {1.0, 0.0}, .ends = {10.0, 20.0}});
  test_support::write_training(path("runs/sea/seed-2"), {.returns = {0.0, 1.0}, .seed = 2});
  const ReportSummary summary = report();
  EXPECT_EQ(summary.runs, 8u);
  EXPECT_EQ(summary.trainings, 2u);
  EXPECT_EQ(summary.studies, 1u);
  EXPECT_EQ(summary.figures, 5u);
  EXPECT_TRUE(summary.left_out.empty());
  const std::string page = contents(summary.page);
  EXPECT_THAT(page, HasSubstr("8 runs of 2 agents in deep_sea (seeds 1-2) and 2 trainings of 1 "
                              "agent in catch and deep_sea (seeds 1-2)."));
  for (const char* figure : {"deep-sea-time", "trainings-frames", "trainings-episodes"})
    EXPECT_THAT(page, HasSubstr("<figure id=\"" + std::string(figure) + "\""));
  EXPECT_TRUE(fs::exists(path("report/data/trainings-frames.csv")));
  const std::string runs = contents(path("report/data/runs.csv"));
  EXPECT_EQ(std::count(runs.begin(), runs.end(), '\n'), 11);
}

TEST_F(Report, TrainingsThatStopWhenSolvedHaveALearningTime) {
  for (const int depth : {10, 20}) {
    std::vector<double> returns(120, 0.0);
    std::fill(returns.end() - 12, returns.end(), 1.0);  // a tenth of the episodes at the last
    test_support::write_training(path("runs/" + std::to_string(depth)),
                                 {.env = "deep_sea:depth=" + std::to_string(depth),
                                  .cap = 1000,
                                  .returns = returns,
                                  .stop = "solved"});
  }
  const ReportSummary summary = report();
  EXPECT_EQ(summary.studies, 1u);
  EXPECT_TRUE(summary.left_out.empty());
  const std::string page = contents(summary.page);
  EXPECT_THAT(page, HasSubstr(">Learning time of trainings in deep_sea</h2>"));
  EXPECT_THAT(page, HasSubstr("Solved is the first episode, 100 or later, at which"));
  EXPECT_THAT(page, HasSubstr("Mean episodes until solved at depth 20: vapor-lite 120."));
  EXPECT_THAT(contents(path("report/data/deep-sea-time.csv")),
              HasSubstr("vapor-lite,10,1,120,109,120,,0.1,,"));  // no regret, and no value
}

// A copy, and a training that has only begun.
TEST_F(Report, TrainingsThatCannotBeDrawnAreNamed) {
  test_support::RecordedTraining training{.returns = {1.0}, .stop = "solved", .finished = false};
  test_support::write_training(path("runs/a"), training);
  test_support::write_training(path("runs/b"), training);
  training.returns.clear();
  training.seed = 2;
  test_support::write_training(path("runs/begun"), training);
  const ReportSummary summary = report();
  EXPECT_EQ(summary.figures, 1u);
  ASSERT_EQ(summary.left_out.size(), 2u);
  EXPECT_THAT(summary.left_out[0].path, testing::EndsWith("runs/b"));
  EXPECT_THAT(summary.left_out[0].reason, HasSubstr("a run counts once"));
  EXPECT_THAT(summary.left_out[1].path, testing::EndsWith("runs/begun"));
  EXPECT_THAT(summary.left_out[1].reason, HasSubstr("no episode is over yet"));
}

TEST_F(Report, FindingsAloneAreAReport) {
  fs::create_directories(path("runs"));
  write_contents(path("runs/findings.json"),
                 R"({"experiment": "toy-chain", "rows": [{"agent": "vapor", "episodes": 1}]})");
  const ReportSummary summary = report();
  EXPECT_EQ(summary.experiments, 1u);
  EXPECT_EQ(summary.figures, 1u);
  EXPECT_THAT(contents(summary.page), HasSubstr("Experiment toy-chain"));
}

}  // namespace
}  // namespace vapor
