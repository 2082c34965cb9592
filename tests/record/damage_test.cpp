// Damage to the files of a record is noticed, and what can be recovered is.
#include "vapor/record/damage.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <cstdio>

#include "tests/record/temporary_folder.h"
#include "vapor/core/error.h"
#include "vapor/record/json_text.h"
#include "vapor/record/run_folder.h"
#include "vapor/record/run_record.h"

namespace vapor {
namespace {

using test_support::contents;
using test_support::write_contents;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

RunHeader small_header() {
  RunHeader header;
  header.definition = {{"env", "chain"}, {"seed", 7}, {"episodes", 9}};
  header.command = "vapor run --env chain";
  header.columns = {"episode", "return"};
  return header;
}

class DamageTest : public test_support::FolderTest {
 protected:
  RunFolder open() const { return RunFolder(run(), small_header()); }
  std::string run() const { return path("run"); }
  std::string file(const std::string& name) const { return run() + "/" + name; }

  static void play(RunFolder& folder, int count) {
    for (int i = 0; i < count; ++i)
      folder.append(std::vector{static_cast<double>(folder.episodes()) / 7.0}, 0.125);
  }

  // Calls `look` with a bit of each byte of the file flipped in its turn.
  template <typename Look>
  void with_a_bit_of_each_byte_flipped(const std::string& name, const Look& look) const {
    const std::string whole = contents(file(name));
    for (std::size_t at = 0; at < whole.size(); ++at) {
      std::string other = whole;
      other[at] = static_cast<char>(other[at] ^ (1 << (at % 8)));
      write_contents(file(name), other);
      SCOPED_TRACE(name + ": byte " + std::to_string(at));
      look();
    }
    write_contents(file(name), whole);
  }

  void make_finished() const {
    RunFolder folder = open();
    play(folder, 3);
    folder.write_snapshot("000000003.json", sealed("{\"format\": \"vapor-snapshot\"}\n"));
    write_contents(file("policy"), sealed_policy("a few numbers"));
    folder.finish();
  }

