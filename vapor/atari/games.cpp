#include "vapor/atari/games.h"

#include <fmt/format.h>

#include "vapor/atari/game_environment.h"
#include "vapor/atari/game_settings.h"

namespace vapor::atari {

bool is_game(const std::string& name) { return name == "atari" || name == "minatar"; }

std::unique_ptr<VectorEnvironment> make_game(Spec& spec, Index places) {
  if (!is_game(spec.name())) {
    const std::vector<std::string> names = {"atari", "minatar"};
    throw unknown_name(spec.place(), spec.name(), names);
  }
  if (places < 1 || places > kMostPlaces)
    throw InputError(spec.place(), fmt::format("games are played at 1..{} places at once, got {}",
                                               kMostPlaces, places));
  game_settings(spec);  // refused here, before a process is started
  return std::make_unique<GameEnvironment>(spec, places);
}

}  // namespace vapor::atari
