// `vapor reproduce grid-world` and `vapor reproduce four-rooms`, as a user runs them.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/command/run_command.h"

namespace vapor {
namespace {

using nlohmann::json;
using test_support::Outcome;
using testing::AllOf;
using testing::HasSubstr;
namespace fs = test_support::fs;

using Words = std::vector<std::string>;

class ReproduceGrids : public test_support::CommandTest {
 protected:
  Words reproduce(const std::string& name, const Words& more) const {
    Words words = {"reproduce", name, "--quick", "--threads", "1", "--out", path("out")};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
};

TEST_F(ReproduceGrids, GridWorldPrintsOneObject) {
  const Outcome outcome =
      vapor(reproduce("grid-world", {"--size", "3", "--samples", "20", "--seeds", "2", "--json"}));
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, "");
  const json findings = json::parse(outcome.out);
  EXPECT_EQ(findings["experiment"], "grid-world");
  EXPECT_EQ(findings["seed_rows"].size(), 2 * findings["rows"].size());
  EXPECT_EQ(findings["maps"][0]["thompson_se"].size(), 3u);
  EXPECT_TRUE(fs::exists(path("out/seed-2.json")));
  EXPECT_EQ(json::parse(test_support::contents(path("out/findings.json"))), findings);
}

TEST_F(ReproduceGrids, GridWorldDrawsMapsForPeople) {
  const Outcome outcome =
      vapor(reproduce("grid-world", {"--size", "3", "--samples", "20", "--seeds", "1"}));
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("seed 1"), HasSubstr("█"), HasSubstr("closer_than"),
                                 HasSubstr("max-entropy")));
}

TEST_F(ReproduceGrids, FourRoomsPrintsOneObjectAndResumes) {
  const Words words =
      reproduce("four-rooms", {"--sizes", "5", "--seeds", "2", "--first-seed", "3", "--agents",
                               "max-entropy,weighted-max-entropy", "--episodes", "1000", "--json"});
  const Outcome outcome = vapor(words);
  EXPECT_EQ(outcome.exit_code, 0);
  const json findings = json::parse(outcome.out);
  EXPECT_EQ(findings["rows"].size(), 2u);
  EXPECT_EQ(findings["weighted_faster_at_every_size"], true);
  EXPECT_TRUE(
      fs::exists(path("out/four_rooms-size=5/max-entropy+tabular-repeat=1-transform=known/"
                      "within-1000/seed-4/run.json")));
  EXPECT_EQ(vapor(words).out, outcome.out);
}

TEST_F(ReproduceGrids, BadOptionsAreNamedAndNothingIsWritten) {
  const auto complaint = [&](const char* name, const Words& more) {
    return refusal(reproduce(name, more));
  };
  EXPECT_THAT(complaint("grid-world", {"--samples", "21"}), HasSubstr("--samples"));
  EXPECT_THAT(complaint("grid-world", {"--size", "1"}), HasSubstr("--size"));
  EXPECT_THAT(complaint("grid-world", {"--seeds", "0"}), HasSubstr("--seeds"));
  EXPECT_THAT(complaint("grid-world", {"--first-seed", "-1"}), HasSubstr("--first-seed"));
  EXPECT_THAT(complaint("four-rooms", {"--first-seed", "-1"}), HasSubstr("--first-seed"));
  EXPECT_THAT(complaint("four-rooms", {"--sizes", "5,6"}), HasSubstr("--sizes"));
  EXPECT_THAT(complaint("four-rooms", {"--sizes", "five"}), HasSubstr("--sizes"));
  EXPECT_THAT(complaint("four-rooms", {"--agents", "max-entropi"}),
              HasSubstr("did you mean max-entropy?"));
  EXPECT_THAT(complaint("four-rooms", {"--episodes", "0"}), HasSubstr("--episodes"));
  EXPECT_FALSE(fs::exists(path("out")));
}

}  // namespace
}  // namespace vapor
