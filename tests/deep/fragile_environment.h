// Environments that fail when they are told to.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "vapor/env/vector_environment.h"

namespace vapor::deep::test_support {

class FragileEnvironment : public VectorEnvironment {
 public:
  // `before_step` and `before_reset` are called then, and may throw.
  FragileEnvironment(
      std::unique_ptr<VectorEnvironment> inside, std::function<void()> before_step,
      std::function<void()> before_reset = [] {})
      : inside_(std::move(inside)),
        before_step_(std::move(before_step)),
        before_reset_(std::move(before_reset)) {}

  Index places() const override { return inside_->places(); }
  Index actions() const override { return inside_->actions(); }
  ObservationShape shape() const override { return inside_->shape(); }
  std::span<const std::byte> reset(std::uint64_t seed) override {
    before_reset_();
    return inside_->reset(seed);
  }
  VectorStep step(std::span<const Index> actions) override {
    before_step_();
    return inside_->step(actions);
  }

 private:
  std::unique_ptr<VectorEnvironment> inside_;
  std::function<void()> before_step_;
  std::function<void()> before_reset_;
};

}  // namespace vapor::deep::test_support
