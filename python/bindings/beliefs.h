// Beliefs as Python holds them.
#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <utility>

#include "vapor/belief/belief.h"

namespace vapor::python {

// Python keeps its belief while an agent learns with it.
struct SharedBelief {
  std::shared_ptr<Belief> belief;
  std::shared_ptr<std::atomic<bool>> busy = std::make_shared<std::atomic<bool>>(false);

  Belief* operator->() const { return belief.get(); }
};

// An agent owns its belief: this one is shared with Python.
class BorrowedBelief final : public Belief {
 public:
  explicit BorrowedBelief(std::shared_ptr<Belief> belief) : belief_(std::move(belief)) {}

  void update(const Episode& episode) override { belief_->update(episode); }
  const Problem& problem() override { return belief_->problem(); }
  double sample_optimal_policy(RandomStream& random, std::span<double> policy) override {
    return belief_->sample_optimal_policy(random, policy);
  }
  Optimality optimality(RandomStream& random, int samples) override {
    return belief_->optimality(random, samples);
  }
  double unit() override { return belief_->unit(); }
  const Places& places() const override { return belief_->places(); }
  void archive(Archive& archive) override { belief_->archive(archive); }
  FiniteBelief* as_finite() override { return belief_->as_finite(); }

 private:
  std::shared_ptr<Belief> belief_;
};

}  // namespace vapor::python
