// What cannot work is refused with one line that says what to install or change; the programs and
// packages are the real ones.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "trajectory.h"
#include "vapor/atari/human_scores.h"
#include "vapor/core/text.h"

namespace vapor::atari {
namespace {

namespace fs = std::filesystem;
using test::Folder;
using test::game;
using test::Variable;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::string refusal(const std::string& spec, Index places = 1) {
  try {
    game(spec, places);
  } catch (const InputError& e) {
    EXPECT_THAT(e.what(), Not(HasSubstr("\n")));
    return e.what();
  }
  return "not refused";
}

TEST(Refusal, UnknownGames) {
  EXPECT_THAT(refusal("atari:game=pogn"),
              AllOf(HasSubstr("--env atari:game"), HasSubstr("did you mean pong?")));
  EXPECT_THAT(refusal("atari:game=MontezumasRevenge"),
              HasSubstr("did you mean montezuma_revenge?"));
  EXPECT_THAT(refusal("minatar:game=brakeout"), HasSubstr("did you mean breakout?"));
  EXPECT_THAT(refusal("minatar:game=pong"), HasSubstr("must be one of asterix, breakout"));
  EXPECT_THAT(refusal("atari"), HasSubstr("is missing; e.g. atari:game=pong"));
  EXPECT_THAT(refusal("attari:game=pong"), HasSubstr("did you mean atari?"));
}

TEST(Refusal, SettingsThatDoNotFit) {
  EXPECT_THAT(refusal("atari:game=pong,size=0"), HasSubstr("atari:size: must be in 1..1024"));
  EXPECT_THAT(refusal("atari:game=pong,sticky=1.5"), HasSubstr("atari:sticky: must be in [0, 1]"));
  EXPECT_THAT(refusal("atari:game=pong,actions=all"), HasSubstr("must be one of minimal, full"));
  EXPECT_THAT(refusal("atari:game=pong,stiky=0"), HasSubstr("did you mean sticky?"));
  EXPECT_THAT(refusal("minatar:game=breakout,size=84"), HasSubstr("has no setting size"));
  EXPECT_THAT(refusal("atari:game=pong", 0), HasSubstr("1..1024 places"));
  EXPECT_THAT(refusal("atari:game=pong", 1025), HasSubstr("1..1024 places"));
}

TEST(Refusal, NoPythonEnvironment) {
  const Variable nowhere("VAPOR_ATARI_PYTHON", "/nowhere");
  EXPECT_THAT(refusal("atari:game=pong"), AllOf(HasSubstr("/nowhere is no Python environment"),
                                                HasSubstr("run scripts/setup-atari")));
}

// The program finds build/atari from where it stands; here that is nowhere.
TEST(Refusal, ABuildWithoutItsEnvironment) {
  const Folder folder;
  const fs::path bin = folder.path() / "build/release/bin";
  fs::create_directories(bin);
  fs::copy_file(fs::read_symlink("/proc/self/exe").parent_path().parent_path() / "bin/vapor-atari",
                bin / "vapor-atari");
  const Variable moved("VAPOR_ATARI_WORKER", (bin / "vapor-atari").string());
  EXPECT_THAT(refusal("atari:game=pong"), AllOf(HasSubstr("no Python environment with the games"),
                                                HasSubstr("build/atari; run scripts/setup-atari")));
}

TEST(Refusal, AnEnvironmentOfAnotherPython) {
  const Folder folder;
  fs::create_directories(folder.path() / "bin");
  fs::create_symlink("/usr/bin/python3", folder.path() / "bin/python");
  std::ofstream(folder.path() / "pyvenv.cfg") << "home = /usr/bin\nversion = 3.4.1\n";
  const Variable old("VAPOR_ATARI_PYTHON", folder.path().string());
  EXPECT_THAT(refusal("atari:game=pong"),
              AllOf(HasSubstr("is of Python 3.4"), HasSubstr("scripts/setup-atari")));
}

// An environment with no packages, into which a test may put its own.
fs::path bare_environment(const Folder& folder) {
  const fs::path path = folder.path() / "python";
  const std::string command =
      shell_word(test::python().string()) + " -m venv --without-pip " + path.string();
  EXPECT_EQ(std::system(command.c_str()), 0);
  for (const auto& entry : fs::directory_iterator(path / "lib"))
    return entry.path() / "site-packages";
  return {};
}

TEST(Refusal, PackagesThatAreNotInstalled) {
  const Folder folder;
  bare_environment(folder);
  const Variable bare("VAPOR_ATARI_PYTHON", (folder.path() / "python").string());
  EXPECT_THAT(refusal("atari:game=pong"),
              AllOf(HasSubstr("No module named 'ale_py'"), HasSubstr("run scripts/setup-atari")));
  EXPECT_THAT(refusal("minatar:game=breakout"),
              AllOf(HasSubstr("No module named 'minatar'"), HasSubstr("run scripts/setup-atari")));
}

TEST(Refusal, AMissingRom) {
  const Folder empty;
  const Variable roms("ALE_ROMS_DIR", empty.path().string());
  EXPECT_THAT(refusal("atari:game=pong"),
              AllOf(HasSubstr("the ROM of pong is missing"), HasSubstr("unset ALE_ROMS_DIR")));
}

TEST(Refusal, NoProgram) {
  {
    const Variable program("VAPOR_ATARI_WORKER", "/nowhere/vapor-atari");
    EXPECT_THAT(refusal("atari:game=pong"), HasSubstr("/nowhere/vapor-atari, which is no program"));
  }
  const Variable program("VAPOR_ATARI_WORKER", "/bin/false");
  EXPECT_THAT(refusal("atari:game=pong"), HasSubstr("did not start: it ended with code 1"));
}

// A copy of this program, with no vapor-atari near it, tries to play.
TEST(Refusal, AProgramThatWasNotBuilt) {
  const Folder folder;
  const fs::path copy = folder.path() / "somewhere/atari_tests";
  fs::create_directories(copy.parent_path());
  fs::copy_file("/proc/self/exe", copy);
  const fs::path out = folder.path() / "out";
  const std::string command =
      copy.string() + " --gtest_filter=GameEnvironment.ShapeAnd* >" + out.string();
  EXPECT_NE(std::system(command.c_str()), 0);
  std::stringstream text;
  text << std::ifstream(out).rdbuf();
  EXPECT_THAT(text.str(), AllOf(HasSubstr("needs the program vapor-atari, which is not in"),
                                HasSubstr("(scripts/setup atari) and build again")));
}

// A game that breaks while it is played: what Python said reaches the user, and a reset tries
// again.
TEST(Refusal, AnErrorInsideThePackageIsToldAsItIs) {
  const Folder folder;
  const fs::path packages = bare_environment(folder);
  fs::copy(test::python().parent_path().parent_path() /
               packages.lexically_relative(folder.path() / "python"),
           packages, fs::copy_options::recursive | fs::copy_options::skip_existing);
  std::ofstream(packages / "minatar/environments/breakout.py", std::ios::app)
      << "\n\ndef broken(self, action):\n    raise RuntimeError('the paddle fell off')\n\n\n"
         "Env.act = broken\n";
  const Variable patched("VAPOR_ATARI_PYTHON", (folder.path() / "python").string());
  const auto breakout = game("minatar:game=breakout", 1);
  for (int attempt = 0; attempt < 2; ++attempt) {
    breakout->reset(1);
    try {
      breakout->step(std::vector<Index>{0});
      FAIL() << "the broken game was played";
    } catch (const EnvironmentLost& e) {
      EXPECT_THAT(e.what(), HasSubstr("failed: RuntimeError: the paddle fell off"));
    }
  }
}

TEST(Games, AreKnownByName) {
  EXPECT_TRUE(is_game("atari"));
  EXPECT_TRUE(is_game("minatar"));
  EXPECT_FALSE(is_game("deep_sea"));
}

TEST(HumanScores, AreTheTable) {
  EXPECT_EQ(game_scores().size(), 57);
  EXPECT_EQ(game_scores().front().game, "alien");
  EXPECT_EQ(game_scores().back().game, "zaxxon");
  EXPECT_DOUBLE_EQ(human_normalised_score("game", "alien", 227.8), 0.0);
  EXPECT_DOUBLE_EQ(human_normalised_score("game", "Alien", 7127.7), 1.0);
  EXPECT_DOUBLE_EQ(human_normalised_score("game", "montezuma_revenge", 4753.3), 1.0);
  for (const char* name : {"MontezumaRevenge", "montezuma-revenge", "MONTEZUMA_REVENGE"})
    EXPECT_EQ(scores_of("game", name).game, "montezuma_revenge");
  EXPECT_THROW(human_normalised_score("game", "tetris", 1), InputError);
  for (const GameScores& scores : game_scores()) EXPECT_NE(scores.human, scores.random);
}

}  // namespace
}  // namespace vapor::atari
