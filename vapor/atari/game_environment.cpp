#include "vapor/atari/game_environment.h"

#include <utility>

#include "vapor/core/check.h"

namespace vapor::atari {

GameEnvironment::GameEnvironment(Spec spec, Index places)
    : spec_(std::move(spec)),
      places_(places),
      worker_(std::make_unique<Worker>(spec_, places)),
      actions_(worker_->hello().actions),
      shape_(worker_->hello().shape()) {}

std::span<const std::byte> GameEnvironment::reset(std::uint64_t seed) {
  const Request request{.kind = RequestKind::kReset, .seed = seed};
  const auto ask = [&] {
    if (worker_->process() == 0) return false;
    try {
      worker_->ask(request);
      return true;
    } catch (const EnvironmentLost&) {
      return false;
    }
  };
  playing_ = false;
  if (!ask()) {
    worker_ = std::make_unique<Worker>(spec_, places_);
    VAPOR_CHECK_EQ(worker_->hello().actions, actions_);
    VAPOR_CHECK_EQ(worker_->hello().shape().bytes(), shape_.bytes());
    worker_->ask(request);
  }
  playing_ = true;
  return worker_->arrays().observations;
}

VectorStep GameEnvironment::step(std::span<const Index> actions) {
  VAPOR_CHECK_EQ(playing_, true);
  VAPOR_CHECK_EQ(static_cast<Index>(actions.size()), places_);
  const SharedArrays& arrays = worker_->arrays();
  for (std::size_t p = 0; p < actions.size(); ++p) {
    VAPOR_CHECK_GE(actions[p], 0);
    VAPOR_CHECK_LT(actions[p], actions_);
    arrays.actions[p] = actions[p];
  }
  worker_->ask({.kind = RequestKind::kStep});
  return {arrays.observations, arrays.rewards, arrays.ended, arrays.cut, arrays.last_observations};
}

}  // namespace vapor::atari
