#include "tests/command/run_command.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <nlohmann/json.hpp>
#include <thread>

#include "vapor/core/random.h"

namespace vapor {
namespace {

using nlohmann::json;
using test_support::contents;
using test_support::Outcome;
using testing::AllOf;
using testing::HasSubstr;
namespace fs = test_support::fs;

using Words = std::vector<std::string>;

class RunCommand : public test_support::CommandTest {
 protected:
  static Words run(const std::string& env, const std::string& agent, int episodes) {
    return {"run", "--env", env, "--agent", agent, "--episodes", std::to_string(episodes)};
  }
  Words into(const std::string& name, const Words& words) const {
    return with(words, {"--out", path(name)});
  }

  // run.json and episodes.csv of every seed.
  std::string promised_bytes(const std::string& name) const {
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(path(name)))
      if (entry.is_regular_file() && entry.path().filename() != "timing.csv" &&
          entry.path().filename() != "lock")
        files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    std::string bytes;
    for (const fs::path& file : files)
      bytes += fs::relative(file, path(name)).string() + "\n" + contents(file);
    return bytes;
  }

  // A `vapor` that goes on while the test does something else.
  pid_t start(const Words& arguments) const {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    for (int stream : {1, 2})
      posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_WRONLY, 0);
    Words words = with({VAPOR_COMMAND}, arguments);
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    pid_t process = 0;
    EXPECT_EQ(posix_spawn(&process, VAPOR_COMMAND, &actions, nullptr, argv.data(), environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    return process;
  }

  static int wait_for(pid_t process) {
    int status = 0;
    EXPECT_EQ(waitpid(process, &status, 0), process);
    return status;
  }

  void wait_until_lines(const std::string& file, long lines) const {
    for (int i = 0; i < 20000; ++i) {
      const std::string text = contents(path(file));
      if (std::count(text.begin(), text.end(), '\n') >= lines) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    FAIL() << file << " does not grow";
  }
};

TEST_F(RunCommand, OneObjectOfJson) {
  const Outcome outcome =
      vapor(into("runs", with(run("deep_sea:depth=5", "vapor", 40),
                              {"--seeds", "3", "--seed", "7", "--json", "--stop-when-solved"})));
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, "");
  const json answer = json::parse(outcome.out);
  EXPECT_EQ(answer["env"], "deep_sea:depth=5");
  EXPECT_EQ(answer["stop"], "solved");
  ASSERT_EQ(answer["runs"].size(), 3u);
  double sum = 0.0;
  for (int k = 0; k < 3; ++k) {
    const json& row = answer["runs"][k];
    EXPECT_EQ(row["seed"], 7 + k);
    EXPECT_EQ(row["status"], "finished");
    EXPECT_EQ(row["solved"], row["episodes"]);
    EXPECT_LE(row["first_success"], row["solved"]);
    EXPECT_TRUE(fs::exists(row["folder"].get<std::string>() + "/episodes.csv"));
    sum += row["episodes"].get<double>();
  }
  EXPECT_NEAR(answer["aggregate"]["episodes"]["mean"].get<double>(), sum / 3.0, 1e-9);
  EXPECT_EQ(answer["aggregate"]["solved"]["count"], 3);
}

TEST_F(RunCommand, WhatNeverHappenedIsNull) {
  const json answer = json::parse(
      vapor(into("runs", with(run("four_rooms:size=5", "epsilon-greedy", 3), {"--json"}))).out);
  EXPECT_TRUE(answer["runs"][0]["first_success"].is_null());
  EXPECT_TRUE(answer["aggregate"]["solved"]["mean"].is_null());
}

TEST_F(RunCommand, AFinishedRunIsLeftAloneAndSaysSo) {
  const Words command = into("runs", run("toy_chain", "thompson", 10));
  const Outcome first = vapor(command);
  EXPECT_EQ(first.exit_code, 0);
  EXPECT_THAT(first.out, AllOf(HasSubstr("thompson in toy_chain"), HasSubstr("finished")));
  const std::string before = promised_bytes("runs");
  const Outcome again = vapor(command);
  EXPECT_EQ(again.exit_code, 0);
  EXPECT_THAT(again.out, HasSubstr("was finished"));
  EXPECT_EQ(promised_bytes("runs"), before);
  EXPECT_EQ(vapor(with(command, {"--quiet"})).out, "");
}

TEST_F(RunCommand, ThreadsChangeNoByte) {
  const Words command = with(run("deep_sea:depth=6", "vapor", 20), {"--seeds", "4", "--quiet"});
  EXPECT_EQ(vapor(into("one", with(command, {"--threads", "1"}))).exit_code, 0);
  EXPECT_EQ(vapor(into("two", with(command, {"--threads", "2"}))).exit_code, 0);
  EXPECT_EQ(promised_bytes("one"), promised_bytes("two"));
}

// kill -9 again and again at moments that a seed draws, until the run is through.
TEST_F(RunCommand, KilledAtRandomMomentsItIsTheUnbrokenRun) {
  for (const char* agent : {"vapor", "thompson"}) {
    SCOPED_TRACE(agent);
    const Words command =
        with(run("deep_sea:depth=12,stochastic=true", agent, 400),
             {"--seeds", "2", "--threads", "2", "--snapshot-every", "150", "--quiet"});
    const std::string name = agent;
    ASSERT_EQ(vapor(into(name + "-unbroken", command)).exit_code, 0);
    const Words broken = into(name + "-broken", with(command, {"--checkpoint-every", "7"}));
    RandomStream random(11);
    int kills = 0;
    int status = -1;
    while (status != 0 && kills < 12) {
      const pid_t process = start(broken);
      std::this_thread::sleep_for(std::chrono::microseconds(random.index(60'000)));
      kill(process, SIGKILL);
      status = wait_for(process);
      ++kills;
    }
    EXPECT_EQ(vapor(broken).exit_code, 0);
    EXPECT_EQ(promised_bytes(name + "-broken"), promised_bytes(name + "-unbroken"));
    EXPECT_FALSE(fs::exists(path(name + "-broken/seed-1/checkpoint")));
  }
}

TEST_F(RunCommand, CtrlCSavesAndSaysSoByItsCode) {
  const Words command = with(run("deep_sea:depth=10,stochastic=true", "vapor", 300), {"--quiet"});
  const Words endless = into("broken", with(command, {"--checkpoint-every", "1000000"}));
  ASSERT_EQ(vapor(into("unbroken", command)).exit_code, 0);
  const pid_t process = start(endless);
  wait_until_lines("broken/seed-1/episodes.csv", 5);
  kill(process, SIGINT);
  const int status = wait_for(process);
  ASSERT_TRUE(WIFEXITED(status));
  if (WEXITSTATUS(status) != 0) {  // else it was faster than the signal
    EXPECT_EQ(WEXITSTATUS(status), 130);
    EXPECT_TRUE(fs::exists(path("broken/seed-1/checkpoint")));
  }
  EXPECT_EQ(vapor(endless).exit_code, 0);
  EXPECT_EQ(promised_bytes("broken"), promised_bytes("unbroken"));
}

TEST_F(RunCommand, ASecondProcessIsRefused) {
  const Words command = into("runs", with(run("deep_sea:depth=30", "vapor", 1000000), {"--quiet"}));
  const pid_t process = start(command);
  wait_until_lines("runs/seed-1/episodes.csv", 2);
  EXPECT_THAT(refusal(command), AllOf(HasSubstr("seed-1"), HasSubstr("in use")));
  kill(process, SIGKILL);
  wait_for(process);
}

TEST_F(RunCommand, AnotherDefinitionIsRefused) {
  ASSERT_EQ(vapor(into("runs", run("toy_chain", "thompson", 3))).exit_code, 0);
  const std::string before = promised_bytes("runs");
  EXPECT_THAT(refusal(into("runs", run("toy_chain", "thompson", 4))),
              AllOf(HasSubstr("run.json"), HasSubstr("episodes: is 3")));
  EXPECT_THAT(refusal(into("runs", run("toy_chain", "vapor", 3))), HasSubstr("agent: is"));
  EXPECT_EQ(promised_bytes("runs"), before);
}

TEST_F(RunCommand, BadInputIsNamedAndNothingIsWritten) {
  const auto complaint = [&](const Words& words) { return refusal(into("runs", words)); };
  EXPECT_THAT(complaint(run("deep_see", "vapor", 3)), HasSubstr("did you mean deep_sea?"));
  EXPECT_THAT(complaint(run("deep_sea:dept=3", "vapor", 3)), HasSubstr("depth"));
  EXPECT_THAT(complaint(run("deep_sea", "vapr", 3)), HasSubstr("did you mean vapor?"));
  EXPECT_THAT(complaint(run("deep_sea", "vapor", 0)), HasSubstr("--episodes"));
  EXPECT_THAT(complaint(run("", "vapor", 3)), HasSubstr("--env"));
  const Words good = run("deep_sea", "vapor", 3);
  EXPECT_THAT(complaint(with(good, {"--belief", "tabluar"})), HasSubstr("did you mean tabular?"));
  EXPECT_THAT(complaint(with(good, {"--belief", "tabular:mass=-1"})), HasSubstr("mass"));
  EXPECT_THAT(complaint(with(good, {"--seeds", "0"})), HasSubstr("--seeds"));
  EXPECT_THAT(complaint(with(good, {"--seed", "-1"})), HasSubstr("--seed"));
  EXPECT_THAT(complaint(with(good, {"--threads", "-1"})), HasSubstr("--threads"));
  EXPECT_THAT(complaint(with(good, {"--snapshot-every", "-1"})), HasSubstr("--snapshot-every"));
  EXPECT_THAT(complaint(with(good, {"--stop", "solvd"})), HasSubstr("did you mean solved?"));
  EXPECT_THAT(complaint(with(good, {"--stop", "covered", "--stop-when-solved"})),
              HasSubstr("--stop-when-solved"));
  EXPECT_THAT(complaint(with(run("grid_world", "vapor", 3), {"--stop-when-solved"})),
              HasSubstr("--stop"));
  EXPECT_FALSE(fs::exists(path("runs")));
  refusal({"run"});
  refusal({"run", "--env", "deep_sea"});
  write("file", "not a folder");
  EXPECT_THAT(refusal(into("file", good)), HasSubstr("file"));
}

TEST_F(RunCommand, ListsNameEverything) {
  for (const char* what : {"envs", "agents", "beliefs"}) {
    const json answer = json::parse(vapor({"list", what, "--json"}).out);
    const Outcome text = vapor({"list", what});
    EXPECT_EQ(text.exit_code, 0);
    ASSERT_GE(answer[what].size(), 2u);
    for (const json& kind : answer[what]) {
      EXPECT_FALSE(kind["summary"].get<std::string>().empty());
      EXPECT_THAT(text.out, HasSubstr(kind["name"].get<std::string>()));
    }
  }
  refusal({"list"});
  refusal({"list", "solvers"});
}

}  // namespace
}  // namespace vapor
