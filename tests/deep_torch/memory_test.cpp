// Agents with and without an LSTM where what pays was seen before and is seen no more.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/record/temporary_folder.h"
#include "vapor/deep/agents.h"
#include "vapor/record/run_record.h"
#include "vapor/record/run_summary.h"
#include "vapor/run/frame_training.h"
#include "vapor/run/loop.h"

namespace vapor::deep {
namespace {

using vapor::test_support::contents;
using vapor::test_support::FolderTest;

// Episodes of four steps: the first image shows one of two cues, the others are blank, and the last
// action pays if it is the cue's.
class CueEnvironment : public VectorEnvironment {
 public:
  static constexpr Index kLength = 4;

  explicit CueEnvironment(Index places)
      : cue_(places),
        step_(places),
        images_(2 * places),
        rewards_(places),
        ended_(places),
        cut_(places) {}

  Index places() const override { return static_cast<Index>(cue_.size()); }
  Index actions() const override { return 2; }
  ObservationShape shape() const override { return {.width = 2, .element = Element::kFlag}; }

  std::span<const std::byte> reset(std::uint64_t seed) override {
    random_ = RandomStream(seed);
    for (Index p = 0; p < places(); ++p) begin(p);
    return images_;
  }

  VectorStep step(std::span<const Index> actions) override {
    for (Index p = 0; p < places(); ++p) {
      const bool over = ++step_[p] == kLength;
      rewards_[p] = over && actions[p] == cue_[p] ? 1.0F : 0.0F;
      ended_[p] = over ? 1 : 0;
      images_[2 * p] = images_[2 * p + 1] = std::byte{0};
      if (over) begin(p);
    }
    return {images_, rewards_, ended_, cut_, images_};
  }

 private:
  void begin(Index p) {
    step_[p] = 0;
    cue_[p] = random_.index(2);
    images_[2 * p + cue_[p]] = std::byte{1};
    images_[2 * p + 1 - cue_[p]] = std::byte{0};
  }

  RandomStream random_{0};
  std::vector<Index> cue_, step_;
  std::vector<std::byte> images_;
  std::vector<float> rewards_;
  std::vector<std::uint8_t> ended_, cut_;
};

RunSettings cue_settings(const std::string& agent, const std::string& lstm) {
  return {.env = "cue",
          .agent = agent +
                   ":torso=mlp,hidden=16,unroll=6,batch=64,replay=1000,"
                   "replay_fraction=0.75,rate=0.01,discount=0.9,lstm=" +
                   lstm,
          .belief = "",
          .seed = 2,
          .kind = RunKind::kNetwork,
          .by_frames = FrameSettings{.frames = 8000, .checkpoint_frames = 100000}};
}

class MemoryTest : public FolderTest {
 protected:
  MemoryTest() {
    parts_.make_environment = [](Index places) { return std::make_unique<CueEnvironment>(places); };
    parts_.make_agent = make_array_agent;
  }

  // The mean return of the last 100 episodes.
  double learned(const std::string& agent, const std::string& lstm, std::uint64_t seed = 2) {
    const std::string run = path(agent + lstm + "-" + std::to_string(seed));
    RunSettings settings = cue_settings(agent, lstm);
    settings.seed = seed;
    make_run(plan_of(settings, parts_), run);
    return summarise(read_run(run)).recent_mean_return;
  }

  TrainingParts parts_;
};

// Without memory half of the episodes pay; 100 of them, so the standard error is 0.05.
TEST_F(MemoryTest, ACueIsRememberedWithAnLstmAndNotWithout) {
  EXPECT_GT(learned("actor-critic", "16"), 0.95);
  EXPECT_LT(learned("actor-critic", "0"), 0.7);
}

// Now and then a seed does not, which one depends on the processor: torch's sums do.
TEST_F(MemoryTest, TheWholeFamilyLearnsIt) {
  for (const char* agent :
       {"vapor-lite", "actor-critic-entropy", "optimistic-actor-critic", "ersac"}) {
    double best = 0.0;
    for (std::uint64_t seed = 2; seed <= 4 && best <= 0.9; ++seed)
      best = std::max(best, learned(agent, "16", seed));
    EXPECT_GT(best, 0.9) << agent;
  }
}

// Checkpoints lie in the middle of episodes and the kills between checkpoints.
TEST_F(MemoryTest, AKilledAndResumedTrainingIsTheUnbrokenOneByteForByte) {
  RunSettings settings = cue_settings("vapor-lite", "8");
  settings.by_frames->frames = 2000;
  settings.by_frames->checkpoint_frames = 360;  // 45 rounds
  ASSERT_EQ(make_run(plan_of(settings, parts_), path("unbroken")), RunEnd::kFinished);
  for (const std::int64_t stop : {480, 1200}) {
    LoopOptions options;
    options.keep_going = [&](const RunProgress& progress) {
      if (progress.frames == stop) throw std::runtime_error("killed");
      return true;
    };
    EXPECT_THROW(make_run(plan_of(settings, parts_), path("killed"), options), std::runtime_error);
  }
  ASSERT_EQ(make_run(plan_of(settings, parts_), path("killed")), RunEnd::kFinished);
  EXPECT_EQ(contents(path("killed") + "/episodes.csv"),
            contents(path("unbroken") + "/episodes.csv"));
}

TEST_F(MemoryTest, OtherAgentsRefuseAnLstmByName) {
  const auto refusal = [&](const std::string& agent) {
    return complaint([&] { check_frame_training(cue_settings(agent, "16"), parts_); });
  };
  for (const std::string agent : {"dqn", "boot-dqn", "soft-q", "vapor-lite-closed"}) {
    EXPECT_THAT(refusal(agent), testing::HasSubstr("agent " + agent + ":lstm: must be 0"));
    Config config = paper_config("", agent);
    config.network.torso = Torso::kMlp;
    config.network.lstm = 16;
    const ObservationStore store({.width = 2}, 4);
    EXPECT_THAT(complaint([&] { make_array_agent(agent, config, store, 2, RandomStream(1)); }),
                testing::HasSubstr("lstm: must be 0"));
  }
}

}  // namespace
}  // namespace vapor::deep
