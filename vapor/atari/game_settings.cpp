#include "vapor/atari/game_settings.h"

#include <algorithm>

#include "vapor/atari/human_scores.h"

namespace vapor::atari {
namespace {

std::string minatar_game(const Place& place, std::string name) {
  std::replace(name.begin(), name.end(), '-', '_');
  const std::vector<std::string>& games = minatar_games();
  if (std::find(games.begin(), games.end(), name) == games.end())
    throw unknown_name(place, name, games);
  return name;
}

void read_atari(Spec& spec, GameSettings& settings) {
  settings.noop = static_cast<Index>(spec.integer("noop", settings.noop, 0, 1000));
  settings.skip = static_cast<Index>(spec.integer("skip", settings.skip, 1, 60));
  settings.stack = static_cast<Index>(spec.integer("stack", settings.stack, 1, 64));
  settings.size = static_cast<Index>(spec.integer("size", settings.size, 1, 1024));
  settings.life = spec.flag("life", settings.life);
  settings.fire = spec.flag("fire", settings.fire);
  settings.max_frames =
      static_cast<Index>(spec.integer("max_frames", settings.max_frames, 100, 100000000));
  settings.threads = static_cast<Index>(spec.integer("threads", settings.threads, 1, 1024));
}

}  // namespace

const std::vector<std::string>& minatar_games() {
  static const std::vector<std::string> games = {"asterix", "breakout", "freeway", "seaquest",
                                                 "space_invaders"};
  return games;
}

GameSettings game_settings(Spec& spec) {
  GameSettings settings;
  settings.suite = spec.name() == "minatar" ? Suite::kMinAtar : Suite::kAtari;
  const bool atari = settings.suite == Suite::kAtari;
  const std::string game = spec.text("game", "");
  if (game.empty())
    throw InputError(spec.where("game"),
                     "is missing; e.g. " + spec.name() + ":game=" + (atari ? "pong" : "breakout"));
  settings.game =
      atari ? scores_of(spec.where("game"), game).game : minatar_game(spec.where("game"), game);
  settings.sticky = spec.number("sticky", atari ? 0.25 : 0.1, 0, 1);
  const std::vector<std::string> sets = {"minimal", "full"};
  settings.minimal_actions = spec.choice("actions", "minimal", sets) == "minimal";
  if (atari) read_atari(spec, settings);
  spec.refuse_unknown_keys();
  return settings;
}

}  // namespace vapor::atari
