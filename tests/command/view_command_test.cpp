#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/command/run_command.h"

namespace vapor {
namespace {

using nlohmann::json;
using test_support::contents;
using test_support::Outcome;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
namespace fs = test_support::fs;

class ViewCommand : public test_support::CommandTest {
 protected:
  std::string run(const std::string& agent, const std::string& every = "2") const {
    EXPECT_EQ(vapor({"run", "--env", "deep_sea:depth=4", "--agent", agent, "--episodes", "6",
                     "--snapshot-every", every, "--out", path(agent), "--quiet"})
                  .exit_code,
              0);
    return path(agent) + "/seed-1";
  }
};

TEST_F(ViewCommand, WritesAPageAndNamesItLast) {
  const std::string page = path("pages/new/view.html");
  const Outcome outcome = vapor({"view", run("vapor"), "--out", page});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, "");
  const std::string last = outcome.out.substr(outcome.out.rfind('\n', outcome.out.size() - 2) + 1);
  EXPECT_THAT(last, HasSubstr(page));
  EXPECT_THAT(contents(page),
              AllOf(HasSubstr("<title>vapor in deep_sea:depth=4"), EndsWith("</html>\n")));
}

TEST_F(ViewCommand, JsonSaysWhatIsShown) {
  const std::string page = path("view.html");
  const std::string first = run("vapor");
  const std::string second = run("thompson", "3");
  const Outcome outcome = vapor({"view", first + "/", second, "--out", page, "--json"});
  const json answer = json::parse(outcome.out);
  EXPECT_EQ(answer["file"], page);
  EXPECT_EQ(answer["bytes"], fs::file_size(page));
  ASSERT_EQ(answer["runs"].size(), 2u);
  EXPECT_EQ(answer["runs"][0]["folder"], first);
  EXPECT_EQ(answer["runs"][0]["shown"], 4);  // after 0, 2, 4 and 6
  EXPECT_EQ(answer["runs"][1]["agent"], "thompson");
  EXPECT_EQ(answer["runs"][1]["shown"], 3);  // after 0, 3 and 6
  EXPECT_EQ(vapor({"view", first, "--out", page, "--quiet"}).out, "");
}

TEST_F(ViewCommand, OverwritesItsOwnPagesOnly) {
  const std::string folder = run("vapor");
  const std::string page = path("view.html");
  EXPECT_EQ(vapor({"view", folder, "--out", page}).exit_code, 0);
  EXPECT_EQ(vapor({"view", folder, "--out", page}).exit_code, 0);
  write("notes.html", "mine");
  EXPECT_THAT(refusal({"view", folder, "--out", path("notes.html")}),
              AllOf(HasSubstr("notes.html"), HasSubstr("not a page of vapor view")));
  EXPECT_EQ(contents(path("notes.html")), "mine");
}

TEST_F(ViewCommand, RefusalsWriteNothing) {
  const std::string page = path("view.html");
  run("vapor", "0");
  EXPECT_THAT(refusal({"view", path("vapor/seed-1"), "--out", page}),
              AllOf(HasSubstr("--snapshot-every"), HasSubstr("vapor run --env deep_sea:depth=4")));
  EXPECT_THAT(refusal({"view", path("vapor"), "--out", page}),
              HasSubstr("e.g. " + path("vapor/seed-1")));
  EXPECT_THAT(refusal({"view", path("nowhere"), "--out", page}), HasSubstr("no such folder"));
  refusal({"view"});
  refusal({"view", "a", "b", "c"});
  EXPECT_FALSE(fs::exists(page));
}

}  // namespace
}  // namespace vapor
