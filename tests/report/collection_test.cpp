#include "vapor/report/collection.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "tests/record/ordinary_user.h"
#include "tests/record/temporary_folder.h"
#include "tests/report/recorded_run.h"

namespace vapor {
namespace {

namespace fs = test_support::fs;
using test_support::contents;
using test_support::write_contents;
using test_support::write_run;
using testing::AllOf;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;

class CollectionTest : public test_support::FolderTest {
 protected:
  // run.json as it was before there were checksums, so that it can be edited.
  std::string without_checksums(const std::string& run) const {
    const std::string text = contents(path(run + "/run.json"));
    return text.substr(0, text.find(",\n  \"files\"")) + "\n}\n";
  }

  static Collection all(const std::vector<std::string>& paths) { return collect(paths); }
  Collection all() const { return all({folder_.string()}); }
  std::string canonical(const std::string& name) const { return fs::canonical(path(name)); }

  static std::vector<std::string> folders(const Collection& collection) {
    std::vector<std::string> names;
    for (const RunDigest& run : collection.runs) names.push_back(run.folder);
    return names;
  }

  // The only thing left out, and nothing is kept.
  std::string only_reason() const {
    const Collection collection = all();
    EXPECT_TRUE(collection.empty());
    if (collection.left_out.size() != 1) return std::to_string(collection.left_out.size());
    return collection.left_out.front().reason;
  }
};

TEST_F(CollectionTest, ADigestHasTheNumbersOfTheRun) {
  write_run(path("run"),
            {.env = "chain:length=3", .stop = "solved", .snapshot_every = 2, .success_at = 3});
  const Collection collection = all();
  EXPECT_THAT(collection.left_out, IsEmpty());
  ASSERT_EQ(collection.runs.size(), 1u);
  const RunDigest& run = collection.runs.front();
  EXPECT_EQ(run.folder, canonical("run"));
  EXPECT_EQ(run.run.definition["env"], "chain:length=3");
  EXPECT_TRUE(run.run.finished);
  EXPECT_EQ(run.summary.episodes, 4);
  EXPECT_EQ(run.summary.solved, 3);
  EXPECT_DOUBLE_EQ(run.summary.total_regret.value(), 104.0);
  EXPECT_NEAR(run.summary.ms_per_episode, 1.0, 1e-12);
  EXPECT_THAT(run.regret_so_far, ElementsAre(11.0, 32.0, 63.0, 104.0));
  EXPECT_THAT(run.value, ElementsAre(1.0, 2.0, 3.0, 4.0));
  EXPECT_TRUE(run.has_snapshots);
}

TEST_F(CollectionTest, ATrainingHasItsReturnsAndWhetherItWasSolved) {
  std::vector<double> returns(110, 0.0);
  returns[4] = 1.0;  // a tenth at episode 10, but that is too early
  std::fill(returns.begin() + 95, returns.begin() + 106, 1.0);
  test_support::write_training(path("episodes"), {.cap = 110, .returns = returns});
  test_support::write_training(
      path("frames"),
      {.env = "catch", .cap = 9000, .returns = {3.0, 5.0, -1.0}, .ends = {900.0, 900.0, 6400.0}});
  const Collection collection = all();
  EXPECT_THAT(collection.left_out, IsEmpty());
  ASSERT_EQ(collection.runs.size(), 2u);
  const RunDigest& by_episodes = collection.runs[0];
  ASSERT_TRUE(by_episodes.is_training());
  EXPECT_FALSE(by_episodes.returns.by_frames);
  EXPECT_EQ(by_episodes.summary.episodes, 110);
  EXPECT_EQ(by_episodes.summary.first_success, 5);
  EXPECT_EQ(by_episodes.summary.solved, 105);  // 11 successes until then, which is a tenth
  EXPECT_NEAR(by_episodes.summary.mean_return, 12.0 / 110.0, 1e-12);
  const RunDigest& by_frames = collection.runs[1];
  ASSERT_TRUE(by_frames.is_training());
  EXPECT_TRUE(by_frames.returns.by_frames);
  EXPECT_EQ(by_frames.returns.width, 128);  // 6400 frames are 50 windows of them
  ASSERT_EQ(by_frames.returns.windows.size(), 50u);
  EXPECT_EQ(by_frames.returns.windows[7].episodes, 2);  // 897..1024
  EXPECT_EQ(by_frames.returns.windows[7].mean, 4.0);
  EXPECT_EQ(by_frames.returns.windows[49].mean, -1.0);
  EXPECT_EQ(by_frames.returns.windows[8].episodes, 0);
  EXPECT_EQ(by_frames.summary.solved, std::nullopt);
}

TEST_F(CollectionTest, FramesThatAreNoneLeaveATrainingOut) {
  test_support::write_training(path("run"), {.returns = {1.0}, .ends = {0.0}});
  EXPECT_THAT(only_reason(), HasSubstr("episodes.csv: frames: must be in 1.."));
}

// The sum runs over all episodes, those between the pictured ones too.
TEST_F(CollectionTest, ALongRunIsThinned) {
  write_run(path("run"), {.episodes = 3000, .seed = 0, .played = 1000});
  const RunDigest run = all().runs.at(0);
  const std::vector<std::int64_t> pictured = picture_episodes(3000);
  ASSERT_LT(run.value.size(), pictured.size());
  EXPECT_EQ(run.value.size(), run.regret_so_far.size());
  for (std::size_t i = 0; i < run.value.size(); ++i) {
    const auto t = static_cast<double>(pictured[i]);
    EXPECT_EQ(run.value[i], t);
    EXPECT_EQ(run.regret_so_far[i], 5.0 * t * (t + 1.0));
  }
  EXPECT_GT(pictured[run.value.size()], 1000);
  EXPECT_FALSE(run.has_snapshots);
}

TEST_F(CollectionTest, FindsRecordsHoweverDeepAndOnlyOnce) {
  write_run(path("b/c/d/seed-1"), {});
  write_run(path("b/c/d/seed-2"), {.seed = 2});
  write_run(path("a/seed-1"), {});
  write_run(path("a/snapshots/no"), {});
  write_run(path("a/data/no"), {});
  fs::create_directory_symlink(folder_, path("b/round"));  // a cycle
  fs::create_directory_symlink(path("b/c"), path("again"));
  fs::create_directory_symlink(path("nowhere"), path("dangling"));
  const auto expected =
      ElementsAre(canonical("a/seed-1"), canonical("b/c/d/seed-1"), canonical("b/c/d/seed-2"));
  EXPECT_THAT(folders(all()), expected);
  EXPECT_THAT(folders(all({path("again"), path("b/c/d/seed-2"), path("b/../a/"), path("b")})),
              expected);
  EXPECT_THAT(folders(all({path("a/data")})), ElementsAre(canonical("a/data/no")));
  EXPECT_THAT(all().left_out, IsEmpty());
}

TEST_F(CollectionTest, NoFolderAndAnEmptyFolderDiffer) {
  EXPECT_TRUE(all().empty());
  EXPECT_THAT(all().left_out, IsEmpty());
  EXPECT_EQ(complaint([&] { all({folder_.string(), path("none")}); }),
            path("none") + ": does not exist");
  write_run(path("run"), {});
  EXPECT_THAT(complaint([&] { all({path("run/run.json")}); }),
              AllOf(HasSubstr("run.json: is not a folder"), HasSubstr("name the folder of a run")));
}

TEST_F(CollectionTest, HalfWrittenRunsAreKeptAsUnfinished) {
  write_run(path("run"), {.played = 2, .finished = false});
  write_run(path("begun"), {.seed = 2, .played = 0, .finished = false});
  write_contents(path("run/episodes.csv"), contents(path("run/episodes.csv")) + "3,1,3,3");
  write_contents(path("begun/timing.csv"), "");
  const Collection collection = all();
  EXPECT_THAT(collection.left_out, IsEmpty());
  ASSERT_EQ(collection.runs.size(), 2u);
  EXPECT_FALSE(collection.runs[0].run.finished);
  EXPECT_EQ(collection.runs[0].summary.episodes, 0);
  EXPECT_THAT(collection.runs[0].value, IsEmpty());
  EXPECT_FALSE(collection.runs[1].run.finished);
  EXPECT_EQ(collection.runs[1].summary.episodes, 2);
  EXPECT_THAT(collection.runs[1].value, ElementsAre(1.0, 2.0));
}

TEST_F(CollectionTest, WhatCannotBeReadIsLeftOutWithAReasonAndTheRestIsKept) {
  write_run(path("good"), {});
  for (const char* name : {"broken", "empty", "gone", "newer", "wild"}) write_run(path(name), {});
  write_contents(path("broken/run.json"), "{\"format\": ");
  write_contents(path("empty/episodes.csv"), "");
  fs::remove(path("gone/episodes.csv"));
  std::string text = without_checksums("newer");
  write_contents(path("newer/run.json"),
                 text.replace(text.find("_version\": 2"), 12, "_version\": 3"));
  for (const char* name : {"empty", "wild"})
    write_contents(path(std::string(name) + "/run.json"), without_checksums(name));
  write_contents(path("wild/episodes.csv"), "episode,return,value,regret,success\n1,2,3,x,0\n");
  const Collection collection = all();
  EXPECT_THAT(folders(collection), ElementsAre(canonical("good")));
  const auto out = [&](const char* name, const char* reason) {
    return AllOf(Field(&LeftOut::path, canonical(name)),
                 Field(&LeftOut::reason, testing::StartsWith(reason)));
  };
  EXPECT_THAT(
      collection.left_out,
      ElementsAre(out("broken", "run.json: is not JSON at byte 12"),
                  out("empty", "episodes.csv:1: must name the columns"),
                  out("gone", "holds neither episodes.csv nor trace.csv"),
                  out("newer", "run.json: format_version: is 3; a newer vapor wrote it"),
                  out("wild", "episodes.csv:2: regret: must be a finite number, got \"x\"")));
}

TEST_F(CollectionTest, RunsOfOtherColumnsOrWithoutALengthAreLeftOut) {
  RunHeader header = test_support::header_of({});
  header.columns = {"episode", "loss"};
  RunFolder(path("run"), header).finish();
  EXPECT_THAT(only_reason(), HasSubstr("there is no such column"));
  fs::remove_all(path("run"));
  write_run(path("run"), {});
  const std::string text = without_checksums("run");
  for (const char* length : {"0", "-1", "1.5", "\"4\"", "18446744073709551615", "4000000000000"}) {
    std::string other = text;
    write_contents(path("run/run.json"),
                   other.replace(other.find("episodes\": 4") + 11, 1, length));
    EXPECT_EQ(only_reason(), "run.json: definition: episodes: must be in 1..1000000000000");
  }
}

TEST_F(CollectionTest, AFolderThatMayNotBeReadIsLeftOut) {
  write_run(path("open"), {});
  write_run(path("shut/run"), {});
  write_run(path("shut-file"), {});
  fs::permissions(path("shut"), fs::perms::none);
  fs::permissions(path("shut-file/episodes.csv"), fs::perms::none);
  Collection collection;
  {
    const test_support::OrdinaryUser user;
    collection = all();
  }
  fs::permissions(path("shut"), fs::perms::owner_all);
  EXPECT_THAT(folders(collection), ElementsAre(canonical("open")));
  ASSERT_EQ(collection.left_out.size(), 2u);
  EXPECT_EQ(collection.left_out[0].path, canonical("shut"));
  EXPECT_EQ(collection.left_out[0].reason, "cannot be read: Permission denied");
  EXPECT_EQ(collection.left_out[1].reason, "episodes.csv: cannot be read: Permission denied");
}

TEST_F(CollectionTest, ATraceIsOne) {
  const std::vector<TraceRow> rows = {{1, 0.5, 1.0, 2.0}};
  write_trace(path("solve"), {{{"problem", "p.json"}, {"method", "newton"}}, "vapor solve"}, rows);
  const Collection collection = all();
  EXPECT_THAT(collection.runs, IsEmpty());
  ASSERT_EQ(collection.traces.size(), 1u);
  EXPECT_EQ(collection.traces[0].folder, canonical("solve"));
  EXPECT_EQ(collection.traces[0].run.definition["method"], "newton");
  EXPECT_THAT(collection.traces[0].trace.column("upper_bound"), ElementsAre(2.0));
}

TEST_F(CollectionTest, FindingsStandBesideTheRunsOfTheirExperiment) {
  write_run(path("seed-1"), {});
  write_contents(path("findings.json"), R"({"experiment": "toy-chain", "rows": [1, 2]})");
  const Collection collection = all();
  EXPECT_EQ(collection.runs.size(), 1u);
  ASSERT_EQ(collection.findings.size(), 1u);
  EXPECT_EQ(collection.findings[0].folder, fs::canonical(folder_));
  EXPECT_EQ(collection.findings[0].findings["rows"].size(), 2u);
}

TEST_F(CollectionTest, OtherFindingsAreLeftOut) {
  const auto said = [&](const std::string& text) {
    write_contents(path("findings.json"), text);
    return only_reason();
  };
  EXPECT_EQ(said("[1]"), "findings.json: must be an object, got array");
  EXPECT_EQ(said("{\"rows\": []}"), "findings.json: experiment: must be a string");
  EXPECT_EQ(said("{\"experiment\": 3}"), "findings.json: experiment: must be a string");
  EXPECT_EQ(said("{\"experiment\": \"x\""), "findings.json: is not JSON at byte 19");
  EXPECT_EQ(said(std::string(100'000, '[')), "findings.json: is nested deeper than 64");
  EXPECT_THAT(said(std::string((1 << 24) + 1, ' ')), HasSubstr("findings.json: is larger than"));
  fs::remove(path("findings.json"));
  fs::create_directory(path("findings.json"));
  EXPECT_TRUE(all().empty());
}

// One run is written as always; the others are its bytes under other names and seeds.
TEST_F(CollectionTest, FindingsOfANewerFormatAndNumbersBeyondADoubleAreLeftOut) {
  fs::create_directories(path("a"));
  write_contents(path("a/findings.json"),
                 R"({"format": "vapor-findings", "format_version": 2, "experiment": "e"})");
  EXPECT_THAT(only_reason(), HasSubstr("a newer vapor"));
  write_contents(path("a/findings.json"), R"({"format": "other", "experiment": "e"})");
  EXPECT_THAT(only_reason(), HasSubstr("format: must be vapor-findings"));
  write_contents(path("a/findings.json"), R"({"experiment": "e", "rows": [{"a": 1e999}]})");
  EXPECT_THAT(only_reason(), HasSubstr("no double"));
}

TEST_F(CollectionTest, AThousandRuns) {
  write_run(path("first"), {});
  const std::string text = without_checksums("first");
  for (int i = 0; i < 1000; ++i) {
    const fs::path folder = path("runs/" + std::to_string(i % 10) + "/" + std::to_string(1000 + i));
    fs::create_directories(folder);
    std::string run = text;
    write_contents(folder / "run.json",
                   run.replace(run.find("seed\": 1") + 7, 1, std::to_string(i)));
    fs::copy_file(path("first/episodes.csv"), folder / "episodes.csv");
  }
  const Collection collection = all({path("runs")});
  ASSERT_EQ(collection.runs.size(), 1000u);
  EXPECT_THAT(collection.left_out, IsEmpty());
  std::vector<bool> seen(1000, false);
  for (const RunDigest& run : collection.runs) {
    seen[run.run.definition["seed"].get<std::size_t>()] = true;
    EXPECT_EQ(run.summary.total_regret, 104.0);
  }
  EXPECT_THAT(seen, testing::Each(true));
  EXPECT_TRUE(std::ranges::is_sorted(folders(collection)));
}

}  // namespace
}  // namespace vapor
