#include "vapor/env/catch.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "vapor/core/check.h"
#include "vapor/core/error.h"
#include "vapor/core/random.h"

namespace vapor {
namespace {

class Catch : public VectorEnvironment {
 public:
  Catch(const CatchSettings& settings, Index places)
      : settings_(settings),
        board_(static_cast<std::size_t>(settings.rows) * settings.columns),
        random_(0),
        games_(places),
        observations_(board_ * static_cast<std::size_t>(places)),
        last_observations_(observations_.size()),
        rewards_(places),
        ended_(places),
        cut_(places) {}

  Index places() const override { return static_cast<Index>(games_.size()); }
  Index actions() const override { return 3; }
  ObservationShape shape() const override {
    return {.height = settings_.rows, .width = settings_.columns, .element = Element::kFlag};
  }

  std::span<const std::byte> reset(std::uint64_t seed) override {
    random_ = RandomStream(seed);
    for (Index place = 0; place < places(); ++place) {
      begin(place);
      draw(place, observations_);
    }
    return observations_;
  }

  VectorStep step(std::span<const Index> actions) override {
    VAPOR_CHECK_EQ(actions.size(), games_.size());
    for (Index place = 0; place < places(); ++place) {
      Game& game = games_[place];
      game.paddle = std::clamp(game.paddle + actions[place] - 1, 0, settings_.columns - 1);
      ++game.row;
      const bool over = game.row + 1 == settings_.rows;
      ended_[place] = over ? 1 : 0;
      rewards_[place] = !over ? 0.0F : game.paddle == game.column ? 1.0F : -1.0F;
      if (over) {
        draw(place, last_observations_);
        begin(place);
      }
      draw(place, observations_);
    }
    return {observations_, rewards_, ended_, cut_, last_observations_};
  }

 private:
  struct Game {
    Index row = 0;     // of the ball
    Index column = 0;  // of the ball
    Index paddle = 0;
  };

  void begin(Index place) {
    games_[place] = {0, random_.index(settings_.columns), settings_.columns / 2};
  }

  void draw(Index place, std::vector<std::byte>& boards) const {
    const Game& game = games_[place];
    const auto board = std::span(boards).subspan(static_cast<std::size_t>(place) * board_, board_);
    std::ranges::fill(board, std::byte{0});
    board[static_cast<std::size_t>(game.row) * settings_.columns + game.column] = std::byte{1};
    board[static_cast<std::size_t>(settings_.rows - 1) * settings_.columns + game.paddle] =
        std::byte{1};
  }

  CatchSettings settings_;
  std::size_t board_;  // bytes
  RandomStream random_;
  std::vector<Game> games_;  // by place, and so the rest
  std::vector<std::byte> observations_;
  std::vector<std::byte> last_observations_;
  std::vector<float> rewards_;
  std::vector<std::uint8_t> ended_;
  std::vector<std::uint8_t> cut_;  // never
};

}  // namespace

void validate(const CatchSettings& settings) {
  const auto require = [](bool good, const char* field, const char* rule, Index value) {
    if (!good) throw InputError(field, fmt::format("must be {}, got {}", rule, value));
  };
  require(settings.rows >= 2 && settings.rows <= 1000, "rows", "in 2..1000", settings.rows);
  require(settings.columns >= 1 && settings.columns <= 1000, "columns", "in 1..1000",
          settings.columns);
}

std::unique_ptr<VectorEnvironment> make_catch(const CatchSettings& settings, Index places) {
  validate(settings);
  VAPOR_CHECK_GE(places, 1);
  return std::make_unique<Catch>(settings, places);
}

}  // namespace vapor
