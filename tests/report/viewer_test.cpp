#include "vapor/report/viewer.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/record/temporary_folder.h"
#include "tests/report/recorded_run.h"
#include "vapor/record/run_folder.h"

namespace vapor {
namespace {

using nlohmann::json;
using test_support::write_contents;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Lt;
namespace fs = test_support::fs;

constexpr const char* kDrawing =
    R"({"format": "vapor-drawing", "format_version": 1, "rows": 1, "columns": 1,
        "cells": [[[0, 0]]], "goals": [[[0, 1]]], "next": [[[null, null]]]})";

class ViewerTest : public test_support::FolderTest {
 protected:
  // A run of one state with two actions and a snapshot after each of its episodes.
  std::string make_run(const std::string& name, int snapshots, bool finished = true) const {
    RunHeader header;
    header.definition = {{"env", "bandit"},
                         {"agent", name},
                         {"belief", "tabular"},
                         {"episodes", 40},
                         {"seed", 3},
                         {"stop", "never"},
                         {"snapshot_every", snapshots > 0 ? 1 : 0}};
    header.command = "vapor run --env bandit --agent " + name;
    header.columns = {"episode", "return"};
    RunFolder folder(path(name), header);
    if (snapshots > 0) folder.write_snapshot("drawing.json", kDrawing);
    for (int t = 0; t < snapshots; ++t) {
      folder.write_snapshot(fmt::format("{:09}.json", t), snapshot_text(t));
      folder.append(std::vector{0.5}, 0.0);
    }
    if (finished) folder.finish();
    return path(name);
  }

  static std::string snapshot_text(int episodes) {
    json snapshot = {{"format", "vapor-snapshot"},
                     {"format_version", 1},
                     {"episodes", episodes},
                     {"program", "vapor"},
                     {"V", {{-1.5}}}};
    for (const char* table : {"policy", "lambda", "tau", "next_value", "reward_mean", "sigma_hat"})
      snapshot[table] = {{{0.25, 0.75}}};
    snapshot["tau"][0][0][1] = nullptr;
    snapshot["counts"] = {{{episodes, 1}}};
    return snapshot.dump();
  }

  static View view(const std::vector<std::string>& folders, const ViewSettings& settings = {}) {
    return make_view(folders, settings);
  }

  static json data_of(const std::string& html) {
    const std::string start = "<script type=\"application/json\" id=\"runs\">";
    const std::size_t begin = html.find(start) + start.size();
    return json::parse(html.substr(begin, html.find("</script>", begin) - begin));
  }
};

TEST_F(ViewerTest, ThePageHasTheNumbersOfTheSnapshots) {
  const View made = view({make_run("vapor", 3)});
  const json run = data_of(made.html)[0];
  EXPECT_EQ(run["agent"], "vapor");
  EXPECT_EQ(run["seed"], 3);
  EXPECT_EQ(run["finished"], true);
  EXPECT_EQ(run["drawing"]["goals"], json::parse("[1]"));
  ASSERT_EQ(run["snapshots"].size(), 3u);
  const json& last = run["snapshots"][2];
  EXPECT_EQ(last["episodes"], 2);
  EXPECT_EQ(last["program"], "vapor");
  EXPECT_EQ(last["policy"], "AACAPgAAQD8=");  // 0.25 and 0.75 as bits 3e800000 and 3f400000
  EXPECT_EQ(last["counts"], "AAAAQAAAgD8=");  // 2 and 1
  EXPECT_EQ(last["V"], "AADAvw==");           // -1.5 is bfc00000
  EXPECT_EQ(last["tau"], "AACAPgAAwH8=");     // NaN is 7fc00000
  EXPECT_THAT(made.html, HasSubstr("<title>vapor in bandit: VAPOR viewer</title>"));
}

