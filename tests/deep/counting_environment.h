// An environment whose observations say where they are from, and an agent that plays uniformly.
#pragma once

#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

#include "vapor/deep/agent.h"
#include "vapor/env/vector_environment.h"
#include "vapor/nn/observation_store.h"

namespace vapor::deep::test_support {

struct CountingSettings {
  Index places = 1;
  Index length = 5;  // of an episode
  bool cut = false;  // episodes are cut short instead of ending
  float reward = 1.0F;
  bool idles = false;     // the step after the last one of an episode begins the next
  Index long_place = -1;  // a place with episodes of another length
  Index long_length = 0;
};

// Shows 100 * episode + step, episodes counted from 0 at each place.
class CountingEnvironment : public VectorEnvironment {
 public:
  explicit CountingEnvironment(const CountingSettings& settings)
      : settings_(settings),
        games_(settings.places),
        shown_(settings.places),
        last_shown_(settings.places),
        rewards_(settings.places, settings.reward),
        ended_(settings.places),
        cut_(settings.places),
        idle_(settings.idles ? settings.places : 0) {}

  Index places() const override { return settings_.places; }
  Index actions() const override { return 2; }
  ObservationShape shape() const override { return {.width = sizeof(Index)}; }

  std::span<const std::byte> reset(std::uint64_t /*seed*/) override {
    for (Index p = 0; p < places(); ++p) {
      games_[p] = {};
      shown_[p] = 0;
    }
    return std::as_bytes(std::span(shown_));
  }

  VectorStep step(std::span<const Index> /*actions*/) override {
    for (Index p = 0; p < places(); ++p) {
      Game& game = games_[p];
      if (settings_.idles) idle_[p] = ended_[p] | cut_[p];
      if (settings_.idles && idle_[p] != 0) {
        ended_[p] = cut_[p] = 0;
        shown_[p] = 100 * game.episode;
        continue;
      }
      last_shown_[p] = 100 * game.episode + ++game.step;
      const Index length = p == settings_.long_place ? settings_.long_length : settings_.length;
      const bool over = game.step == length;
      ended_[p] = over && !settings_.cut ? 1 : 0;
      cut_[p] = over && settings_.cut ? 1 : 0;
      if (over) game = {game.episode + 1, 0};
      shown_[p] = over && settings_.idles ? last_shown_[p] : 100 * game.episode + game.step;
    }
    return {std::as_bytes(std::span(shown_)),      rewards_, ended_, cut_,
            std::as_bytes(std::span(last_shown_)), idle_};
  }

 private:
  struct Game {
    Index episode = 0;
    Index step = 0;
  };

  CountingSettings settings_;
  std::vector<Game> games_;
  std::vector<Index> shown_, last_shown_;
  std::vector<float> rewards_;
  std::vector<std::uint8_t> ended_, cut_, idle_;
};

// What a stored observation of a CountingEnvironment shows.
inline Index number_in(const ObservationStore& store, Index number) {
  Index shown = 0;
  store.copy_to(number, reinterpret_cast<std::byte*>(&shown));
  return shown;
}

class UniformAgent : public Agent {
 public:
  explicit UniformAgent(Index actions) : actions_(actions) {}

  void play(std::span<const Index> /*observations*/, std::span<double> pi,
            std::span<double> sigma) override {
    std::ranges::fill(pi, 1.0 / actions_);
    std::ranges::fill(sigma, 0.25);
  }
  void learn(const Batch& batch, RandomStream& /*random*/, std::span<double> priorities) override {
    std::ranges::fill(priorities.first(batch.sequences()), 1.0);
  }
  void archive(Archive& archive) override { archive(actions_); }

 private:
  Index actions_;
};

}  // namespace vapor::deep::test_support
