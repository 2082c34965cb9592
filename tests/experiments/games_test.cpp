#include "experiments/common/games.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "experiments/common/experiment.h"
#include "vapor/core/error.h"

namespace vapor::experiments {
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

TEST(Games, EveryAgentGameAndSeedHasARunOfItsOwn) {
  const Study study = study_of(experiment("atari"), "full",
                               {{"--agents", "vapor-lite,dqn:rate=0.001"},
                                {"--games", "pong, freeway"},
                                {"--seeds", "3"},
                                {"--first-seed", "7"},
                                {"--frames", "1000"}});
  std::set<std::string> folders;
  for (const Cell& cell : cells_of(study, "out")) {
    EXPECT_TRUE(cell.game);
    EXPECT_EQ(cell.cap, 1000);
    for (const SweepCell& run : cell.runs) {
      folders.insert(run.folder);
      EXPECT_GE(run.settings.seed, 7U);
      EXPECT_LE(run.settings.seed, 9U);
    }
  }
  EXPECT_EQ(folders.size(), 12U);
  EXPECT_TRUE(folders.contains("out/atari-game=pong/dqn-rate=0.001/frames-1000/seed-8"));
}

TEST(Games, AllOfThemAre57AndUnknownOnesAreNamed) {
  const auto games = [](const std::string& text) {
    return cells_of(study_of(experiment("atari"), "quick",
                             {{"--agents", "vapor-lite"}, {"--games", text}}),
                    "out")
        .size();
  };
  EXPECT_EQ(games("all"), 57u);
  EXPECT_THROW(games("pong,pung"), InputError);
}

}  // namespace
}  // namespace vapor::experiments
