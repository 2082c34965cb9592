#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>

#include "tests/deep/fragile_environment.h"
#include "tests/record/temporary_folder.h"
#include "tests/run/small_training.h"
#include "vapor/deep/actor/actor_threads.h"
#include "vapor/record/run_record.h"
#include "vapor/record/run_summary.h"
#include "vapor/run/frame_training.h"

namespace vapor {
namespace {

using deep::test_support::FragileEnvironment;
using test_support::small_parts;
using test_support::small_training;
using testing::HasSubstr;
using vapor::test_support::contents;

// A training with actors whose environments do something before each step.
class ActorThreadsTest : public vapor::test_support::FolderTest {
 protected:
  static RunSettings with_actors(Index actors) {
    RunSettings settings = small_training();
    settings.by_frames->actors = actors;
    return settings;
  }

  static TrainingParts fragile(
      const std::function<void()>& before_step, const std::function<void()>& before_reset = [] {}) {
    TrainingParts parts = small_parts();
    parts.make_environment = [=, make = parts.make_environment](Index places) {
      return std::make_unique<FragileEnvironment>(make(places), before_step, before_reset);
    };
    return parts;
  }
};

// Three actors and a learner: it learns, and keeps to the replay fraction.
TEST_F(ActorThreadsTest, ATrainingWithActorsLearnsCatch) {
  RunSettings settings = with_actors(3);
  settings.by_frames->frames = 20000;
  RunProgress last;
  LoopOptions options;
  options.keep_going = [&](const RunProgress& progress) {
    last = progress;
    return true;
  };
  ASSERT_EQ(make_run(plan_of(settings, small_parts()), path("run"), options), RunEnd::kFinished);
  const RunRecord record = read_run(path("run"));
  const RunSummary summary = summarise(record);
  EXPECT_GT(summary.recent_mean_return, 0.5) << "at random it is -0.6";
  EXPECT_EQ(summary.episodes, last.episodes);
  EXPECT_GE(last.frames, 20000);
  EXPECT_LT(last.frames, 20005);
  EXPECT_LE(last.learner_frames, 5 * last.frames + 5);
  EXPECT_GE(last.learner_frames, 5 * last.frames - 65);
  for (const double length : record.episodes.column("length")) ASSERT_EQ(length, 5.0);
  EXPECT_EQ(last.environments_lost, 0);
}

// Interrupted at different moments, it stops and goes on from where it was.
TEST_F(ActorThreadsTest, AnInterruptedTrainingGoesOn) {
  const RunSettings settings = with_actors(2);
  LoopOptions options;
  std::int64_t stopped = 0;
  for (const std::int64_t stop : {0, 1, 700, 1333, 2500}) {
    options.keep_going = [&](const RunProgress& progress) {
      EXPECT_GE(progress.frames, stopped);
      if (progress.frames < stop) return true;
      stopped = progress.frames;
      return false;
    };
    ASSERT_EQ(make_run(plan_of(settings, small_parts()), path("run"), options),
              RunEnd::kInterrupted);
    EXPECT_EQ(contents(path("run") + "/checkpoint").empty(), stop == 0);
  }
  EXPECT_EQ(make_run(plan_of(settings, small_parts()), path("run")), RunEnd::kFinished);
  const RunSummary summary = summarise(read_run(path("run")));
  EXPECT_LE(summary.frames, 3005);
  EXPECT_GE(summary.episodes, 3000 / 5 - 5 * 8 - 8) << "a break loses what was being played";
}

// Nobody takes what is played, so that the actors come to wait; whether they do so already when
// they are ended, or play, or have not begun, they end.
TEST_F(ActorThreadsTest, TheyEndInAnyState) {
  const RunSettings settings = with_actors(3);
  const TrainingParts parts = small_parts();
  const deep::Config config = check_frame_training(settings, parts);
  for (const int taken : {-1, 0, 1, 10}) {
    std::vector<std::unique_ptr<VectorEnvironment>> environments;
    for (int i = 0; i < 3; ++i) environments.push_back(parts.make_environment(2));
    const nn::ObservationStore store(environments.front()->shape(), 2);
    const auto agent = parts.make_agent("vapor-lite", config, store, 3, RandomStream(1));
    deep::ActorThreads actors({.agent = "vapor-lite", .config = config, .room = 1},
                              parts.make_agent, std::move(environments), RandomStream(1),
                              RandomStream(2));
    if (taken >= 0) actors.publish(*agent);
    for (int i = 0; i < taken; ++i) EXPECT_TRUE(actors.next(std::chrono::minutes(10)).has_value());
  }
}

// Environments that are lost now and then are replaced; the training goes on and counts them.
TEST_F(ActorThreadsTest, LostEnvironmentsAreReplaced) {
  auto steps = std::make_shared<std::atomic<int>>(0);
  auto resets = std::make_shared<std::atomic<int>>(0);
  RunProgress last;
  LoopOptions options;
  options.keep_going = [&](const RunProgress& progress) {
    last = progress;
    return true;
  };
  const TrainingParts parts = fragile(
      [steps] {
        const int step = ++*steps;
        if (step == 103 || step == 151) throw EnvironmentLost("its process was killed");
      },
      [resets] {
        if (++*resets == 2) throw EnvironmentLost("its process did not start");
      });
  ASSERT_EQ(make_run(plan_of(with_actors(1), parts), path("run"), options), RunEnd::kFinished);
  EXPECT_EQ(last.environments_lost, 3);
  EXPECT_EQ(last.frames_lost, 8 + 8) << "two rounds at four places, twice";
  const RunRecord record = read_run(path("run"));
  EXPECT_GE(record.episodes.rows(), 580);
  for (const double length : record.episodes.column("length"))
    ASSERT_EQ(length, 5.0) << "no episode goes on in new environments";
}

TEST_F(ActorThreadsTest, EnvironmentsThatAreLostAgainAndAgainAreAnError) {
  for (const bool at_reset : {false, true}) {
    const auto lose = [] { throw EnvironmentLost("no such game"); };
    const TrainingParts parts = at_reset ? fragile([] {}, lose) : fragile(lose);
    for (const Index actors : {0, 2}) {
      try {
        make_run(plan_of(with_actors(actors), parts), path(std::to_string(actors)));
        ADD_FAILURE() << "nothing was thrown";
      } catch (const EnvironmentLost& error) {
        EXPECT_THAT(error.what(), HasSubstr("lost 6 times"));
        EXPECT_THAT(error.what(), HasSubstr("no such game"));
      }
    }
  }
}

TEST_F(ActorThreadsTest, WhatAnActorThrowsReachesTheCaller) {
  auto steps = std::make_shared<std::atomic<int>>(0);
  const TrainingParts parts = fragile([steps] {
    if (++*steps == 200) throw std::domain_error("a fault");
  });
  EXPECT_THROW(make_run(plan_of(with_actors(3), parts), path("run")), std::domain_error);
}

// On one thread a loss costs what was played since the last checkpoint, and no byte changes.
TEST_F(ActorThreadsTest, OnOneThreadALossLeavesNoTrace) {
  ASSERT_EQ(make_run(plan_of(small_training(), small_parts()), path("whole")), RunEnd::kFinished);
  auto steps = std::make_shared<std::atomic<int>>(0);
  std::int64_t lost = 0;
  LoopOptions options;
  options.keep_going = [&](const RunProgress& progress) {
    lost = progress.environments_lost;
    return true;
  };
  const TrainingParts parts = fragile([steps] {
    const int step = ++*steps;
    if (step == 60 || step == 300 || step == 301) throw EnvironmentLost("killed");
  });
  ASSERT_EQ(make_run(plan_of(small_training(), parts), path("run"), options), RunEnd::kFinished);
  EXPECT_EQ(lost, 3);
  EXPECT_EQ(contents(path("run") + "/episodes.csv"), contents(path("whole") + "/episodes.csv"));
}

}  // namespace
}  // namespace vapor
