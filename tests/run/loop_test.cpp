#include "vapor/run/loop.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "tests/record/temporary_folder.h"
#include "vapor/agent/registry.h"
#include "vapor/core/spec.h"
#include "vapor/env/registry.h"
#include "vapor/record/run_record.h"
#include "vapor/record/run_summary.h"
#include "vapor/run/snapshot.h"
#include "vapor/run/sweep.h"

namespace vapor {
namespace {

using test_support::contents;
using testing::HasSubstr;
namespace fs = test_support::fs;

// Every file of a run that is promised, by name.
using Bytes = std::map<std::string, std::string>;

Bytes bytes_of(const std::string& folder) {
  Bytes bytes;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string name = entry.path().filename();
    if (entry.is_regular_file() && name != "timing.csv" && name != "lock")
      bytes[fs::relative(entry.path(), folder)] = contents(entry.path());
  }
  return bytes;
}

class Loop : public test_support::FolderTest {
 protected:
  static RunSettings settings(const std::string& env, const std::string& agent,
                              std::int64_t episodes) {
    RunSettings run;
    run.env = env;
    run.agent = agent;
    run.episodes = episodes;
    run.seed = 5;
    return run;
  }

  Bytes unbroken(const RunSettings& run) const {
    EXPECT_EQ(make_run(run, path("unbroken")), RunEnd::kFinished);
    return bytes_of(path("unbroken"));
  }
};

TEST_F(Loop, RecordsReturnValueAndRegret) {
  const RunSettings run = complete(settings("deep_sea:depth=5", "vapor", 30));
  EXPECT_EQ(make_run(run, path("run")), RunEnd::kFinished);
  const RunRecord record = read_run(path("run"));
  ASSERT_EQ(record.episodes.rows(), 30u);
  EXPECT_EQ(record.run.definition["belief"],
            "tabular:reward=normal-gamma,counts=layer,mass=0.1,scale=0.5");
  // Always right earns 1 - 0.01, and nothing is better.
  for (std::size_t t = 0; t < 30; ++t)
    EXPECT_NEAR(record.episodes.column("value")[t] + record.episodes.column("regret")[t], 0.99,
                1e-12);
  EXPECT_LT(record.episodes.column("regret")[29], 0.5);
  EXPECT_TRUE(summarise(record).solved.has_value());
}

bool needs_a_cost(const std::string& agent) {
  const std::vector<std::string> all = {"opt-cmdp", "optpess-lp", "dope", "safe-psrl"};
  return std::ranges::find(all, agent) != all.end();
}

// An episode's cost is as it was paid; what the policy costs in expectation, and how far above the
// budget that is, are exact.
TEST_F(Loop, RecordsWhatEpisodesCost) {
  for (const char* agent : {"vapor", "vapor:budget=auto", "dope"}) {
    SCOPED_TRACE(agent);
    fs::remove_all(path("run"));
    make_run(complete(settings("factored_cmdp:horizon=4", agent, 12)), path("run"));
    const RunRecord record = read_run(path("run"));
    const auto column = [&](const char* name) { return record.episodes.column(name); };
    for (std::size_t t = 0; t < 12; ++t) {
      EXPECT_EQ(column("cost")[t], std::round(column("cost")[t]));
      EXPECT_LE(column("expected_cost")[t], 4.0 + 1e-12);
      EXPECT_NEAR(column("violation")[t], std::max(0.0, column("expected_cost")[t] - 2.0), 1e-12);
      // Three moves pay 2, and a budget of 2 buys them two times of three: what is worth more than
      // 4/3 costs more.
      EXPECT_TRUE(column("value")[t] <= 4.0 / 3.0 + 1e-9 || column("violation")[t] > 0.0);
      EXPECT_NEAR(column("regret")[t], std::max(0.0, 4.0 / 3.0 - column("value")[t]), 1e-9);
    }
    if (agent != std::string("vapor")) {
      EXPECT_EQ(column("violation")[11], 0.0);
    }
  }
}

// Interrupted after each episode, as by Ctrl-C, for every agent there is.
TEST_F(Loop, InterruptedAtEveryEpisodeItIsTheUnbrokenRun) {
  for (const AgentKind& kind : agent_kinds()) {
    SCOPED_TRACE(kind.name);
    const bool finite = kind.name == "bayes-optimal";  // plans over finitely many models alone
    const bool safe = needs_a_cost(kind.name);
    RunSettings run = settings(finite ? "toy_chain:length=3"
                               : safe ? "factored_cmdp:horizon=4"
                                      : "deep_sea:depth=4,stochastic=true",
                               kind.name, 8);
    run.snapshot_every = 3;
    run = complete(run);
    fs::remove_all(path("unbroken"));
    fs::remove_all(path("broken"));
    const Bytes expected = unbroken(run);
    EXPECT_EQ(expected.size(), 2u + 5u);  // snapshots at 0, 3, 6 and 8, and the drawing
    for (std::int64_t k = 1; k < 8; ++k) {
      LoopOptions until_k;
      until_k.keep_going = [k](const RunProgress& p) { return p.episodes < k; };
      EXPECT_EQ(make_run(run, path("broken"), until_k), RunEnd::kInterrupted);
      EXPECT_EQ(read_run(path("broken")).episodes.rows(), static_cast<std::size_t>(k));
    }
    EXPECT_EQ(make_run(run, path("broken")), RunEnd::kFinished);
    EXPECT_EQ(bytes_of(path("broken")), expected);
  }
}

// Killed without a chance to save, at any distance from the last checkpoint.
TEST_F(Loop, KilledAtAnyEpisodeItIsTheUnbrokenRun) {
  struct Kill {};
  RunSettings run = settings("random_mdp:layers=3,states=3", "vapor", 12);
  run.snapshot_every = 5;
  run = complete(run);
  const Bytes expected = unbroken(run);
  for (std::int64_t k = 0; k <= 12; ++k) {
    SCOPED_TRACE(k);
    fs::remove_all(path("broken"));
    LoopOptions until_k;
    until_k.checkpoint = {.episodes = 4, .seconds = 1e6};
    until_k.keep_going = [k](const RunProgress& p) {
      if (p.episodes == k) throw Kill();
      return true;
    };
    EXPECT_THROW(make_run(run, path("broken"), until_k), Kill);
    EXPECT_EQ(make_run(run, path("broken")), RunEnd::kFinished);
    EXPECT_EQ(bytes_of(path("broken")), expected);
  }
}

TEST_F(Loop, EveryEnvironmentResumes) {
  for (const EnvironmentKind& kind : environment_kinds()) {
    SCOPED_TRACE(kind.name);
    const RunSettings run = complete(settings(kind.name, "thompson", 6));
    fs::remove_all(path("unbroken"));
    fs::remove_all(path("broken"));
    const Bytes expected = unbroken(run);
    LoopOptions until_3;
    until_3.keep_going = [](const RunProgress& p) { return p.episodes < 3; };
    EXPECT_EQ(make_run(run, path("broken"), until_3), RunEnd::kInterrupted);
    EXPECT_EQ(make_run(run, path("broken")), RunEnd::kFinished);
    EXPECT_EQ(bytes_of(path("broken")), expected);
  }
}

// A game that there is not left a folder that then refused the right game.
TEST_F(Loop, APlayerThatCannotBeMadeLeavesNoFolder) {
  RunPlan plan = plan_of(complete(settings("deep_sea:depth=4", "vapor", 3)));
  plan.make_player = []() -> std::unique_ptr<Player> { throw InputError("game", "is none"); };
  EXPECT_THROW(make_run(plan, path("run")), InputError);
  EXPECT_FALSE(fs::exists(path("run")));
}

TEST_F(Loop, AFinishedRunIsLeftAlone) {
  const RunSettings run = complete(settings("toy_chain", "vapor", 3));
  const Bytes before = unbroken(run);
  EXPECT_EQ(make_run(run, path("unbroken")), RunEnd::kWasFinished);
  EXPECT_EQ(bytes_of(path("unbroken")), before);
}

TEST_F(Loop, StopsWhenSolved) {
  RunSettings run = settings("deep_sea:depth=5", "vapor", 1000);
  run.stop = StopRule::kSolved;
  EXPECT_EQ(make_run(complete(run), path("run")), RunEnd::kFinished);
  const RunSummary summary = summarise(read_run(path("run")));
  EXPECT_LT(summary.episodes, 1000);
  EXPECT_EQ(summary.solved, summary.episodes);
}

// Coverage takes as many episodes as the record says, and not one less.
TEST_F(Loop, StopsWhenCovered) {
  RunSettings run = settings("deep_sea:depth=3", "epsilon-greedy:epsilon=1", 1000);
  run.stop = StopRule::kCovered;
  run.snapshot_every = 1;
  EXPECT_EQ(make_run(complete(run), path("run")), RunEnd::kFinished);
  const auto untried = [&](std::size_t episodes) {
    const nlohmann::json counts = nlohmann::json::parse(
        contents(path("run/snapshots/") + fmt::format("{:09}.json", episodes)))["counts"];
    int zeros = 0;
    for (const auto& layer : counts)
      for (const auto& state : layer)
        for (const auto& count : state) zeros += count == 0 ? 1 : 0;
    return zeros;
  };
  const std::size_t episodes = read_run(path("run")).episodes.rows();
  EXPECT_GE(episodes, 6u) << "the last layer has six pairs, one an episode";
  EXPECT_EQ(untried(episodes), 0);
  EXPECT_GT(untried(episodes - 1), 0);
}

TEST_F(Loop, CoverageCountsCellsAndActionsInWhateverLayer) {
  RunSettings run = settings("four_rooms:size=5,horizon=40", "epsilon-greedy:epsilon=1", 5000);
  run.stop = StopRule::kCovered;
  EXPECT_EQ(make_run(complete(run), path("run")), RunEnd::kFinished);
  EXPECT_LT(read_run(path("run")).episodes.rows(), 5000u);
}

TEST_F(Loop, SnapshotsHoldTheTables) {
  RunSettings run = settings("deep_sea:depth=3", "vapor", 4);
  run.snapshot_every = 4;
  EXPECT_EQ(make_run(complete(run), path("run")), RunEnd::kFinished);
  const auto snapshot = nlohmann::json::parse(contents(path("run/snapshots/000000004.json")));
  EXPECT_EQ(snapshot["episodes"], 4);
  for (const char* table : {"policy", "lambda", "tau", "sigma_hat", "reward_mean", "counts"}) {
    SCOPED_TRACE(table);
    ASSERT_EQ(snapshot[table].size(), 3u);
    EXPECT_EQ(snapshot[table][2].size(), 3u);
    EXPECT_EQ(snapshot[table][2][0].size(), 2u);
  }
  EXPECT_EQ(snapshot["V"][2].size(), 3u);
  EXPECT_EQ(snapshot["counts"][0][0][0].get<int>() + snapshot["counts"][0][0][1].get<int>(), 4);
  EXPECT_NEAR(snapshot["lambda"][0][0][0].get<double>() + snapshot["lambda"][0][0][1].get<double>(),
              1.0, 1e-9);
  const auto drawing = nlohmann::json::parse(contents(path("run/snapshots/drawing.json")));
  EXPECT_EQ(drawing["rows"], 3);
  EXPECT_EQ(drawing["cells"][2].size(), 3u);
  EXPECT_FALSE(drawing.contains("action_names"));  // actions differ from cell to cell
}

TEST_F(Loop, ADrawingNamesTheActionsThatHaveNames) {
  const std::string river =
      drawing_text(make_environment(Spec("env", "river_swim:states=3,horizon=2"), 1));
  EXPECT_EQ(nlohmann::json::parse(river)["action_names"].dump(), R"(["left","right"])");
}

TEST_F(Loop, BadSettingsAreNamed) {
  const auto said = [&](RunSettings run) { return complaint([&] { complete(run); }); };
  EXPECT_THAT(said(settings("deep_see", "vapor", 1)), HasSubstr("env: "));
  EXPECT_THAT(said(settings("deep_sea", "vaporize", 1)), HasSubstr("agent: "));
  EXPECT_THAT(said(settings("deep_sea", "vapor", 0)), HasSubstr("episodes: "));
  RunSettings run = settings("grid_world", "vapor", 1);
  run.stop = StopRule::kSolved;
  EXPECT_THAT(said(run), HasSubstr("stop: "));
  run = settings("deep_sea", "vapor", 1);
  run.belief = "finite";
  EXPECT_THAT(said(run), HasSubstr("belief: "));
}

class Sweep : public Loop {
 protected:
  std::vector<SweepCell> cells(const std::string& folder, int count = 5) const {
    std::vector<SweepCell> all;
    for (int k = 0; k < count; ++k) {
      RunSettings run = settings("deep_sea:depth=5", k % 2 == 0 ? "vapor" : "thompson", 15);
      run.seed = static_cast<std::uint64_t>(k);
      all.push_back({complete(run), path(folder) + "/" + std::to_string(k)});
    }
    return all;
  }
};

TEST_F(Sweep, ThreadsChangeNothing) {
  SweepOptions options;
  EXPECT_EQ(sweep(cells("one"), options), std::vector(5, RunEnd::kFinished));
  options.threads = 2;
  EXPECT_EQ(sweep(cells("two"), options), std::vector(5, RunEnd::kFinished));
  EXPECT_EQ(bytes_of(path("one")).size(), 10u);
  EXPECT_EQ(bytes_of(path("one")), bytes_of(path("two")));
  EXPECT_NE(bytes_of(path("one/0")), bytes_of(path("one/2"))) << "seeds differ";
}

TEST_F(Sweep, AnInterruptSavesAndGoesOn) {
  std::atomic<bool> interrupt = false;
  SweepOptions options;
  options.threads = 2;
  options.interrupt = &interrupt;
  options.progress = [&](const SweepProgress& p) { interrupt = p.episodes_played >= 20; };
  const std::vector<RunEnd> ends = sweep(cells("broken"), options);
  EXPECT_THAT(ends, testing::Contains(RunEnd::kInterrupted));
  EXPECT_EQ(sweep(cells("broken"), {}).size(), 5u);
  sweep(cells("unbroken"), {});
  EXPECT_EQ(bytes_of(path("broken")), bytes_of(path("unbroken")));
}

TEST_F(Sweep, ProgressAddsUp) {
  SweepProgress last;
  SweepOptions options;
  options.progress = [&](const SweepProgress& p) { last = p; };
  sweep(cells("run"), options);
  EXPECT_EQ(last.runs_ended, 5u);
  EXPECT_EQ(last.episodes, 75);
  EXPECT_EQ(last.episodes_done, 75);
  EXPECT_EQ(last.episodes_played, 75);
  sweep(cells("run"), options);
  EXPECT_EQ(last.episodes_done, 75);
  EXPECT_EQ(last.episodes_played, 0);
}

TEST_F(Sweep, OneFolderInUseStopsAll) {
  const std::vector<SweepCell> all = cells("run");
  const RunFolder other(all[3].folder, header_of(all[3].settings));
  SweepOptions options;
  options.threads = 2;
  EXPECT_THAT(complaint([&] { sweep(all, options); }), HasSubstr("in use"));
}

TEST_F(Sweep, OneWrongFolderAndNothingIsWritten) {
  std::vector<SweepCell> all = cells("run");
  {
    RunSettings other = all[4].settings;
    other.episodes = 16;
    const RunFolder there(all[4].folder, header_of(other));
  }
  EXPECT_THAT(complaint([&] { sweep(all, {}); }), HasSubstr("episodes: is 16 in this run"));
  EXPECT_FALSE(fs::exists(all[0].folder));
}

}  // namespace
}  // namespace vapor
