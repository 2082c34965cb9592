#include "vapor/record/run_folder.h"

#include <gmock/gmock.h>

#include <memory>

#include "tests/record/temporary_folder.h"
#include "vapor/core/error.h"
#include "vapor/record/run_record.h"

namespace vapor {
namespace {

using test_support::contents;
using test_support::write_contents;
using test_support::fs::exists;
using testing::AllOf;
using testing::HasSubstr;

RunHeader header() {
  RunHeader header;
  header.definition = {{"env", "chain"}, {"seed", 7}, {"episodes", 9}};
  header.command = "vapor run --env chain";
  header.columns = {"episode", "return", "regret"};
  return header;
}

class RunFolderTest : public test_support::FolderTest {
 protected:
  RunFolder open(const RunHeader& head = header()) const { return RunFolder(run(), head); }
  std::string run() const { return path("run"); }
  std::string file(const std::string& name) const { return run() + "/" + name; }

  // Episode t of a made-up run, whose state is the number of episodes.
  static void play(RunFolder& folder) {
    const auto t = static_cast<double>(folder.episodes() + 1);
    folder.append(std::vector{t / 3.0, -1e-300 * t}, 0.5);
  }
  static void play(RunFolder& folder, int count) {
    for (int i = 0; i < count; ++i) play(folder);
  }
};

TEST_F(RunFolderTest, WhatIsWrittenIsRead) {
  {
    RunFolder folder = open();
    EXPECT_FALSE(folder.finished());
    EXPECT_EQ(folder.state(), "");
    play(folder, 3);
    folder.finish();
    EXPECT_TRUE(folder.finished());
  }
  const RunRecord record = read_run(run());
  EXPECT_TRUE(record.run.finished);
  EXPECT_EQ(record.run.definition, header().definition);
  EXPECT_EQ(record.run.command, header().command);
  EXPECT_EQ(record.episodes.columns, header().columns);
  EXPECT_EQ(record.episodes.rows(), 3u);
  EXPECT_THAT(record.episodes.column("return"), testing::ElementsAre(1.0 / 3.0, 2.0 / 3.0, 1.0));
  EXPECT_THAT(record.episodes.column("regret"), testing::ElementsAre(-1e-300, -2e-300, -3e-300));
  EXPECT_THAT(record.timing.column("seconds"), testing::ElementsAre(0.5, 0.5, 0.5));
  EXPECT_THAT(complaint([&] { (void)record.episodes.column("loss"); }), HasSubstr("loss"));
}

TEST_F(RunFolderTest, ResumesAtTheCheckpoint) {
  {
    RunFolder folder = open();
    play(folder, 2);
    folder.save("two");
    play(folder, 3);  // lost: the process is killed here
  }
  {
    RunFolder folder = open();
    EXPECT_EQ(folder.episodes(), 2);
    EXPECT_EQ(folder.state(), "two");
    EXPECT_EQ(contents(file("episodes.csv")),
              "episode,return,regret\n1,0.3333333333333333,-1e-300\n"
              "2,0.6666666666666666,-2e-300\n");
    play(folder, 1);
    folder.finish();
  }
  EXPECT_EQ(read_run(run()).episodes.rows(), 3u);
  EXPECT_EQ(read_run(run()).timing.rows(), 3u);
}

TEST_F(RunFolderTest, WithoutACheckpointItStartsAgain) {
  {
    RunFolder folder = open();
    play(folder, 4);
  }
  RunFolder folder = open();
  EXPECT_EQ(folder.episodes(), 0);
  EXPECT_EQ(contents(file("episodes.csv")), "episode,return,regret\n");
}

// Cut anywhere, as by a kill in the middle of a write.
TEST_F(RunFolderTest, ATornLineIsPassedOverAndCutOff) {
  {
    RunFolder folder = open();
    play(folder, 1);
    folder.save("one");
    play(folder, 1);
  }
  const std::string whole = contents(file("episodes.csv"));
  const std::size_t first = whole.find('\n', whole.find('\n') + 1) + 1;
  for (std::size_t size = first; size < whole.size(); ++size) {
    write_contents(file("episodes.csv"), whole.substr(0, size));
    EXPECT_EQ(read_run(run()).episodes.rows(), 1u);
    RunFolder folder = open();
    EXPECT_EQ(folder.episodes(), 1);
    play(folder, 1);
    EXPECT_EQ(contents(file("episodes.csv")), whole);
  }
}

TEST_F(RunFolderTest, AFinishedRunKeepsNothingButItsRecord) {
  {
    RunFolder folder = open();
    play(folder, 1);
    folder.save("one");
    EXPECT_TRUE(exists(file("checkpoint")));
    write_contents(file("checkpoint.tmp"), "as far as it got");
    folder.finish();
    EXPECT_FALSE(exists(file("checkpoint")));
    EXPECT_FALSE(exists(file("checkpoint.tmp")));
  }
  const std::string before = contents(file("episodes.csv")) + contents(file("run.json"));
  const RunFolder again = open();
  const RunFolder and_again = open();  // it is not locked
  EXPECT_TRUE(again.finished());
  EXPECT_TRUE(and_again.finished());
  EXPECT_EQ(contents(file("episodes.csv")) + contents(file("run.json")), before);
}

TEST_F(RunFolderTest, ADamagedCheckpointIsRefusedByName) {
  {
    RunFolder folder = open();
    play(folder, 2);
    folder.save("the state of an agent");
  }
  const std::string whole = contents(file("checkpoint"));
  const auto refused = [&](const std::string& bytes) {
    write_contents(file("checkpoint"), bytes);
    EXPECT_THAT(complaint([&] { open(); }), AllOf(HasSubstr("checkpoint"), HasSubstr("damaged")));
  };
  for (std::size_t size = 0; size < whole.size(); ++size) refused(whole.substr(0, size));
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string flipped = whole;
    flipped[at] ^= 1;
    refused(flipped);
  }
  refused(whole + "x");
  write_contents(file("checkpoint"), whole);
  EXPECT_EQ(open().episodes(), 2);
}

TEST_F(RunFolderTest, EpisodesThatTheCheckpointCountsMustBeThere) {
  {
    RunFolder folder = open();
    play(folder, 2);
    folder.save("two");
  }
  write_contents(file("episodes.csv"), "episode,return,regret\n");
  EXPECT_THAT(complaint([&] { open(); }), HasSubstr("episodes.csv"));
}

TEST_F(RunFolderTest, ASecondWriterIsRefused) {
  {
    const RunFolder first = open();
    EXPECT_THAT(complaint([&] { open(); }), AllOf(HasSubstr(run()), HasSubstr("in use")));
    EXPECT_EQ(read_run(run()).episodes.rows(), 0u);  // but reading is free
  }
  EXPECT_FALSE(open().finished());
}

TEST_F(RunFolderTest, AnotherDefinitionIsRefusedByItsFirstField) {
  {
    RunFolder folder = open();
  }
  const std::string before = contents(file("run.json"));
  RunHeader other = header();
  other.definition["seed"] = 8;
  other.definition["episodes"] = 10;
  EXPECT_THAT(complaint([&] { open(other); }),
              AllOf(HasSubstr("run.json"), HasSubstr("seed: is 7 in this run, 8 was asked for")));
  RunHeader more = header();
  more.definition["belief"] = "tabular";
  EXPECT_THAT(complaint([&] { open(more); }), HasSubstr("belief: is absent"));
  RunHeader less = header();
  less.definition.erase("env");
  EXPECT_THAT(complaint([&] { open(less); }), HasSubstr("env: is \"chain\""));
  EXPECT_EQ(contents(file("run.json")), before);
}

TEST_F(RunFolderTest, AnotherVersionMayNotResume) {
  {
    RunFolder folder = open();
  }
  RunFile run_file = *read_run_file(run());
  run_file.version = "0.0.1";
  write_run_file(run(), run_file);
  EXPECT_THAT(complaint([&] { open(); }), AllOf(HasSubstr("version"), HasSubstr("0.0.1")));
  run_file.finished = true;
  write_run_file(run(), run_file);
  EXPECT_TRUE(open().finished());
}

TEST_F(RunFolderTest, ADamagedRunFileIsRefusedByName) {
  {
    RunFolder folder = open();
  }
  const std::string whole = contents(file("run.json"));
  const auto refused = [&](const std::string& text) {
    write_contents(file("run.json"), text);
    const std::string said = complaint([&] { open(); });
    EXPECT_THAT(said, HasSubstr("run.json"));
    EXPECT_THAT(complaint([&] { read_run(run()); }), HasSubstr("run.json"));
    return said;
  };
  for (std::size_t size = 0; size + 2 < whole.size(); ++size) refused(whole.substr(0, size));
  EXPECT_THAT(refused("[]"), HasSubstr("format"));
  EXPECT_THAT(refused(R"({"format": "vapor-run", "format_version": 3})"),
              HasSubstr("format_version: is 3; a newer vapor wrote it"));
  EXPECT_THAT(refused(R"({"format": "vapor-run", "format_version": "1"})"),
              HasSubstr("format_version: must be 1 to 2, got \"1\""));
  EXPECT_THAT(refused(R"({"format": "vapor-run"})"),
              HasSubstr("format_version: must be 1 to 2, got absent"));
  EXPECT_THAT(refused("{\"definition\":" + std::string(100'000, '[')),
              HasSubstr("run.json: is nested deeper than 64"));
  std::string other = whole;
  other.replace(other.find("running"), 7, "resting");
  EXPECT_THAT(refused(other), HasSubstr("is damaged: it does not have the checksum"));
  const std::size_t end = other.rfind(",\n");
  EXPECT_THAT(refused(other.substr(0, end) + "\n}\n"), HasSubstr("status"));
  refused(std::string(2 << 20, '['));
}

TEST_F(RunFolderTest, OnlyARunFolderIsWrittenTo) {
  write_contents(path("run"), "a file");
  EXPECT_THAT(complaint([&] { open(); }), AllOf(HasSubstr(run()), HasSubstr("not a folder")));
  test_support::fs::remove(run());
  test_support::fs::create_directory(run());
  write_contents(file("thesis.tex"), "years of work");
  EXPECT_THAT(complaint([&] { open(); }), HasSubstr("thesis.tex"));
  EXPECT_FALSE(exists(file("lock")));
}

TEST_F(RunFolderTest, AFolderThatCannotBeWrittenIsNamed) {
  EXPECT_THAT(complaint([] { RunFolder("/proc/vapor-run", header()); }), HasSubstr("/proc"));
  if (geteuid() == 0) return;  // root writes everywhere
  test_support::fs::create_directory(run());
  test_support::fs::permissions(
      run(), test_support::fs::perms::owner_read | test_support::fs::perms::owner_exec);
  EXPECT_THAT(complaint([&] { open(); }), HasSubstr(run()));
}

TEST_F(RunFolderTest, CheckpointsAreDueByEpisodesOrByTime) {
  RunFolder by_count(path("count"), header(), {.episodes = 2, .seconds = 1e6});
  EXPECT_FALSE(by_count.checkpoint_due());
  play(by_count, 1);
  EXPECT_FALSE(by_count.checkpoint_due());
  play(by_count, 1);
  EXPECT_TRUE(by_count.checkpoint_due());
  by_count.save("");
  EXPECT_FALSE(by_count.checkpoint_due());
  RunFolder by_time(path("time"), header(), {.episodes = 0, .seconds = 0.0});
  EXPECT_FALSE(by_time.checkpoint_due()) << "nothing has happened";
  play(by_time, 1);
  EXPECT_TRUE(by_time.checkpoint_due());
}

TEST_F(RunFolderTest, SnapshotsLieInTheirFolder) {
  RunFolder folder = open();
  folder.write_snapshot("0.json", "{}");
  EXPECT_EQ(contents(file("snapshots/0.json")), "{}");
}

TEST(NumberTable, ErrorsNameFileAndLine) {
  const test_support::fs::path file =
      test_support::fs::path(testing::TempDir()) / ("table_" + std::to_string(getpid()) + ".csv");
  const auto said = [&](const std::string& text) -> std::string {
    write_contents(file, text);
    try {
      read_number_table(file);
    } catch (const InputError& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(said("a,b\n1,2\n3,4\n"), "");
  EXPECT_EQ(said("a,b\n1,2\n3,"), "");
  EXPECT_THAT(said("a,b\n1,2\n3\n4,5\n"), AllOf(HasSubstr(".csv:3"), HasSubstr("2 fields, got 1")));
  EXPECT_THAT(said("a,b\n1,2\n3,x\n"), HasSubstr(".csv:3: b: must be a finite number, got \"x\""));
  EXPECT_THAT(said("a,b\n1,nan\n"), HasSubstr(".csv:2: b"));
  EXPECT_THAT(said("a,b\n1,2 \n"), HasSubstr(".csv:2: b"));
  EXPECT_THAT(said(""), HasSubstr(".csv:1"));
  EXPECT_THAT(said("a,b"), HasSubstr(".csv:1"));
  test_support::fs::remove(file);
  EXPECT_THAT(said(""), HasSubstr(".csv"));
  test_support::fs::remove(file);
}

TEST_F(RunFolderTest, EpisodesOutOfOrderAreRefused) {
  {
    RunFolder folder = open();
  }
  write_contents(file("episodes.csv"), "episode,return,regret\n1,0,0\n3,0,0\n");
  EXPECT_THAT(complaint([&] { read_run(run()); }), HasSubstr("episodes.csv:3: episode: must be 2"));
}

}  // namespace
}  // namespace vapor
