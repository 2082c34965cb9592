// The games behind the interface of environments side by side.
#pragma once

#include <memory>

#include "vapor/atari/worker.h"
#include "vapor/core/spec.h"
#include "vapor/env/vector_environment.h"

namespace vapor::atari {

class GameEnvironment final : public VectorEnvironment {
 public:
  GameEnvironment(Spec spec, Index places);

  Index places() const override { return places_; }
  Index actions() const override { return actions_; }
  ObservationShape shape() const override { return shape_; }
  std::span<const std::byte> reset(std::uint64_t seed) override;
  VectorStep step(std::span<const Index> actions) override;

  pid_t process() const { return worker_->process(); }  // 0 once it is known to be gone

 private:
  Spec spec_;
  Index places_;
  std::unique_ptr<Worker> worker_;
  Index actions_;
  ObservationShape shape_;
  bool playing_ = false;  // a reset has been answered
};

}  // namespace vapor::atari
