#include <gif_lib.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/command/run_command.h"

namespace vapor {
namespace {

using nlohmann::json;
using test_support::CommandTest;
using test_support::Outcome;
using testing::HasSubstr;

class PlayCommand : public CommandTest {
 protected:
  // A training of DeepSea that ends when it is solved: its policy finds the treasure most times.
  std::string trained() {
    const Outcome made =
        vapor({"train", "--env", "deep_sea:depth=6", "--agent", "vapor-lite-closed", "--episodes",
               "400", "--out", path("t"), "--quiet"});
    EXPECT_EQ(made.exit_code, 0) << made.err;
    return path("t") + "/seed-1";
  }
};

struct Film {
  int pictures = 0;
  int width = 0;
  int height = 0;
};

Film read_film(const std::string& file) {
  int error = 0;
  GifFileType* gif = DGifOpenFileName(file.c_str(), &error);
  EXPECT_NE(gif, nullptr) << GifErrorString(error);
  if (gif == nullptr) return {};
  EXPECT_EQ(DGifSlurp(gif), GIF_OK);
  const Film film{gif->ImageCount, gif->SWidth, gif->SHeight};
  DGifCloseFile(gif, &error);
  return film;
}

TEST_F(PlayCommand, PlaysWhatWasLearned) {
  const Outcome played = vapor({"play", trained(), "--episodes", "20", "--json"});
  ASSERT_EQ(played.exit_code, 0) << played.err;
  const json answer = json::parse(played.out);
  ASSERT_EQ(answer.at("episodes").size(), 20U);
  int found = 0;
  for (const json& episode : answer["episodes"]) {
    EXPECT_EQ(episode.at("length"), 6);
    if (episode.at("return") > 0.5) ++found;
  }
  EXPECT_GE(found, 15);
}

TEST_F(PlayCommand, TheSameSeedPlaysTheSame) {
  const std::string run = trained();
  const auto play = [&](const char* seed) {
    return vapor({"play", run, "--episodes", "5", "--seed", seed, "--json"}).out;
  };
  EXPECT_EQ(play("3"), play("3"));
}

TEST_F(PlayCommand, SavesAFilmWithAPictureForEveryAction) {
  const Outcome played = vapor({"play", trained(), "--gif", path("film.gif"), "--scale", "4"});
  ASSERT_EQ(played.exit_code, 0) << played.err;
  EXPECT_THAT(played.out, HasSubstr("film.gif"));
  const Film film = read_film(path("film.gif"));
  EXPECT_EQ(film.pictures, 6);
  EXPECT_EQ(film.width, 24);
  EXPECT_EQ(film.height, 24);
}

TEST_F(PlayCommand, WatchingDrawsEveryMoment) {
  const Outcome played = vapor({"play", trained(), "--watch", "--rate", "100"});
  ASSERT_EQ(played.exit_code, 0) << played.err;
  EXPECT_THAT(played.out, HasSubstr("return 0, 0 actions"));
  EXPECT_THAT(played.out, HasSubstr("5 actions"));
}

TEST_F(PlayCommand, WhatIsNoRunOrHasNoPolicyIsRefused) {
  EXPECT_THAT(refusal({"play", path("nothing")}), HasSubstr("is not a run"));
  const std::string run = trained();
  EXPECT_THAT(refusal({"play", run, "--gif", path("no") + "/folder/film.gif"}),
              HasSubstr("film.gif: cannot be written"));
  std::ofstream(run + "/policy", std::ios::trunc) << "broken";
  EXPECT_THAT(refusal({"play", run}), HasSubstr("policy: is not the policy of this run"));
  std::filesystem::remove(run + "/policy");
  EXPECT_THAT(refusal({"play", run}), HasSubstr("policy: is missing"));
  EXPECT_EQ(vapor({"run", "--env", "deep_sea:depth=4", "--agent", "vapor", "--episodes", "3",
                   "--out", path("r"), "--quiet"})
                .exit_code,
            0);
  EXPECT_THAT(refusal({"play", path("r") + "/seed-1"}), HasSubstr("vapor view shows it"));
}

}  // namespace
}  // namespace vapor