  void make_half() const {
    RunFolder folder = open();
    play(folder, 3);
    folder.save("state");
    play(folder, 1);
  }
};

TEST_F(DamageTest, AFlippedBitOfTheEpisodesOfAFinishedRunIsNoticed) {
  make_finished();
  ASSERT_EQ(read_run(run()).episodes.rows(), 3u);
  with_a_bit_of_each_byte_flipped("episodes.csv", [&] {
    EXPECT_THAT(complaint([&] { read_run(run()); }),
                AllOf(HasSubstr("episodes.csv: is damaged"), HasSubstr("delete the folder")));
  });
}

TEST_F(DamageTest, AFlippedBitOfRunJsonIsNoticed) {
  make_finished();
  with_a_bit_of_each_byte_flipped("run.json", [&] {
    EXPECT_THAT(complaint([&] { read_run(run()); }), HasSubstr("run.json: "));
    EXPECT_THAT(complaint([&] { open(); }), HasSubstr("run.json: "));
  });
}

TEST_F(DamageTest, AFlippedBitOfASnapshotOrAPolicyIsNoticed) {
  make_finished();
  ASSERT_THAT(damaged_files(run()), IsEmpty());
  for (const std::string name : {"snapshots/000000003.json", "policy"})
    with_a_bit_of_each_byte_flipped(name, [&] {
      ASSERT_THAT(damaged_files(run()), SizeIs(1));
      EXPECT_EQ(damaged_files(run())[0].name, name);
      EXPECT_THAT(complaint([&] { open(); }), HasSubstr(name + ": is damaged"));
    });
}

// What the checkpoint counts; what lies behind it is cut off whatever it is.
TEST_F(DamageTest, AFlippedBitOfTheEpisodesThatACheckpointCountsIsNoticed) {
  make_half();
  const std::size_t counted = read_counted_files(file("checkpoint"))->episodes_bytes;
  const std::string whole = contents(file("episodes.csv"));
  ASSERT_LT(counted, whole.size());
  for (std::size_t at = 0; at < whole.size(); ++at) {
    SCOPED_TRACE(at);
    std::string other = whole;
    other[at] = static_cast<char>(other[at] ^ 1);
    write_contents(file("episodes.csv"), other);
    if (at < counted) {
      EXPECT_THAT(complaint([&] { read_run(run()); }), HasSubstr("episodes.csv: is damaged"));
      EXPECT_THAT(complaint([&] { open(); }),
                  AllOf(HasSubstr("episodes.csv: is damaged"), HasSubstr("delete the checkpoint")));
    } else {
      EXPECT_EQ(open().episodes(), 3);
    }
  }
}

// 107 bytes were left of it: the run was played to its end, and then refused for good.
TEST_F(DamageTest, ATornTimingFileCostsTheTimesAlone) {
  make_half();
  for (std::size_t left = 0; left < 60; ++left) {
    SCOPED_TRACE(left);
    write_contents(file("timing.csv"),
                   std::string("episode,seconds\n1,0.125000000\n2,0.125000000\n3,0.125000000\n")
                       .substr(0, left));
    {
      RunFolder folder = open();
      EXPECT_EQ(folder.episodes(), 3);
      const bool whole = left >= 58;
      EXPECT_EQ(folder.mended().empty(), whole);
      if (!whole) {
        EXPECT_THAT(folder.mended()[0], HasSubstr("timing.csv: was damaged"));
      }
      play(folder, 1);
    }
    const RunRecord record = read_run(run());
    EXPECT_EQ(record.timing_problem, "");
    EXPECT_EQ(record.episodes.rows(), 4u);
    EXPECT_EQ(record.timing.column("episode").back(), 4.0);
  }
}

TEST_F(DamageTest, TimesThatCannotBeReadAreLeftOutWithAWord) {
  make_finished();
  for (const char* text : {"episode,seconds\n1,0.1\nnonsense\n", "1,0.1\n", "\n", "a,b\n1,2\n"}) {
    write_contents(file("timing.csv"), text);
    const RunRecord record = read_run(run());
    EXPECT_EQ(record.episodes.rows(), 3u);
    EXPECT_EQ(record.timing.rows(), 0u);
    EXPECT_THAT(record.timing_problem, HasSubstr("timing.csv:"));
  }
}

TEST_F(DamageTest, RecordsOfBeforeThereWereChecksumsAreRead) {
  make_finished();
  RunFile old = *read_run_file(run());
  old.files.clear();
  write_run_file(run(), old);
  std::string text = contents(file("run.json"));
  write_contents(file("run.json"), text.substr(0, text.rfind(",\n")) + "\n}\n");
  write_contents(file("policy"), std::string("\5\0\0\0\0\0\0\0bytes", 13));
  write_contents(file("snapshots/000000003.json"), "{\"format\": \"vapor-snapshot\"}\n");
  EXPECT_EQ(read_run(run()).episodes.rows(), 3u);
  EXPECT_THAT(damaged_files(run()), IsEmpty());
  EXPECT_TRUE(open().finished());
}

TEST_F(DamageTest, WhatIsNotARegularFileIsRefusedAtOnce) {
  make_half();
  for (const std::string name : {"run.json", "episodes.csv", "timing.csv", "checkpoint", "lock"}) {
    SCOPED_TRACE(name);
    const std::string whole = contents(file(name));
    ASSERT_EQ(std::remove(file(name).c_str()), 0);
    ASSERT_EQ(mkfifo(file(name).c_str(), 0600), 0);
    EXPECT_THAT(complaint([&] { open(); }), HasSubstr(name + ": is not a regular file"));
    ASSERT_EQ(std::remove(file(name).c_str()), 0);
    write_contents(file(name), whole);
  }
}

TEST(Seal, TextBehindAZeroByteIsNotOverlooked) {
  EXPECT_NO_THROW(parse_json("a.json", "{\"a\": 1}\n"));
  for (const char* tail : {"{}", "]", "null", "#"})
    EXPECT_THROW(parse_json("a.json", std::string("{\"a\": 1}") + tail), InputError) << tail;
  EXPECT_THROW(parse_json("a.json", std::string("{\"a\": 1}\0more", 13)), InputError);
}

}  // namespace
}  // namespace vapor
