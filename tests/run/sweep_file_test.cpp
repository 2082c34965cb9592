#include "vapor/run/sweep_file.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tests/record/temporary_folder.h"
#include "vapor/run/sweep_grid.h"

namespace vapor {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

class SweepFile : public test_support::FolderTest {
 protected:
  std::vector<SweepCell> cells(const std::string& text) const {
    test_support::write_contents(path("sweep.toml"), text);
    return read_sweep(path("sweep.toml"));
  }

  // Without the folder of the test: "sweep.toml:3: envs: ...".
  std::string complaint_about(const std::string& text) const {
    const std::string what = complaint([&] { cells(text); });
    EXPECT_THAT(what, StartsWith(path("")));
    return what.substr(path("").size());
  }

  static std::vector<std::string> folders(const std::vector<SweepCell>& cells) {
    std::vector<std::string> all;
    for (const SweepCell& cell : cells) all.push_back(cell.folder);
    return all;
  }
};

TEST_F(SweepFile, TheGridIsTheProductOfItsLists) {
  const std::vector<SweepCell> all = cells(R"(
envs = ["toy_chain", "deep_sea:depth=5"]
agents = ["vapor", "thompson"]
seeds = [7, 3]
episodes = 12
)");
  EXPECT_THAT(folders(all),
              ElementsAre("toy_chain/vapor/seed-7", "toy_chain/vapor/seed-3",
                          "toy_chain/thompson/seed-7", "toy_chain/thompson/seed-3",
                          "deep_sea-depth=5/vapor/seed-7", "deep_sea-depth=5/vapor/seed-3",
                          "deep_sea-depth=5/thompson/seed-7", "deep_sea-depth=5/thompson/seed-3"));
}

// The bytes of a run follow from its definition: the cell's must be that of `vapor run`.
TEST_F(SweepFile, ACellIsTheRunOfItsWords) {
  const SweepCell cell = cells(R"(
envs = "deep_sea:depth=5"
agents = "vapor"
beliefs = "tabular:mass=2"
seeds = { first = 9, count = 1 }
episodes = 12
stop = "solved"
snapshot_every = 4
)")
                             .front();
  const RunSettings same = complete({.env = "deep_sea:depth=5",
                                     .agent = "vapor",
                                     .belief = "tabular:mass=2",
                                     .episodes = 12,
                                     .seed = 9,
                                     .stop = StopRule::kSolved,
                                     .snapshot_every = 4});
  EXPECT_EQ(header_of(cell.settings).definition, header_of(same).definition);
  EXPECT_EQ(cell.folder, "deep_sea-depth=5/vapor+tabular-mass=2/seed-9");
  std::string command = "vapor";
  for (const std::string& word : words_of(cell.settings)) command += " " + word;
  EXPECT_EQ(command, header_of(same).command);
}

TEST_F(SweepFile, TheBeliefThatFitsIsFilledInAndNotPartOfTheFolder) {
  const SweepCell cell = cells("envs = 'deep_sea'\nagents = 'vapor'\nseeds = 1").front();
  EXPECT_THAT(cell.settings.belief, StartsWith("tabular:"));
  EXPECT_EQ(cell.folder, "deep_sea/vapor/seed-1");
  EXPECT_EQ(cell.settings.episodes, RunSettings{}.episodes);
}

TEST_F(SweepFile, SeedsAreACountAListOrARange) {
  const auto seeds = [&](const std::string& text) {
    std::vector<std::uint64_t> all;
    for (const SweepCell& cell : cells("envs = 'toy_chain'\nagents = 'vapor'\nseeds = " + text))
      all.push_back(cell.settings.seed);
    return all;
  };
  EXPECT_THAT(seeds("3"), ElementsAre(1, 2, 3));
  EXPECT_THAT(seeds("[5, 2]"), ElementsAre(5, 2));
  EXPECT_THAT(seeds("{ first = 101, count = 2 }"), ElementsAre(101, 102));
  EXPECT_THAT(seeds("{ count = 2 }"), ElementsAre(1, 2));
  EXPECT_THAT(seeds("{ first = 9000000000000000, count = 1 }"), ElementsAre(9000000000000000u));
}

TEST_F(SweepFile, ANameInBracesTakesEachOfItsValues) {
  const std::vector<SweepCell> all = cells(R"(
envs = ["deep_sea:depth={depth}", "toy_chain"]
agents = ["vapor", "vapor-lite:c={c}"]
seeds = 1
vary = { depth = [5, 6], c = [0.5, 2] }
)");
  EXPECT_THAT(folders(all),
              ElementsAre("deep_sea-depth=5/vapor/seed-1", "deep_sea-depth=6/vapor/seed-1",
                          "deep_sea-depth=5/vapor-lite-c=0.5/seed-1",
                          "deep_sea-depth=6/vapor-lite-c=0.5/seed-1",
                          "deep_sea-depth=5/vapor-lite-c=2/seed-1",
                          "deep_sea-depth=6/vapor-lite-c=2/seed-1", "toy_chain/vapor/seed-1",
                          "toy_chain/vapor-lite-c=0.5/seed-1", "toy_chain/vapor-lite-c=2/seed-1"));
}

TEST_F(SweepFile, ANameInTwoSpecsOfACellHasOneValue) {
  const std::vector<SweepCell> all = cells(R"(
envs = "deep_sea:depth={n}"
agents = "vapor"
beliefs = "tabular:repeat={n}"
vary.n = [5, 6]
)");
  EXPECT_THAT(folders(all), ElementsAre("deep_sea-depth=5/vapor+tabular-repeat=5/seed-1",
                                        "deep_sea-depth=6/vapor+tabular-repeat=6/seed-1"));
}

TEST_F(SweepFile, TrainingsAreCellsLikeOthers) {
  const std::vector<SweepCell> all = cells(R"(
[[sweep]]
kind = "train"
name = "deep"
envs = "deep_sea:depth=10"
agents = "vapor-lite:hidden={hidden}"
vary.hidden = [32]
episodes = 200
stop_when_solved = true
checkpoint_every = 50

[[sweep]]
kind = "train"
envs = "minatar:game=breakout"
agents = "vapor-lite"
frames = 5000
seeds = [4]
)");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].folder, "deep/deep_sea-depth=10/vapor-lite-hidden=32/seed-1");
  EXPECT_EQ(all[0].checkpoint_every, 50);
  EXPECT_THAT(all[0].varied, ElementsAre(testing::Pair("hidden", "32")));
  EXPECT_EQ(header_of(all[0].settings).command,
            "vapor train --env deep_sea:depth=10 --agent vapor-lite:hidden=32 --episodes 200 "
            "--seed 1 --stop solved");
  EXPECT_EQ(header_of(all[1].settings).command,
            "vapor train --env minatar:game=breakout --agent vapor-lite --frames 5000 --seed 4 "
            "--places 8 --actors 0 --checkpoint-frames 50000");
}

TEST_F(SweepFile, ErrorsNameLineAndKey) {
  const std::string good = "envs = 'toy_chain'\nagents = 'vapor'\n";
  EXPECT_THAT(complaint_about("envs = [\n"), AllOf(StartsWith("sweep.toml:1:"), HasSubstr("TOML")));
  EXPECT_THAT(complaint_about(good + "episods = 3"),
              AllOf(StartsWith("sweep.toml:3: episods: "), HasSubstr("did you mean episodes?"),
                    HasSubstr("snapshot_every")));
  EXPECT_EQ(complaint_about(good + "episodes = '3'"),
            "sweep.toml:3: episodes: must be a whole number in 1..1000000000, got text");
  EXPECT_EQ(complaint_about(good + "episodes = 0"),
            "sweep.toml:3: episodes: must be a whole number in 1..1000000000, got 0");
  EXPECT_THAT(complaint_about(good + "stop = 'solvd'"),
              AllOf(StartsWith("sweep.toml:3: stop: "), HasSubstr("did you mean solved?")));
  EXPECT_THAT(complaint_about(good + "kind = 'trian'"), HasSubstr("did you mean train?"));
  EXPECT_THAT(complaint_about(good + "name = '../up'"), StartsWith("sweep.toml:3: name: "));
  EXPECT_THAT(complaint_about("envs = 'toy_chain'"), HasSubstr("sweep.toml:1: agents is missing"));
  EXPECT_THAT(complaint_about(good + "frames = 3"), HasSubstr("frames: is no key"));
  EXPECT_THAT(complaint_about(good + "kind = 'train'\nstop = 'covered'"), HasSubstr("sweep.toml:"));
  EXPECT_EQ(complaint_about("envs = 'catch'\nagents = 'dqn'\nkind = 'train'\nepisodes = 5"),
            "sweep.toml:4: episodes: does not go with catch, which is observed as arrays: it is "
            "trained by frames");
  EXPECT_THAT(complaint_about("envs = 'deep_sea'\nagents = 'dqn'\nkind = 'train'\nplaces = 5"),
              StartsWith("sweep.toml:4: places: does not go with deep_sea"));
  EXPECT_THAT(complaint_about(good + "[[sweep]]\n"), StartsWith("sweep.toml:2: agents: stands"));
  EXPECT_THAT(complaint_about("sweep = 3"), HasSubstr("[[sweep]]"));
  EXPECT_THAT(complaint_about(good + "[[sweep.inner]]\n"), HasSubstr("sweep.toml:"));
}

TEST_F(SweepFile, SpecsAreCheckedWhereTheyStand) {
  EXPECT_THAT(complaint_about("agents = 'vapor'\nenvs = ['toy_chain',\n  'deep_see']"),
              AllOf(StartsWith("sweep.toml:3: envs[1]: must be one of "),
                    HasSubstr("did you mean deep_sea?")));
  EXPECT_THAT(complaint_about("agents = 'vapor'\nenvs = 'deep_sea:depth=0'"),
              StartsWith("sweep.toml:2: envs: deep_sea:depth: must be in"));
  EXPECT_THAT(complaint_about("envs = 'toy_chain'\nagents = ['vapor', 'vapr']"),
              StartsWith("sweep.toml:2: agents[1]: must be one of "));
  EXPECT_THAT(complaint_about("envs = 'toy_chain'\nagents = 'vapor'\nbeliefs = 'tabluar'"),
              StartsWith("sweep.toml:3: beliefs: must be one of "));
  EXPECT_THAT(complaint_about("envs = 'grid_world'\nagents = 'vapor'\nstop = 'solved'"),
              StartsWith("sweep.toml:3: stop: solved asks for a goal"));
  EXPECT_THAT(complaint_about("envs = 3\nagents = 'vapor'"),
              HasSubstr("sweep.toml:1: envs: must be text in quotes, got a whole number"));
}

TEST_F(SweepFile, WhatCannotBeAGridIsRefused) {
  const std::string good = "envs = 'toy_chain'\nagents = 'vapor'\n";
  EXPECT_THAT(complaint_about("envs = []\nagents = 'vapor'"),
              HasSubstr("1: envs: must not be empty"));
  EXPECT_THAT(complaint_about("envs = ''\nagents = 'vapor'"),
              HasSubstr("1: envs: must not be empty"));
  EXPECT_THAT(complaint_about(good + "seeds = []"), HasSubstr("3: seeds: must not be empty"));
  EXPECT_THAT(complaint_about(good + "seeds = 0"), HasSubstr("in 1..100000, got 0"));
  EXPECT_THAT(complaint_about(good + "seeds = [1, -1]"), StartsWith("sweep.toml:3: seeds[1]: "));
  EXPECT_THAT(complaint_about(good + "seeds = [1, 1]"), HasSubstr("seed 1 is given twice"));
  EXPECT_THAT(complaint_about(good + "seeds = { first = 3 }"), HasSubstr("count is missing"));
  EXPECT_THAT(complaint_about(good + "seeds = { frist = 3 }"), HasSubstr("did you mean first?"));
  EXPECT_THAT(complaint_about(good + "vary.n = [1]"), HasSubstr("3: vary.n: no spec of"));
  EXPECT_THAT(complaint_about(good + "vary.n = [1, 2, 1]"), HasSubstr("vary.n[2]: 1 is given"));
  EXPECT_THAT(complaint_about(good + "vary.n = []"), HasSubstr("vary.n: must not be empty"));
  EXPECT_THAT(complaint_about("envs = 'deep_sea:depth={n}'\nagents = 'vapor'"),
              HasSubstr("sweep.toml:1: envs: vary has no list for {n}"));
  EXPECT_THAT(complaint_about("envs = 'deep_sea:depth={n'\nagents = 'vapor'"),
              HasSubstr("{ without"));
  EXPECT_THAT(complaint_about("envs = 'toy_chain'\nagents = ['vapor', 'vapor']"),
              HasSubstr("toy_chain/vapor/seed-1 is asked for twice"));
  EXPECT_THAT(complaint_about("[[sweep]]\n" + good + "[[sweep]]\n" + good + "episodes = 5"),
              AllOf(StartsWith("sweep.toml:4: "), HasSubstr("sweep.toml:1"), HasSubstr("name = ")));
  EXPECT_EQ(complaint([&] { read_sweep(path("none.toml")); }),
            path("none.toml") + ": there is no such file");
}

// 10^15 cells must be refused before they are made.
TEST_F(SweepFile, AHugeGridIsRefusedAtOnce) {
  std::string lists = "envs = 'deep_sea:depth={a}'\nagents = 'vapor-lite:c={b}'\nseeds = 100000\n";
  for (const char* name : {"a", "b"}) {
    lists += fmt::format("vary.{} = [1", name);
    for (int k = 2; k <= 10000; ++k) lists += fmt::format(", {}", k);
    lists += "]\n";
  }
  EXPECT_THAT(complaint_about(lists), HasSubstr("more than 100000 cells"));
}

// docs/sweep.md shows the example whole, and nothing that is not good.
TEST_F(SweepFile, EveryFileOfTheDocumentationIsGood) {
  const std::string root = VAPOR_SOURCE_DIR;
  const std::string page = test_support::contents(root + "/docs/sweep.md");
  const std::string example = test_support::contents(root + "/examples/sweep.toml");
  EXPECT_THAT(page, HasSubstr("```toml\n" + example + "```"));
  int files = 0;
  const std::string begin = "```toml\n";
  for (std::size_t at = page.find(begin); at != std::string::npos; at = page.find(begin, at + 1)) {
    const std::size_t text = at + begin.size();
    EXPECT_GT(cells(page.substr(text, page.find("```", text) - text)).size(), 1u);
    ++files;
  }
  EXPECT_EQ(files, 2);
}

TEST_F(SweepFile, TablesOfOneFileStandSideBySideUnderNames) {
  const std::vector<SweepCell> all = cells(R"(
[[sweep]]
name = "short"
envs = "toy_chain"
agents = "vapor"
episodes = 3
[[sweep]]
name = "long"
envs = "toy_chain"
agents = "vapor"
episodes = 30
)");
  EXPECT_THAT(folders(all),
              ElementsAre("short/toy_chain/vapor/seed-1", "long/toy_chain/vapor/seed-1"));
}

}  // namespace
}  // namespace vapor