TEST_F(ViewerTest, ThinningKeepsTheEndsAndIsEven) {
  EXPECT_THAT(thinned(5, 9), ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(thinned(9, 5), ElementsAre(0, 2, 4, 6, 8));
  EXPECT_THAT(thinned(100, 2), ElementsAre(0, 99));
  EXPECT_THAT(thinned(1, 2), ElementsAre(0));
  for (std::size_t count = 2; count < 40; ++count)
    for (std::size_t most = 2; most < 40; ++most) {
      const std::vector<std::size_t> kept = thinned(count, most);
      EXPECT_EQ(kept.size(), std::min(count, most));
      EXPECT_EQ(kept.front(), 0u);
      EXPECT_EQ(kept.back(), count - 1);
      for (std::size_t i = 1; i < kept.size(); ++i) EXPECT_GT(kept[i], kept[i - 1]);
    }
}

TEST_F(ViewerTest, ManySnapshotsAreThinnedToTheBytesThatAreAllowed) {
  const std::string one = make_run("one", 40);
  const std::string other = make_run("other", 40);
  const View whole = view({one});
  EXPECT_EQ(whole.runs[0].shown, 40u);
  const View thin = view({one, other}, {.most_bytes = 6000});
  EXPECT_EQ(thin.runs[0].snapshots, 40u);
  EXPECT_THAT(thin.runs[0].shown, AllOf(testing::Ge(2u), Lt(40u)));
  EXPECT_EQ(thin.runs[1].shown, thin.runs[0].shown);
  const json runs = data_of(thin.html);
  EXPECT_THAT(runs.dump().size(), Lt(8000u));
  EXPECT_EQ(runs[0]["snapshots_recorded"], 40);
  EXPECT_EQ(runs[0]["snapshots"].front()["episodes"], 0);
  EXPECT_EQ(runs[0]["snapshots"].back()["episodes"], 39);
  EXPECT_EQ(view({one}, {.most_bytes = 1}).runs[0].shown, 2u);
}

TEST_F(ViewerTest, AnUnfinishedRunShowsWhatIsThere) {
  const View made = view({make_run("vapor", 2, false)});
  const json run = data_of(made.html)[0];
  EXPECT_EQ(run["finished"], false);
  EXPECT_EQ(run["episodes"], 2);
  EXPECT_EQ(run["snapshots"].size(), 2u);
}

TEST_F(ViewerTest, RefusalsSayWhatToDo) {
  const auto said = [&](const std::string& folder) {
    return complaint([&] { (void)view({folder}); });
  };
  EXPECT_THAT(said(path("nowhere")), HasSubstr("nowhere: there is no such folder"));
  write_contents(path("file"), "");
  EXPECT_THAT(said(path("file")), HasSubstr("name the folder of a run"));
  fs::create_directory(path("empty"));
  EXPECT_THAT(said(path("empty")), HasSubstr("holds no run.json"));
  EXPECT_THAT(said(make_run("bare", 0)),
              HasSubstr("bare: has no snapshots; make the run again with --snapshot-every N: vapor "
                        "run --env bandit --agent bare --snapshot-every 2 --out DIR"));
  test_support::write_training(path("trained"), {.returns = {1.0}});
  EXPECT_EQ(said(path("trained")), path("trained") +
                                       ": is a training, which has no snapshots; "
                                       "vapor play shows it: vapor play " +
                                       path("trained"));
  fs::create_directory(path("seeds"));
  for (const char* seed : {"seeds/seed-2", "seeds/seed-1"})
    fs::rename(make_run("x", 1), path(seed));
  EXPECT_THAT(said(path("seeds")),
              AllOf(HasSubstr("holds runs"), HasSubstr("e.g. " + path("seeds/seed-1"))));
  const std::string undrawn = make_run("undrawn", 1);
  fs::remove(undrawn + "/snapshots/drawing.json");
  EXPECT_THAT(said(undrawn), AllOf(HasSubstr("drawing.json: is missing"),
                                   HasSubstr("vapor run --env bandit --agent undrawn --out DIR")));
  const std::string emptied = make_run("emptied", 1);
  fs::remove_all(emptied + "/snapshots");
  EXPECT_THAT(said(emptied), HasSubstr("snapshots: is missing or empty"));
  const std::string broken = make_run("broken", 2);
  write_contents(broken + "/snapshots/000000001.json", "{");
  EXPECT_THAT(said(broken), HasSubstr("000000001.json: is not JSON"));
}

TEST_F(ViewerTest, ItKnowsItsOwnPages) {
  write_contents(path("view.html"), view({make_run("vapor", 1)}).html);
  EXPECT_TRUE(is_view(path("view.html")));
  write_contents(path("other.html"), "<!doctype html><main id=\"view\">");
  EXPECT_FALSE(is_view(path("other.html")));
  EXPECT_FALSE(is_view(path("nowhere.html")));
}

}  // namespace
}  // namespace vapor
