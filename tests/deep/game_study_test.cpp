#include "vapor/deep/game_study.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "vapor/core/error.h"

namespace vapor::deep {
namespace {

using testing::ElementsAre;

RunRecord record_of(std::vector<double> frames, std::vector<double> returns) {
  RunRecord record;
  record.folder = "the run";
  record.episodes.columns = {"frames", "return"};
  record.episodes.values = {std::move(frames), std::move(returns)};
  return record;
}

TEST(ScoreCurve, IsTheMeanReturnOfTheEpisodesOfEachWindow) {
  const RunRecord record = record_of({10, 20, 49, 60, 100}, {1, 3, 5, 7, 9});
  EXPECT_THAT(score_curve(record, 100, 4), ElementsAre(2, 5, 7, 9));
}

TEST(ScoreCurve, GoesOnWhereNoEpisodeEnded) {
  EXPECT_THAT(score_curve(record_of({30, 90}, {2, 4}), 100, 5), ElementsAre(2, 2, 2, 2, 4));
}

// The last round of a training plays at every place, so an episode may end beyond its frames.
TEST(ScoreCurve, TakesWhatEndsBeyondTheFramesIntoTheLastWindow) {
  EXPECT_THAT(score_curve(record_of({40, 107}, {2, 4}), 100, 2), ElementsAre(2, 4));
}

TEST(ScoreCurve, RefusesATrainingInWhichNoEpisodeEnded) {
  try {
    score_curve(record_of({}, {}), 100, 2);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.place(), "the run");
  }
}

TEST(GameStudy, EveryCellAndSeedHasARunOfItsOwn) {
  GameStudy study;
  study.players = {{"a", "vapor-lite"}, {"b", "dqn:rate=0.001"}};
  study.games = {"catch", "catch:rows=6"};
  study.seeds = 3;
  study.first_seed = 7;
  std::set<std::string> folders;
  for (const GameRun& run : runs_of(study, "out")) {
    folders.insert(run.folder);
    EXPECT_GE(run.settings.seed, 7U);
    EXPECT_LE(run.settings.seed, 9U);
    EXPECT_EQ(run.settings.frames, study.frames);
  }
  EXPECT_EQ(folders.size(), 12U);
}

}  // namespace
}  // namespace vapor::deep
