#include "vapor/run/frame_training.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/record/temporary_folder.h"
#include "tests/run/small_training.h"
#include "vapor/record/run_record.h"
#include "vapor/record/run_summary.h"

namespace vapor {
namespace {

using test_support::small_parts;
using test_support::small_training;
using testing::HasSubstr;
using vapor::test_support::contents;
using vapor::test_support::FolderTest;

class FrameTrainingTest : public FolderTest {
 protected:
  const TrainingParts parts_ = small_parts();
};

// Killed between checkpoints, twice, for agents that keep different things.
TEST_F(FrameTrainingTest, AKilledAndResumedTrainingIsTheUnbrokenOneByteForByte) {
  for (const std::string name : {"vapor-lite", "dqn", "boot-dqn"}) {
    const RunSettings settings = small_training(name);
    const std::string whole = path(name + "-unbroken");
    ASSERT_EQ(make_run(plan_of(settings, parts_), whole), RunEnd::kFinished);
    for (const std::int64_t stop : {320, 1700}) {
      LoopOptions options;
      options.keep_going = [&](const RunProgress& progress) {
        // An exception leaves the folder as a kill does.
        if (progress.frames == stop) throw std::runtime_error("killed");
        return true;
      };
      EXPECT_THROW(make_run(plan_of(settings, parts_), path(name), options), std::runtime_error);
    }
    ASSERT_EQ(make_run(plan_of(settings, parts_), path(name)), RunEnd::kFinished);
    for (const char* file : {"/episodes.csv", "/run.json"})
      EXPECT_EQ(contents(path(name) + file), contents(whole + file)) << name;
    EXPECT_EQ(make_run(plan_of(settings, parts_), path(name)), RunEnd::kWasFinished);
  }
}

// Asked to stop, it stops; what it goes on from is the last checkpoint.
TEST_F(FrameTrainingTest, AnInterruptedTrainingGoesOnFromItsLastCheckpoint) {
  const RunSettings settings = small_training();
  LoopOptions options;
  options.keep_going = [](const RunProgress& progress) { return progress.frames < 1300; };
  ASSERT_EQ(make_run(plan_of(settings, parts_), path("run"), options), RunEnd::kInterrupted);
  std::int64_t first = -1;
  options.keep_going = [&](const RunProgress& progress) {
    if (first < 0) first = progress.frames;
    return true;
  };
  ASSERT_EQ(make_run(plan_of(settings, parts_), path("run"), options), RunEnd::kFinished);
  EXPECT_EQ(first, 1000);
  ASSERT_EQ(make_run(plan_of(settings, parts_), path("whole")), RunEnd::kFinished);
  EXPECT_EQ(contents(path("run") + "/episodes.csv"), contents(path("whole") + "/episodes.csv"));
}

// Each frame is learned from 1 / (1 - fraction) times, and every episode has its row.
TEST_F(FrameTrainingTest, TheRecordCountsFramesAndEpisodes) {
  RunSettings settings = small_training();
  settings.by_frames->frames = 2000;
  settings.by_frames->checkpoint_frames = 100000;
  RunProgress last;
  LoopOptions options;
  options.keep_going = [&](const RunProgress& progress) {
    last = progress;
    return true;
  };
  make_run(plan_of(settings, parts_), path("run"), options);
  const RunRecord record = read_run(path("run"));
  EXPECT_EQ(record.episodes.rows(), 2000 / 5) << "five frames an episode";
  const auto frames = record.episodes.column("frames");
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const std::size_t batch = i / 4;
    ASSERT_EQ(frames[i], 20.0 * static_cast<double>(batch + 1));
  }
  const RunSummary summary = summarise(record);
  EXPECT_EQ(summary.frames, 2000);
  EXPECT_EQ(summary.learner_frames, last.learner_frames);
  EXPECT_LE(summary.learner_frames, 5 * 2000 + 5);
  EXPECT_GE(summary.learner_frames, 5 * 2000 - 65);
  EXPECT_EQ(last.frames, 2000);
  EXPECT_EQ(last.episodes, 400);
  EXPECT_NEAR(last.mean_return, summary.recent_mean_return, 1e-12);
  EXPECT_GT(last.losses.value, 0.0);
  EXPECT_GT(last.losses.reward, 0.0);
  EXPECT_GT(last.mean_sigma, 0.0);
  EXPECT_GT(last.mean_entropy, 0.0);
}

// What it is all for: an agent that sees nothing but pixels learns to catch. (The best policy's
// logits are linear in them.)
TEST_F(FrameTrainingTest, CatchIsLearned) {
  RunSettings settings = small_training();
  settings.by_frames->frames = 20000;
  make_run(plan_of(settings, parts_), path("run"));
  const RunSummary summary = summarise(read_run(path("run")));
  EXPECT_GT(summary.recent_mean_return, 0.9);
  EXPECT_LT(summary.mean_return, summary.recent_mean_return);
}

TEST_F(FrameTrainingTest, BadInputIsNamed) {
  const auto refusal = [&](auto change) {
    RunSettings settings = small_training();
    change(settings);
    return complaint([&] { check_frame_training(settings, parts_); });
  };
  using S = RunSettings;
  EXPECT_THAT(refusal([](S& s) { s.by_frames->frames = 0; }), HasSubstr("frames: "));
  EXPECT_THAT(refusal([](S& s) { s.by_frames->places = 0; }), HasSubstr("places: "));
  EXPECT_THAT(refusal([](S& s) { s.by_frames->actors = -1; }), HasSubstr("actors: "));
  EXPECT_THAT(refusal([](S& s) { s.by_frames->checkpoint_frames = 0; }),
              HasSubstr("checkpoint_frames: "));
  EXPECT_THAT(refusal([](S& s) { s.agent = "vapor-light"; }), HasSubstr("did you mean vapor-lite"));
  EXPECT_THAT(refusal([](S& s) { s.agent = "vapor-lite:uncertainty=counts"; }),
              HasSubstr("agent vapor-lite:uncertainty: counts"));
}

}  // namespace
}  // namespace vapor
