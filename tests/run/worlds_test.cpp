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

// What is smaller than an Atari screen is learned in larger steps.
TEST(Worlds, DefaultsGoByTheTorso) {
  const auto rate = [](const TrainingParts& parts) {
    return parts.defaults("agent", "vapor-lite").actor.learning_rate;
  };
  EXPECT_EQ(rate(parts_of("atari:game=pong")), 1e-4);
  EXPECT_EQ(rate(parts_of("minatar:game=breakout")), 1e-3);
  const deep::Config vector = parts_for(nn::Torso::kMlp, nullptr).defaults("agent", "dqn");
  EXPECT_EQ(vector.torso, nn::Torso::kMlp);
  EXPECT_EQ(vector.layers, 2);
}

}  // namespace
}  // namespace vapor
