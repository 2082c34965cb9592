#include "vapor/run/worlds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "vapor/core/error.h"
#include "vapor/core/spec.h"

namespace vapor {
namespace {

using testing::HasSubstr;

std::string complaint_of(const std::string& env) {
  try {
    is_observed_as_arrays(env);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Worlds, EveryKindIsKnownByItsName) {
  const std::size_t tables = environment_kinds().size();
  const std::vector<EnvironmentKind> kinds = world_kinds();
  ASSERT_GT(kinds.size(), tables);
  for (std::size_t k = 0; k < kinds.size(); ++k)
    EXPECT_EQ(is_observed_as_arrays(kinds[k].name), k >= tables) << kinds[k].name;
}

TEST(Worlds, AnUnknownNameIsAnsweredWithOneThatIsKnown) {
  EXPECT_THAT(complaint_of("deep_see:depth=4"), HasSubstr("env: "));
  EXPECT_THAT(complaint_of("deep_see:depth=4"), HasSubstr("deep_sea"));
  EXPECT_THAT(complaint_of("ctach"), HasSubstr("catch"));
}

TEST(Worlds, CatchIsPlayedInTheShapeThatItsSpecSays) {
  const auto environment = parts_of("catch:rows=7,columns=3").make_environment(2);
  EXPECT_EQ(environment->places(), 2);
  EXPECT_EQ(environment->shape().height, 7);
  EXPECT_EQ(environment->shape().width, 3);
  EXPECT_THROW(parts_of("catch:rows=0").make_environment(1), InputError);
}

// The torso is chosen by the name of the world, before there is an array to look at, and must be
// the one that its arrays ask for.
TEST(Worlds, DefaultsHaveTheTorsoThatFitsTheArrays) {
  const auto torso = [](const std::string& env) {
    return parts_of(env).defaults("agent", "vapor-lite").network.torso;
  };
  EXPECT_EQ(torso("catch"), nn::fitting_torso(parts_of("catch").make_environment(1)->shape()));
  EXPECT_EQ(torso("minatar:game=breakout"), nn::fitting_torso({4, 10, 10}));
  EXPECT_EQ(torso("atari:game=pong"), nn::fitting_torso({4, 84, 84}));
}

// Heads on one torso have one optimiser, so defaults that differ would be refused in every
// training.
TEST(Worlds, DefaultsHaveOneRateAndTheSpecGoesFirst) {
  for (const deep::AgentKind& kind : deep::agent_kinds())
    for (const nn::Torso torso : {nn::Torso::kSmall, nn::Torso::kTiny, nn::Torso::kMlp}) {
      const deep::NetworkSettings network =
          parts_for(torso, nullptr).defaults("agent", kind.name).network;
      EXPECT_EQ(network.actor.learning_rate, network.critic.learning_rate) << kind.name;
      EXPECT_EQ(network.critic.learning_rate, network.reward.learning_rate) << kind.name;
      Spec spec("agent", kind.name + ":layers=3,rate=0.5");
      const deep::Config own =
          read_config(spec, parts_for(torso, nullptr).defaults("agent", kind.name));
      EXPECT_EQ(own.network.layers, 3);
      EXPECT_EQ(own.network.reward.learning_rate, 0.5);
    }
}

}  // namespace
}  // namespace vapor
