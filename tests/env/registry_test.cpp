#include "vapor/env/registry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "vapor/core/error.h"
#include "vapor/env/deep_sea.h"

namespace vapor {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

std::string refusal(const std::string& text) {
  try {
    make_environment(Spec("--env", text), 1);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(EnvironmentRegistry, MakesEveryKindByName) {
  for (const EnvironmentKind& kind : environment_kinds())
    EXPECT_NO_THROW(make_environment(Spec("--env", kind.name), 1)) << kind.name;
}

TEST(EnvironmentRegistry, PassesTheSettingsOn) {
  const Environment sea =
      make_environment(Spec("--env", "deep_sea:depth=4,stochastic=true,move_cost=2"), 9);
  const Environment expected =
      deep_sea({.depth = 4, .mapping_seed = 9, .stochastic = true, .move_cost = 2.0});
  EXPECT_EQ(sea.model.reward_mean, expected.model.reward_mean);
  EXPECT_EQ(sea.noise, expected.noise);
}

TEST(EnvironmentRegistry, ListsTheNamesAndSuggestsOne) {
  EXPECT_THAT(refusal("deepsea:depth=3"),
              AllOf(StartsWith("--env: "), HasSubstr("did you mean deep_sea?"),
                    HasSubstr("toy_chain, deep_sea, grid_world")));
  EXPECT_THAT(refusal("qwertyuiop"), testing::Not(HasSubstr("did you mean")));
}

TEST(EnvironmentRegistry, NamesTheSettingThatIsRefused) {
  EXPECT_THAT(refusal("deep_sea:depth=0"), StartsWith("--env deep_sea:depth: must be in 1..2000"));
  EXPECT_THAT(refusal("deep_sea:depth=99999999999"), StartsWith("--env deep_sea:depth: "));
  EXPECT_THAT(refusal("deep_sea:mapping_seed=-1"), StartsWith("--env deep_sea:mapping_seed: "));
  EXPECT_THAT(refusal("toy_chain:sign=2"), StartsWith("--env toy_chain:sign: must be 1 or -1"));
  EXPECT_THAT(refusal("four_rooms:size=8"), StartsWith("--env four_rooms:size: must be odd"));
  EXPECT_THAT(refusal("grid_world:start=middle"), StartsWith("--env grid_world:start: "));
  EXPECT_THAT(refusal("river_swim:noise=loud"), StartsWith("--env river_swim:noise: "));
  EXPECT_THAT(refusal("random_mdp:state=3"), HasSubstr("has no setting state"));
}

}  // namespace
}  // namespace vapor
