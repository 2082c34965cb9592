#include "vapor/atari/game_environment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>

#include "trajectory.h"
#include "vapor/atari/game_settings.h"
#include "vapor/atari/human_scores.h"
#include "vapor/core/check.h"

namespace vapor::atari {
namespace {

using test::game;
using test::Moment;
using test::play;
using ::testing::HasSubstr;

constexpr const char* kBreakout = "atari:game=breakout";

TEST(GameEnvironment, ShapeAndActionsFollowTheSettings) {
  const auto pong = game("atari:game=Pong", 2);
  EXPECT_EQ(pong->places(), 2);
  EXPECT_EQ(pong->actions(), 6);
  EXPECT_EQ(pong->shape(), (ObservationShape{4, 84, 84, Element::kByte}));
  EXPECT_EQ(pong->reset(1).size(), 2 * pong->shape().bytes());
  const auto small = game("atari:game=pong,stack=2,size=42,actions=full", 1);
  EXPECT_EQ(small->actions(), 18);
  EXPECT_EQ(small->shape(), (ObservationShape{2, 42, 42, Element::kByte}));
  EXPECT_EQ(game("minatar:game=breakout", 1)->actions(), 3);
  EXPECT_EQ(game("minatar:game=breakout,actions=full", 1)->actions(), 6);
  EXPECT_EQ(game("minatar:game=seaquest", 1)->shape(),
            (ObservationShape{10, 10, 10, Element::kFlag}));
}

TEST(GameEnvironment, ASeedDecidesEverything) {
  for (const std::string name :
       {kBreakout, "minatar:game=asterix", "minatar:game=asterix,sticky=0.9"}) {
    const auto environment = game(name, 3);
    const std::vector<Moment> first = play(*environment, 7, 300);
    EXPECT_TRUE(play(*environment, 7, 300) == first) << name << ": played again";
    EXPECT_TRUE(play(*game(name, 3), 7, 300) == first) << name << ": in a new process";
    EXPECT_FALSE(play(*environment, 8, 300) == first) << name << ": another seed";
    int ends = 0;
    for (std::size_t t = 1; t < first.size(); ++t)
      for (const std::uint8_t ended : first[t].ended) ends += ended;
    EXPECT_GT(ends, 1) << "later episodes are compared too";
  }
}

TEST(GameEnvironment, ThreadsChangeNothing) {
  EXPECT_TRUE(play(*game("atari:game=breakout,threads=3", 3), 7, 300) ==
              play(*game(kBreakout, 3), 7, 300));
}

// So that a place can be played alone and looked at.
TEST(GameEnvironment, APlaceDoesNotDependOnTheOthers) {
  const std::vector<Moment> alone = play(*game(kBreakout, 1), 7, 200);
  const std::vector<Moment> beside = play(*game(kBreakout, 2), 7, 200);
  for (std::size_t t = 0; t < alone.size(); ++t)
    ASSERT_TRUE(std::equal(alone[t].observations.begin(), alone[t].observations.end(),
                           beside[t].observations.begin()))
        << t;
}

// An observation is a stack of frames: the next one drops the oldest. So is the last observation of
// an episode, and the first of the next shows no frame of the one before.
TEST(GameEnvironment, ALimitCutsAnEpisodeAndShowsItsLastObservation) {
  const auto pong = game("atari:game=pong,max_frames=100", 2);
  const std::vector<Moment> moments = play(*pong, 3, 60);
  const std::size_t bytes = pong->shape().bytes();
  const std::size_t frame = bytes / 4;
  const auto follows = [&](const std::vector<std::byte>& later,
                           const std::vector<std::byte>& sooner, std::size_t place) {
    return std::equal(later.begin() + place * bytes, later.begin() + place * bytes + 3 * frame,
                      sooner.begin() + place * bytes + frame);
  };
  for (std::size_t t = 1; t < moments.size(); ++t)
    for (std::size_t p = 0; p < 2; ++p) {
      const Moment& now = moments[t];
      EXPECT_EQ(now.ended[p], 0);
      ASSERT_EQ(now.cut[p], t % 25 == 0 ? 1 : 0) << "100 frames are 25 steps, at " << t;
      const std::vector<std::byte>& seen =
          now.cut[p] != 0 ? now.last_observations : now.observations;
      ASSERT_TRUE(follows(seen, moments[t - 1].observations, p)) << t;
      if (now.cut[p] != 0) {
        ASSERT_FALSE(follows(now.observations, moments[t - 1].observations, p)) << t;
      }
    }
}

// The game goes on after a lost life; only what counts as an episode changes.
TEST(GameEnvironment, ALifeCanBeAnEpisode) {
  const std::vector<Moment> games = play(*game(kBreakout, 2), 4, 400);
  const std::vector<Moment> lives = play(*game("atari:game=breakout,life=true", 2), 4, 400);
  std::array<int, 2> ends{};
  for (std::size_t t = 1; t < games.size(); ++t) {
    ASSERT_TRUE(games[t].observations == lives[t].observations) << t;
    ASSERT_EQ(games[t].rewards, lives[t].rewards) << t;
    for (std::size_t p = 0; p < 2; ++p) {
      ends[0] += games[t].ended[p];
      ends[1] += lives[t].ended[p];
      ASSERT_LE(games[t].ended[p], lives[t].ended[p]) << "the last life ends both";
      const auto part = [&](const std::vector<std::byte>& all) {
        const std::size_t bytes = all.size() / 2;
        return std::vector<std::byte>(all.begin() + p * bytes, all.begin() + (p + 1) * bytes);
      };
      if (lives[t].ended[p] != 0) {
        const std::vector<std::byte>& last =
            games[t].ended[p] != 0 ? games[t].last_observations : games[t].observations;
        EXPECT_TRUE(part(lives[t].last_observations) == part(last)) << t;
      }
    }
  }
  EXPECT_GT(ends[0], 0);
  EXPECT_GE(ends[1], 5 * ends[0]) << "a game of Breakout has five lives";
}

TEST(GameEnvironment, RefusesActionsThatDoNotExist) {
  const auto pong = game("atari:game=pong", 1);
  const std::vector<Index> good = {0};
  EXPECT_THROW(pong->step(good), InternalError) << "before the first reset";
  pong->reset(1);
  for (const Index wrong : {-1, 6}) EXPECT_THROW(pong->step(std::vector{wrong}), InternalError);
  EXPECT_THROW(pong->step(std::vector<Index>{0, 0}), InternalError);
  EXPECT_NO_THROW(pong->step(good));
}

std::string loss_of(VectorEnvironment& environment) {
  try {
    environment.step(std::vector<Index>(environment.places(), 0));
  } catch (const EnvironmentLost& e) {
    return e.what();
  }
  return "nothing was lost";
}

bool no_child_is_left() { return waitpid(-1, nullptr, WNOHANG) < 0 && errno == ECHILD; }

TEST(GameEnvironment, AKilledProcessIsReplacedByAReset) {
  {
    GameEnvironment pong(Spec("--env", "atari:game=pong"), 2);
    const std::vector<Moment> before = play(pong, 7, 50);
    const pid_t process = pong.process();
    kill(process, SIGKILL);
    EXPECT_THAT(loss_of(pong), HasSubstr("was killed by signal 9"));
    EXPECT_TRUE(no_child_is_left());
    EXPECT_THAT(loss_of(pong), HasSubstr("has ended")) << "until a reset";
    EXPECT_TRUE(play(pong, 7, 50) == before);
    EXPECT_NE(pong.process(), process);
    kill(pong.process(), SIGKILL);
    EXPECT_TRUE(play(pong, 7, 50) == before) << "a reset itself finds it gone";
  }
  EXPECT_TRUE(no_child_is_left());
}

// The process sees its parent's end of the socket close, whatever ended the parent.
TEST(GameEnvironment, TheProcessEndsWithItsParent) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  const pid_t parent = fork();
  if (parent == 0) {
    GameEnvironment breakout(Spec("--env", kBreakout), 1);
    breakout.reset(1);
    const pid_t process = breakout.process();
    if (write(ends[1], &process, sizeof process) < 0) _exit(1);
    for (;;) pause();
  }
  pid_t process = 0;
  ASSERT_EQ(read(ends[0], &process, sizeof process), static_cast<ssize_t>(sizeof process));
  const int handle = static_cast<int>(syscall(SYS_pidfd_open, process, 0));
  ASSERT_GE(handle, 0);
  pollfd ended{.fd = handle, .events = POLLIN, .revents = 0};
  EXPECT_EQ(poll(&ended, 1, 0), 0) << "it lives";
  kill(parent, SIGKILL);
  waitpid(parent, nullptr, 0);
  EXPECT_EQ(poll(&ended, 1, 60000), 1);
  for (const int descriptor : {ends[0], ends[1], handle}) close(descriptor);
}

TEST(GamesFull, All57CanBePlayed) {
  for (const GameScores& scores : game_scores()) {
    const auto environment = game("atari:game=" + scores.game, 1);
    const std::vector<std::byte> first = test::copy(environment->reset(1));
    EXPECT_GE(environment->actions(), 3) << scores.game;
    EXPECT_TRUE(std::any_of(first.begin(), first.end(), [](std::byte b) {
      return b != std::byte{0};
    })) << scores.game;
    EXPECT_NO_THROW(environment->step(std::vector<Index>{1})) << scores.game;
  }
}

}  // namespace
}  // namespace vapor::atari
