// `vapor sweep` with real processes: the same bytes as `vapor run`, whatever happens to them.
#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <thread>

#include "tests/command/run_command.h"

namespace vapor {
namespace {

using nlohmann::json;
using test_support::contents;
using test_support::Outcome;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
namespace fs = test_support::fs;

using Words = std::vector<std::string>;
using Files = std::map<std::string, std::string>;  // contents by path

class SweepCommand : public test_support::CommandTest {
 protected:
  Words sweep(const std::string& toml, const std::string& out, const Words& more = {}) const {
    Words words = {"sweep", write("sweep.toml", toml), "--out", path(out)};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }

  // All that a run promises; wall times are outside the promise.
  Files files(const std::string& folder) const {
    Files all;
    for (const auto& entry : fs::recursive_directory_iterator(path(folder))) {
      const std::string name = entry.path().filename().string();
      if (entry.is_regular_file() && name != "timing.csv" && name != "lock" &&
          entry.path().parent_path().filename() != "tensorboard")
        all[fs::relative(entry.path(), path(folder)).string()] = contents(entry.path());
    }
    return all;
  }

  // A `vapor` that goes on while the test does something else.
  pid_t start(const Words& arguments) const {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 2, path(".started").c_str(),
                                     O_WRONLY | O_CREAT | O_TRUNC, 0600);
    Words words = {VAPOR_COMMAND};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    pid_t process = 0;
    EXPECT_EQ(posix_spawn(&process, VAPOR_COMMAND, &actions, nullptr, argv.data(), environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    return process;
  }

  static int exit_code_of(pid_t process) {
    int status = 0;
    EXPECT_EQ(waitpid(process, &status, 0), process);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

  static bool comes_true(const std::function<bool()>& fact) {
    for (int i = 0; i < 30'000; ++i) {
      if (fact()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return false;
  }

  long lines(const std::string& file) const {
    const std::string text = contents(path(file));
    return std::count(text.begin(), text.end(), '\n');
  }

  // The processes whose parent is this one, from /proc.
  static std::vector<pid_t> children_of(pid_t parent) {
    std::vector<pid_t> children;
    for (const auto& entry : fs::directory_iterator("/proc")) {
      const std::string name = entry.path().filename().string();
      if (name.find_first_not_of("0123456789") != std::string::npos) continue;
      std::ifstream file(entry.path() / "status");
      for (std::string line; std::getline(file, line);)
        if (line == fmt::format("PPid:\t{}", parent)) children.push_back(std::stoi(name));
    }
    return children;
  }
};

constexpr const char* kSmall = R"(
envs = ["deep_sea:depth={depth}", "river_swim"]
agents = ["vapor", "thompson"]
seeds = { first = 3, count = 2 }
episodes = 25
stop = "solved"
snapshot_every = 10
vary.depth = [4, 6]
)";

// One run that takes a while, so that something can happen to it, and others beside it.
constexpr const char* kLong = R"(
[[sweep]]
envs = "deep_sea:depth=12"
agents = ["vapor"]
seeds = 2
episodes = 1500
[[sweep]]
envs = "toy_chain"
agents = "thompson"
seeds = 3
episodes = 5
)";

TEST_F(SweepCommand, EqualsTheRunsOfItsCells) {
  const Outcome outcome = vapor(sweep(kSmall, "sweep", {"--json"}));
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  const json answer = json::parse(outcome.out);
  EXPECT_EQ(answer["finished"], 12);
  EXPECT_EQ(answer["failed"], 0);
  EXPECT_EQ(answer["groups"].size(), 6u);
  for (const json& cell : answer["cells"]) {
    const fs::path folder = fs::relative(cell["folder"].get<std::string>(), path("sweep"));
    const Words words = {"run",
                         "--env",
                         cell["env"],
                         "--agent",
                         cell["agent"],
                         "--seed",
                         std::to_string(cell["seed"].get<int>()),
                         "--episodes",
                         "25",
                         "--stop",
                         "solved",
                         "--snapshot-every",
                         "10",
                         "--quiet",
                         "--out",
                         path("runs") + "/" + folder.parent_path().string()};
    ASSERT_EQ(vapor(words).exit_code, 0);
  }
  Files made = files("sweep");
  EXPECT_EQ(made.erase("sweep.json"), 1u) << "the manifest";
  EXPECT_EQ(std::count_if(made.begin(), made.end(),
                          [](const auto& f) { return f.first.ends_with("run.json"); }),
            12);
  EXPECT_TRUE(made == files("runs"));
}

TEST_F(SweepCommand, ASecondTimeNothingIsMade) {
  ASSERT_EQ(vapor(sweep(kSmall, "sweep", {"--processes", "1"})).exit_code, 0);
  const Files before = files("sweep");
  const json again = json::parse(vapor(sweep(kSmall, "sweep", {"--json"})).out);
  EXPECT_EQ(again["was_finished"], 12);
  EXPECT_TRUE(files("sweep") == before);
  const Outcome people = vapor(sweep(kSmall, "sweep"));
  EXPECT_THAT(people.out, AllOf(HasSubstr("deep_sea:depth=6"), HasSubstr("12 of them before")));
  EXPECT_EQ(vapor(sweep(kSmall, "sweep", {"--quiet"})).out, "");
}

TEST_F(SweepCommand, ADryRunMakesNothingAndListsCommandsThatMakeTheCells) {
  const Outcome outcome = vapor(sweep(kSmall, "sweep", {"--dry-run", "--json"}));
  EXPECT_EQ(outcome.exit_code, 0);
  const json cells = json::parse(outcome.out)["cells"];
  EXPECT_FALSE(fs::exists(path("sweep")));
  ASSERT_EQ(cells.size(), 12u);
  for (const json& cell : cells) {
    const std::string command = cell["command"];
    EXPECT_EQ(cell["status"], "unfinished");
    const std::string rest = command.substr(std::string("vapor ").size());
    ASSERT_EQ(std::system(fmt::format("'{}' {} --quiet", VAPOR_COMMAND, rest).c_str()), 0)
        << command;
  }
  const json after = json::parse(vapor(sweep(kSmall, "sweep", {"--dry-run", "--json"})).out);
  for (const json& cell : after["cells"]) EXPECT_EQ(cell["status"], "finished");
  EXPECT_THAT(vapor(sweep(kSmall, "sweep", {"--dry-run"})).out, HasSubstr("12 of them finished"));
}

// Lines of 150 characters: environments, agents and beliefs with settings stood side by side.
TEST_F(SweepCommand, TablesFitAHundredColumns) {
  const std::string file = R"(
    envs = ["river_swim:states=4,horizon=6", "random_mdp:states=3,actions=2,layers=4,dirichlet_mass=0.5"]
    agents = ["vapor", "optimistic-q:c=0.01,delta=0.05,low=-1,high=1"]
    beliefs = ["tabular", "tabular:reward=normal-gamma,counts=layer,mass=0.1,transform=paper"]
    seeds = 2
    episodes = 3)";
  for (const char* what : {"--dry-run", "", "--summary"}) {
    const Words more = *what == '\0' ? Words{} : Words{what};
    std::istringstream table(vapor(sweep(file, "sweep", more)).out);
    std::string all;
    for (std::string line; std::getline(table, line); all += line + "\n") {
      const auto columns = std::ranges::count_if(line, [](char c) { return (c & 0xc0) != 0x80; });
      if (!line.starts_with(' ')) continue;  // what follows the table
      EXPECT_LE(columns, 100) << line;
    }
    EXPECT_THAT(all,
                AllOf(HasSubstr("\n  river_swim:states=4,horizon=6\n"),
                      HasSubstr("\n    vapor, reward=normal-gamma "), HasSubstr("optimistic-q")));
  }
}

TEST_F(SweepCommand, ASummarySaysWhatStands) {
  const Outcome nothing = vapor(sweep(kSmall, "sweep", {"--summary", "--json"}));
  EXPECT_EQ(nothing.exit_code, 1);
  EXPECT_EQ(json::parse(nothing.out)["unfinished"], 12);
  EXPECT_FALSE(fs::exists(path("sweep")));
  const json made = json::parse(vapor(sweep(kSmall, "sweep", {"--json"})).out);
  const Outcome all = vapor(sweep(kSmall, "sweep", {"--summary", "--json"}));
  EXPECT_EQ(all.exit_code, 0);
  EXPECT_EQ(json::parse(all.out)["groups"], made["groups"]);
}

// kill -9 of a child: it is started again, the others are not disturbed, no byte differs.
TEST_F(SweepCommand, AKilledChildGoesOn) {
  ASSERT_EQ(vapor(sweep(kLong, "whole", {"--quiet"})).exit_code, 0);
  const pid_t process = start(sweep(kLong, "broken", {"--processes", "2"}));
  ASSERT_TRUE(comes_true([&] {
    return lines("broken/deep_sea-depth=12/vapor/seed-1/episodes.csv") > 20 &&
           lines("broken/deep_sea-depth=12/vapor/seed-2/episodes.csv") > 20;
  }));
  const std::vector<pid_t> children = children_of(process);
  ASSERT_THAT(children, Not(IsEmpty()));
  for (const pid_t child : children) kill(child, SIGKILL);
  EXPECT_EQ(exit_code_of(process), 0);
  EXPECT_THAT(contents(path(".started")),
              AllOf(HasSubstr("seed-1: ended by signal Killed; started again (2 of 3)"),
                    HasSubstr("seed-2: ended by signal Killed; started again (2 of 3)")));
  EXPECT_TRUE(files("broken") == files("whole"));
}

TEST_F(SweepCommand, ACellThatAlwaysDiesFailsAloneAfterThreeStarts) {
  const pid_t process = start(sweep(kLong, "sweep", {"--processes", "1"}));
  for (int attempt = 0; attempt < 3; ++attempt) {
    std::vector<pid_t> child;
    ASSERT_TRUE(comes_true([&] {
      child = children_of(process);
      return child.size() == 1;
    }));
    kill(child.front(), SIGKILL);
    ASSERT_TRUE(comes_true([&] { return children_of(process) != child; }));
  }
  EXPECT_EQ(exit_code_of(process), 1);
  EXPECT_THAT(contents(path(".started")),
              AllOf(HasSubstr("started again (3 of 3)"), Not(HasSubstr("seed-2"))));
  const json now = json::parse(vapor(sweep(kLong, "sweep", {"--summary", "--json"})).out);
  EXPECT_EQ(now["finished"], 4);
  EXPECT_EQ(now["unfinished"], 1);
}

// Ctrl-C and SIGTERM: the children save, the code is 128 + the signal, the same command goes on.
TEST_F(SweepCommand, InterruptedItGoesOnToTheSameBytes) {
  ASSERT_EQ(vapor(sweep(kLong, "whole", {"--quiet"})).exit_code, 0);
  for (const int signal : {SIGINT, SIGTERM}) {
    const std::string out = fmt::format("broken-{}", signal);
    const std::string cell = out + "/deep_sea-depth=12/vapor/seed-1";
    const pid_t process = start(sweep(kLong, out, {"--processes", "2"}));
    ASSERT_TRUE(comes_true([&] { return lines(cell + "/episodes.csv") > 20; }));
    kill(process, signal);
    EXPECT_EQ(exit_code_of(process), 128 + signal);
    EXPECT_THAT(contents(path(".started")), HasSubstr("interrupted"));
    EXPECT_TRUE(fs::exists(path(cell + "/checkpoint")));  // nothing that was played is lost
    const json left = json::parse(vapor(sweep(kLong, out, {"--summary", "--json"})).out);
    EXPECT_GT(left["unfinished"], 0);
    EXPECT_EQ(vapor(sweep(kLong, out, {"--quiet"})).exit_code, 0);
    EXPECT_TRUE(files(out) == files("whole"));
  }
}

// Children must not outlive a sweep that is killed: their folders would stay locked.
TEST_F(SweepCommand, ChildrenOfAKilledSweepEndAndTheNextOneGoesOn) {
  ASSERT_EQ(vapor(sweep(kLong, "whole", {"--quiet"})).exit_code, 0);
  const pid_t process = start(sweep(kLong, "broken", {"--processes", "2"}));
  ASSERT_TRUE(
      comes_true([&] { return lines("broken/deep_sea-depth=12/vapor/seed-1/episodes.csv") > 20; }));
  const std::vector<pid_t> children = children_of(process);
  kill(process, SIGKILL);
  EXPECT_EQ(exit_code_of(process), 128 + SIGKILL);
  for (const pid_t child : children)
    EXPECT_TRUE(comes_true([&] { return kill(child, 0) != 0; })) << child;
  // They did not simply go on to their end.
  EXPECT_THAT(contents(path("broken/deep_sea-depth=12/vapor/seed-1/run.json")),
              HasSubstr("\"running\""));
  EXPECT_EQ(vapor(sweep(kLong, "broken", {"--quiet"})).exit_code, 0);
  EXPECT_TRUE(files("broken") == files("whole"));
}

TEST_F(SweepCommand, TrainingsAreMadeLikeRunsAndBadInputStartsNothing) {
  const std::string toml = R"(
[[sweep]]
kind = "train"
envs = "deep_sea:depth=4"
agents = "vapor-lite:hidden=8"
episodes = 12
[[sweep]]
name = "tabular"
envs = "toy_chain"
agents = "vapor"
episodes = 3
)";
  std::string wrong = toml;
  wrong.replace(wrong.find("vapor-lite:"), 11, "vapor-lit:");
  EXPECT_THAT(refusal(sweep(wrong, "sweep", {"--json"})),
              AllOf(HasSubstr("sweep.toml:5: agents: must be one of"),
                    HasSubstr("did you mean vapor-lite?")));
  EXPECT_FALSE(fs::exists(path("sweep")));
  const Outcome outcome = vapor(sweep(toml, "sweep", {"--json"}));
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const json answer = json::parse(outcome.out);
  EXPECT_EQ(answer["finished"], 2);
  EXPECT_EQ(answer["failed"], 0);
  EXPECT_EQ(answer["cells"][0]["episodes_played"], 12);
  EXPECT_FALSE(answer["cells"][0].contains("total_regret"));  // nobody knows it
  const Words alone = {"train",
                       "--env",
                       "deep_sea:depth=4",
                       "--agent",
                       "vapor-lite:hidden=8",
                       "--episodes",
                       "12",
                       "--quiet",
                       "--out",
                       path("alone/deep_sea-depth=4/vapor-lite-hidden=8")};
  ASSERT_EQ(vapor(alone).exit_code, 0);
  Files made = files("sweep");
  std::erase_if(made, [](const auto& f) {
    return f.first.starts_with("tabular/") || f.first == "sweep.json";
  });
  EXPECT_TRUE(made == files("alone"));
  const json again = json::parse(vapor(sweep(toml, "sweep", {"--json"})).out);
  EXPECT_EQ(again["was_finished"], 2);
}

TEST_F(SweepCommand, BadInputIsNamedAndNothingIsWritten) {
  const std::string good = "envs = 'toy_chain'\nagents = 'vapor'\nepisodes = 3\n";
  EXPECT_THAT(refusal(sweep("envs = 'toy_chain'\nagents = 'vapr'", "sweep")),
              AllOf(HasSubstr("sweep.toml:2: agents: "), HasSubstr("did you mean vapor?")));
  EXPECT_THAT(refusal(sweep(good, "sweep", {"--engine", "rya"})), HasSubstr("did you mean ray?"));
  EXPECT_THAT(refusal(sweep(good, "sweep", {"--address", "1.2.3.4:5"})), HasSubstr("--address"));
  EXPECT_THAT(refusal(sweep(good, "sweep", {"--engine", "ray", "--processes", "2"})),
              HasSubstr("--processes"));
  EXPECT_THAT(refusal(sweep(good, "sweep", {"--dry-run", "--summary"})), HasSubstr("--dry-run"));
  EXPECT_THAT(refusal({"sweep", path("none.toml")}), HasSubstr("there is no such file"));
  EXPECT_THAT(refusal({"sweep", path("")}), HasSubstr("not a regular file"));
  refusal({"sweep"});
  EXPECT_FALSE(fs::exists(path("sweep")));
  ASSERT_EQ(vapor(sweep(good, "sweep", {"--quiet"})).exit_code, 0);
  const Files before = files("sweep");
  EXPECT_THAT(refusal(sweep(good + "seeds = 2\nstop = 'solved'", "sweep")), HasSubstr("stop: is"));
  EXPECT_TRUE(files("sweep") == before);
}

// The interpreter is missing, or has no package: one line that says what to do.
TEST_F(SweepCommand, AMissingPythonPackageIsNamed) {
  const std::string good = "envs = 'toy_chain'\nagents = 'vapor'\nepisodes = 3\n";
  const Words words = sweep(good, "sweep", {"--engine", "ray"});
  ASSERT_EQ(setenv("VAPOR_PYTHON", path("no-python").c_str(), 1), 0);
  EXPECT_THAT(refusal(words), AllOf(HasSubstr("no-python"), HasSubstr("VAPOR_PYTHON")));
  write("python", "#!/bin/sh\nexec python3 -I -S \"$@\"\n");  // without any packages
  fs::permissions(path("python"), fs::perms::owner_all);
  ASSERT_EQ(setenv("VAPOR_PYTHON", path("python").c_str(), 1), 0);
  EXPECT_THAT(refusal(words),
              AllOf(HasSubstr("No module named 'vapor'"), HasSubstr("pip install")));
  unsetenv("VAPOR_PYTHON");
}

TEST_F(SweepCommand, TheExampleRuns) {
  const std::string example = std::string(VAPOR_SOURCE_DIR) + "/examples/sweep.toml";
  const Outcome outcome = vapor({"sweep", example, "--out", path("sweep"), "--json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(json::parse(outcome.out)["finished"], 28);
  const Outcome report = vapor({"report", path("sweep"), "--out", path("report"), "--json"});
  ASSERT_EQ(report.exit_code, 0) << report.err;
  EXPECT_EQ(json::parse(report.out)["runs"], 28);
}

}  // namespace
}  // namespace vapor
