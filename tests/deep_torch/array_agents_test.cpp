#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "tests/nn_torch/random_arrays.h"
#include "vapor/core/error.h"
#include "vapor/deep/agents.h"
#include "vapor/deep/learner.h"

namespace vapor::deep {
namespace {

constexpr Index kCorners = 4;

// Images of 10 x 10 with noise and one corner lit; action k pays 1 where it is corner k.
class Corners {
 public:
  Corners() : store_({2, 10, 10}, 400) {
    RandomStream random(4);
    std::vector<std::byte> image(store_.shape().bytes());
    for (Index k = 0; k < 400; ++k) {
      for (std::byte& pixel : image) pixel = static_cast<std::byte>(random.index(60));
      const Index corner = k % kCorners;
      for (Index y = 0; y < 2; ++y)
        for (Index x = 0; x < 2; ++x)
          image[(y + corner / 2 * 8) * 10 + x + corner % 2 * 8] = std::byte{255};
      numbers_.push_back(store_.add(image, -1));
    }
  }

  const ObservationStore& store() const { return store_; }
  Index number(Index k) const { return numbers_[k]; }

  // The probability of the action that pays, mean over images.
  double chance(Agent& agent) const {
    std::vector<double> pi(numbers_.size() * kCorners), sigma(numbers_.size());
    RandomStream random(9);
    for (Index place = 0; place < std::ssize(numbers_); ++place) agent.begin_episode(place, random);
    agent.play(numbers_, pi, sigma);
    double sum = 0.0;
    for (std::size_t k = 0; k < numbers_.size(); ++k) sum += pi[k * kCorners + k % kCorners];
    return sum / static_cast<double>(numbers_.size());
  }

 private:
  ObservationStore store_;
  std::vector<Index> numbers_;
};

Config bandit_config(const std::string& agent) {
  Config c = paper_config("agent", agent);
  c.network.torso = Torso::kTiny;
  c.learning.replay.frames = 2000;
  c.learning.replay.unroll = 1;
  c.learning.batch_frames = 50;
  c.learning.replay_fraction = 0.8;
  c.network.actor.learning_rate = c.network.critic.learning_rate = c.network.reward.learning_rate =
      1e-3;
  c.uncertainty.ensemble.sigma_scale = 0.3;  // there are 300 steps to find each corner's action
  c.q.epsilon_frames = 1000;
  return c;
}

struct Player {
  Player(const Corners& corners, const std::string& name, const Config& config)
      : agent(make_array_agent(name, config, corners.store(), kCorners, RandomStream(6))),
        learner(config, *agent, corners.store().capacity(), RandomStream(7)),
        game(&corners) {}

  // Episodes of one frame, ten at a time side by side.
  void play(int steps) {
    constexpr Index kPlaces = 10;
    std::vector<double> pi(kPlaces * kCorners), sigma(kPlaces);
    std::vector<Index> observations(kPlaces);
    for (int t = 0; t < steps; ++t) {
      RandomStream random = RandomStream(8).split(steps_taken++);
      std::vector<Index> image(kPlaces);
      for (Index p = 0; p < kPlaces; ++p) {
        agent->begin_episode(p, random);
        image[p] = random.index(400);
        observations[p] = game->number(image[p]);
      }
      agent->play(observations, pi, sigma);
      for (Index p = 0; p < kPlaces; ++p) {
        const auto mine = std::span(pi).subspan(p * kCorners, kCorners);
        Frame frame;
        frame.observation = frame.next_observation = observations[p];
        frame.action = random.categorical(mine);
        frame.behaviour = static_cast<float>(mine[frame.action]);
        frame.reward = frame.action == image[p] % kCorners ? 1.0F : 0.0F;
        frame.last = true;
        learner.add(std::span(&frame, 1));
      }
      learner.learn();
    }
  }

