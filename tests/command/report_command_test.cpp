// `vapor report` as a user calls it. What the page holds is tested in tests/report, and how it
// looks in tests/browser.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/command/run_command.h"

namespace vapor {
namespace {

using nlohmann::json;
using test_support::Outcome;
using testing::EndsWith;
using testing::HasSubstr;

class ReportCommand : public test_support::CommandTest {
 protected:
  void make_runs() {
    for (const char* agent : {"vapor", "ucbvi"})
      ASSERT_EQ(vapor({"run", "--env", "deep_sea:depth=5", "--agent", agent, "--episodes", "200",
                       "--seeds", "2", "--stop-when-solved", "--quiet", "--out",
                       path("runs/" + std::string(agent))})
                    .exit_code,
                0);
  }
};

TEST_F(ReportCommand, EndsWithThePathOfThePage) {
  make_runs();
  const Outcome outcome = vapor({"report", path("runs"), "--out", path("report")});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_THAT(outcome.out, HasSubstr("runs"));
  EXPECT_THAT(outcome.out, EndsWith(path("report/index.html") + "\n"));
}

TEST_F(ReportCommand, JsonIsOneObjectWithTheCounts) {
  make_runs();
  const Outcome outcome =
      vapor({"report", path("runs"), "--out", path("report"), "--title", "My runs", "--json"});
  const json answer = json::parse(outcome.out);
  EXPECT_EQ(answer["runs"], 4);
  EXPECT_EQ(answer["studies"], 1);
  EXPECT_EQ(answer["figures"], 3);
  EXPECT_EQ(answer["left_out"], json::array());
  EXPECT_THAT(test_support::contents(path("report/index.html")), HasSubstr("<h1>My runs</h1>"));
}

TEST_F(ReportCommand, WhatIsLeftOutIsALineOnStandardErrorAndTheExitCodeIsZero) {
  make_runs();
  std::filesystem::create_directories(path("runs/half"));
  write("runs/half/run.json", R"({"format": "vapor-run", "format_version": 99})");
  const Outcome outcome = vapor({"report", path("runs"), "--out", path("report"), "--json"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.error_lines(), 1) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("half"));
  const json left_out = json::parse(outcome.out)["left_out"];
  ASSERT_EQ(left_out.size(), 1u);
  EXPECT_THAT(left_out[0]["reason"].get<std::string>(), HasSubstr("version"));
}

TEST_F(ReportCommand, QuietSaysNothing) {
  make_runs();
  const Outcome outcome = vapor({"report", path("runs"), "--out", path("report"), "--quiet"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.out + outcome.err, "");
}

TEST_F(ReportCommand, BadInputIsRefusedInOneLine) {
  EXPECT_THAT(refusal({"report", path("nowhere"), "--out", path("report")}),
              HasSubstr("does not exist"));
  std::filesystem::create_directories(path("empty"));
  EXPECT_THAT(refusal({"report", path("empty"), "--out", path("report")}),
              HasSubstr("nothing to show in " + path("empty")));
  EXPECT_FALSE(std::filesystem::exists(path("report")));
  EXPECT_THAT(refusal({"report"}), HasSubstr("runs is required"));
}

TEST_F(ReportCommand, HelpHasExamples) {
  EXPECT_THAT(vapor({"report", "--help"}).out, HasSubstr("Examples:"));
}

}  // namespace
}  // namespace vapor
