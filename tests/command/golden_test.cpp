// Records that an older program made (tests/golden/make) are read, resumed and reported.
#include <gmock/gmock.h>

#include <cstdlib>
#include <sstream>

#include "tests/command/run_command.h"

namespace vapor {
namespace {

namespace fs = test_support::fs;
using test_support::contents;
using test_support::Outcome;

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::vector<double> fields_of(const std::string& line) {
  std::istringstream in(line);
  std::vector<double> fields;
  for (std::string field; std::getline(in, field, ',');) fields.push_back(std::stod(field));
  return fields;
}

class GoldenTest : public test_support::CommandTest, public testing::WithParamInterface<int> {
 protected:
  GoldenTest() {
    fs::copy(fs::path(VAPOR_SOURCE_DIR) / ("tests/golden/version-" + std::to_string(GetParam())),
             path("golden"), fs::copy_options::recursive);
    const std::string packed = path("golden/frames-half/seed-1/checkpoint.gz");
    EXPECT_EQ(system(("gzip -d '" + packed + "'").c_str()), 0);
  }

  // The command of a record, with its folder, as a shell reads it.
  Outcome go_on_with(const std::string& run) const {
    const std::string text = contents(path("golden/" + run + "/seed-1/run.json"));
    const std::string key = "\"command\": \"vapor ";
    const std::size_t begin = text.find(key) + key.size();
    std::istringstream in(text.substr(begin, text.find('"', begin) - begin));
    Words words;
    for (std::string word; in >> word;) words.push_back(word);
    return vapor(with(words, {"--out", path("golden/" + run), "--quiet"}));
  }

  std::vector<std::string> episodes_of(const std::string& run) const {
    return lines_of(contents(path("golden/" + run + "/seed-1/episodes.csv")));
  }
};

// Format 2 is of before there were checksums; those in it are none of the format's.
INSTANTIATE_TEST_SUITE_P(Version, GoldenTest, testing::Values(1, 2));

// Half finished runs go on to their end from where they stood. What they play from there follows
// from the processor too, so its numbers are not compared.
TEST_P(GoldenTest, AHalfFinishedRunGoesOn) {
  const std::vector<std::string> before = episodes_of("run-half");
  const Outcome outcome = go_on_with("run-half");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::vector<std::string> after = episodes_of("run-half");
  ASSERT_EQ(after.size(), 301u);
  for (std::size_t i = 0; i < before.size(); ++i) EXPECT_EQ(after[i], before[i]);
  EXPECT_THAT(contents(path("golden/run-half/seed-1/run.json")),
              testing::AllOf(testing::HasSubstr("\"format_version\": 2"),
                             testing::HasSubstr("\"finished\"")));
}

// Format 1 counted the frames of each episode; format 2 counts them so far.
TEST_P(GoldenTest, AHalfFinishedTrainingGoesOnInTheNewFormat) {
  const std::vector<std::string> before = episodes_of("train-half");
  const Outcome outcome = go_on_with("train-half");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::vector<std::string> after = episodes_of("train-half");
  ASSERT_EQ(after.size(), 201u);
  EXPECT_TRUE(after[0].starts_with("episode,return,success,length,frames,learner_frames,"));
  double learned = 0.0;
  for (std::size_t i = 1; i < before.size(); ++i) {
    const std::vector<double> old = fields_of(before[i]);
    const std::vector<double> now = fields_of(after[i]);
    if (GetParam() == 2) {
      EXPECT_EQ(now, old);
      learned = old[5];
      continue;
    }
    learned += old[4];
    EXPECT_EQ(now[1], old[1]);
    EXPECT_EQ(now[3], 4.0);
    EXPECT_EQ(now[4], 4.0 * static_cast<double>(i));
    EXPECT_EQ(now[5], learned);
    EXPECT_EQ(std::vector(now.begin() + 6, now.end()), std::vector(old.begin() + 5, old.end()));
  }
  EXPECT_EQ(fields_of(after[200])[4], 800.0);
  EXPECT_GT(fields_of(after[200])[5], learned);
}

TEST_P(GoldenTest, AHalfFinishedTrainingByFramesGoesOn) {
  const std::vector<std::string> before = episodes_of("frames-half");
  const Outcome outcome = go_on_with("frames-half");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::vector<std::string> after = episodes_of("frames-half");
  EXPECT_EQ(after[0], before[0]);
  EXPECT_GE(after.size(), 290u);
  EXPECT_GE(fields_of(after.back())[3], 1190.0);
}

TEST_P(GoldenTest, FinishedRunsAreLeftAlone) {
  for (const std::string run : {"run", "train", "frames"}) {
    const std::string before = contents(path("golden/" + run + "/seed-1/episodes.csv"));
    const Outcome outcome = go_on_with(run);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(contents(path("golden/" + run + "/seed-1/episodes.csv")), before);
  }
}

TEST_P(GoldenTest, ASweepIsKnownAsFinished) {
  const Outcome outcome = vapor(
      {"sweep", path("golden/sweep.toml"), "--out", path("golden/sweep"), "--json", "--quiet"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, testing::HasSubstr("\"was_finished\": 8"));
}

// Every number of the report's data is what the older program wrote.
TEST_P(GoldenTest, TheReportHasTheSameData) {
  const Outcome outcome =
      vapor({"report", path("golden/run"), path("golden/train"), path("golden/frames"),
             path("golden/sweep"), "--out", path("report"), "--quiet"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  int files = 0;
  const std::string prefix = fs::canonical(path("golden")).string() + "/";
  for (const auto& entry : fs::directory_iterator(path("golden/report/data"))) {
    SCOPED_TRACE(entry.path().filename().string());
    std::string now = contents(path("report/data/" + entry.path().filename().string()));
    for (std::size_t at = 0; (at = now.find(prefix)) != std::string::npos;)
      now.erase(at, prefix.size());
    EXPECT_EQ(now, contents(entry.path()));
    ++files;
  }
  EXPECT_EQ(files, 8);
}

}  // namespace
}  // namespace vapor