  std::unique_ptr<Agent> agent;
  Learner learner;
  const Corners* game;
  std::uint64_t steps_taken = 0;
};

class ImageAgents : public testing::TestWithParam<const char*> {};

TEST_P(ImageAgents, LearnWhichActionAnImageAsksFor) {
  const Corners corners;
  Player player(corners, GetParam(), bandit_config(GetParam()));
  EXPECT_LT(corners.chance(*player.agent), 0.5);
  player.play(300);
  EXPECT_GT(corners.chance(*player.agent), 0.9);
}

// The whole state, to the bits; and of the state what playing needs, in another agent.
TEST_P(ImageAgents, ContinueFromAnArchiveAndPlayFromPublishedParameters) {
  const Corners corners;
  const Config config = bandit_config(GetParam());
  Player player(corners, GetParam(), config);
  player.play(20);
  Archive saved;
  player.agent->archive(saved);
  player.learner.archive(saved);

  Player other(corners, GetParam(), config);
  other.steps_taken = player.steps_taken;
  Archive restored = Archive::restoring(saved.bytes());
  other.agent->archive(restored);
  other.learner.archive(restored);
  restored.expect_end();
  player.play(20);
  other.play(20);
  Archive a, b;
  player.agent->archive(a);
  other.agent->archive(b);
  EXPECT_TRUE(a.bytes() == b.bytes());

  Archive published;
  player.agent->archive_playing(published);
  EXPECT_LT(published.bytes().size(), a.bytes().size() / 2);
  Player actor(corners, GetParam(), config);
  Archive received = Archive::restoring(published.bytes());
  actor.agent->archive_playing(received);
  received.expect_end();
  EXPECT_EQ(corners.chance(*actor.agent), corners.chance(*player.agent));
}

INSTANTIATE_TEST_SUITE_P(Agents, ImageAgents,
                         testing::Values("vapor-lite", "vapor-lite-closed", "actor-critic", "ersac",
                                         "dqn", "boot-dqn", "soft-q"),
                         [](const auto& param) {
                           std::string name = param.param;
                           std::erase(name, '-');
                           return name;
                         });

// Resident megabytes of this process.
double resident() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (word == "VmRSS:") {
      double kilobytes = 0.0;
      status >> kilobytes;
      return kilobytes / 1024.0;
    }
  return 0.0;
}

TEST(ImageAgentMemory, DoesNotGrowWithSteps) {
  const Corners corners;
  Player player(corners, "vapor-lite", bandit_config("vapor-lite"));
  player.play(100);
  const double before = resident();
  player.play(300);
  // A step that kept its activations, 50 x 16 x 8 x 8 floats, would take 60 MB more.
  EXPECT_LT(resident() - before, 10.0);
}

TEST(ImageAgentSettings, AreRefusedByName) {
  const Corners corners;
  const auto error_of = [&](const std::string& text) -> std::string {
    try {
      Spec spec("--agent", text);
      const Config config = read_config(spec, paper_config("--agent", spec.name()));
      make_array_agent(spec.name(), config, corners.store(), kCorners, RandomStream(1));
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  using testing::HasSubstr;
  EXPECT_THAT(error_of("vapor-lite"), HasSubstr("torso: small needs images of 20 x 20"));
  EXPECT_EQ(error_of("vapor-lite:torso=tiny"), "");
  EXPECT_EQ(error_of("vapor-lite:torso=tiny,rate=3e-4,adam_epsilon=1e-6"), "");
  EXPECT_THAT(error_of("vapor-lite:torso=tinny"), HasSubstr("tiny"));
  EXPECT_THAT(error_of("vapor-lite:torso=tiny,critic_rate=1"),
              HasSubstr("actor_rate, critic_rate"));
  EXPECT_THAT(error_of("vapor-lite:torso=tiny,ensemble_rate=1"),
              HasSubstr("critic_rate, ensemble_rate"));
  EXPECT_THAT(error_of("vapor-lite:torso=tiny,uncertainty=counts"), HasSubstr("choose ensemble"));
  EXPECT_THAT(error_of("vapor-lite:gradient_norm=0"), HasSubstr("gradient_norm: must be in"));
  EXPECT_THAT(error_of("vapor-lite:critic_weight=-1"), HasSubstr("critic_weight: must be in"));
  EXPECT_THAT(error_of("vapor-lite:ensemble_weight=-1"), HasSubstr("ensemble_weight: must be in"));
  EXPECT_EQ(error_of("vapor-lite:torso=tiny,lstm=16"), "");
  EXPECT_THAT(error_of("vapor-lite:lstm=-1"), HasSubstr("lstm: must be in"));
  EXPECT_THAT(error_of("vapor-lite:torch_threads=0"), HasSubstr("torch_threads: must be in"));
}

}  // namespace
}  // namespace vapor::deep
