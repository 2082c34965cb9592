// atari_actor SPEC PLACES STEPS: for every line of its input, plays so many steps with random
// actions and prints the seconds. Driven by atari_actor.py, which does the same in Python in
// between.
#include <fmt/format.h>

#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

#include "vapor/atari/games.h"
#include "vapor/core/clock.h"
#include "vapor/core/random.h"

int main(int argc, char** argv) {
  using namespace vapor;
  if (argc != 4) {
    fmt::print(stderr, "usage: atari_actor SPEC PLACES STEPS (see atari_actor.py)\n");
    return 2;
  }
  try {
    Spec spec("SPEC", argv[1]);
    const auto game = atari::make_game(spec, static_cast<Index>(parse_integer("PLACES", argv[2])));
    const std::int64_t steps = parse_integer("STEPS", argv[3]);
    RandomStream random(1);
    std::vector<Index> actions(game->places());
    game->reset(1);
    for (std::string line; std::getline(std::cin, line);) {
      const Clock::time_point begin = Clock::now();
      for (std::int64_t t = 0; t < steps; ++t) {
        for (Index& action : actions) action = random.index(game->actions());
        game->step(actions);
      }
      fmt::print("{}\n", seconds_since(begin));
      std::fflush(stdout);
    }
    return 0;
  } catch (const std::exception& e) {
    fmt::print(stderr, "atari_actor: {}\n", e.what());
    return 2;
  }
}
