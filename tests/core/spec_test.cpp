#include "vapor/core/spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "vapor/core/error.h"

namespace vapor {
namespace {

using testing::HasSubstr;

template <typename Function>
std::string refusal(const Function& function) {
  try {
    function();
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Spec, ReadsANameAndItsSettings) {
  Spec spec("--env", "deep_sea:depth=30,stochastic=true,cost=-2.5e-1,start=centre");
  EXPECT_EQ(spec.name(), "deep_sea");
  EXPECT_EQ(spec.integer("depth", 10, 1, 100), 30);
  EXPECT_TRUE(spec.flag("stochastic", false));
  EXPECT_EQ(spec.number("cost", 0.0, -1.0, 1.0), -0.25);
  EXPECT_EQ(spec.choice("start", "corner", std::vector<std::string>{"corner", "centre"}), "centre");
  EXPECT_EQ(spec.text("start", ""), "centre");
  EXPECT_TRUE(spec.has("depth"));
  EXPECT_NO_THROW(spec.refuse_unknown_keys());
}

TEST(Spec, FallsBackToTheDefaults) {
  Spec spec("--env", "deep_sea");
  EXPECT_EQ(spec.integer("depth", 10, 1, 100), 10);
  EXPECT_FALSE(spec.flag("stochastic", false));
  EXPECT_EQ(spec.number("cost", 0.5, 0.0, 1.0), 0.5);
  EXPECT_EQ(spec.choice("start", "corner", {}), "corner");
  EXPECT_EQ(spec.text("game", "none"), "none");
  EXPECT_FALSE(spec.has("depth"));
  EXPECT_NO_THROW(spec.refuse_unknown_keys());
}

TEST(Spec, RefusesWhatIsNotOfTheForm) {
  for (const char* text :
       {"", ":", ":a=1", "name:", "name:a", "name:=1", "name:a=1,", "name:,a=1", "name:a=1,,b=2"})
    EXPECT_THAT(refusal([&] { Spec("--env", text); }), testing::StartsWith("--env: ")) << text;
  EXPECT_EQ(refusal([] { Spec("--env", "name:a=1,a=2"); }), "--env name:a: is given twice");
}

TEST(Spec, NamesThePlaceOfABadValue) {
  Spec spec("--env", "sea:depth=101,cost=nan,half=0.5,flag=yes,start=cornr,empty=");
  EXPECT_EQ(refusal([&] { spec.integer("depth", 1, 1, 100); }),
            "--env sea:depth: must be in 1..100, got 101");
  EXPECT_THAT(refusal([&] { spec.number("cost", 1, 0, 1); }), HasSubstr("--env sea:cost: must be"));
  EXPECT_EQ(refusal([&] { spec.integer("half", 1, 0, 1); }),
            "--env sea:half: must be a whole number, got \"0.5\"");
  EXPECT_EQ(refusal([&] { spec.flag("flag", true); }),
            "--env sea:flag: must be true or false, got \"yes\"");
  EXPECT_THAT(
      refusal([&] { spec.choice("start", "", std::vector<std::string>{"corner", "centre"}); }),
      HasSubstr("did you mean corner?"));
  EXPECT_THAT(refusal([&] { spec.number("empty", 1, 0, 1); }), HasSubstr("must be a number"));
}

TEST(Spec, RefusesUnknownKeysWithASuggestion) {
  Spec spec("--env", "deep_sea:dept=30");
  spec.integer("depth", 10, 1, 100);
  EXPECT_EQ(refusal([&] { spec.refuse_unknown_keys(); }),
            "--env deep_sea: has no setting dept (did you mean depth?); it has depth");
  EXPECT_EQ(refusal([] { Spec("--env", "plain:a=1").refuse_unknown_keys(); }),
            "--env plain: takes no settings, got a");
}

TEST(ParseNumber, TakesTheWholeTextAndNothingElse) {
  EXPECT_EQ(parse_integer("x", "-12"), -12);
  EXPECT_EQ(parse_number("x", "1e-3"), 0.001);
  for (const char* text : {"", " 1", "1 ", "1x", "0x10", "--1", "99999999999999999999", "1,2"}) {
    EXPECT_THROW(parse_integer("x", text), InputError) << text;
  }
  for (const char* text : {"", " 1", "1.0.0", "inf", "nan", "-inf", "1e999", "one"})
    EXPECT_THROW(parse_number("x", text), InputError) << text;
}

TEST(ClosestName, IsAFewLettersAwayOrNone) {
  const std::vector<std::string> names = {"toy_chain", "deep_sea", "grid_world"};
  EXPECT_EQ(closest_name("deepsea", names), "deep_sea");
  EXPECT_EQ(closest_name("deep_sae", names), "deep_sea");
  EXPECT_EQ(closest_name("gridworld", names), "grid_world");
  EXPECT_EQ(closest_name("cartpole", names), "");
  EXPECT_EQ(closest_name("", {}), "");
}

}  // namespace
}  // namespace vapor
