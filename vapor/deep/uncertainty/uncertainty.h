// The uncertainty sigma_hat(s, a) that optimism and entropy are weighed with.
#pragma once

#include <span>
#include <vector>

#include "vapor/core/archive.h"
#include "vapor/core/random.h"
#include "vapor/deep/replay/batch.h"
#include "vapor/nn/network.h"

namespace vapor::deep {

class Uncertainty {
 public:
  virtual ~Uncertainty() = default;

  // sigma_hat of rows of observations, rows x actions.
  virtual void sigma(std::span<const Index> observations, Pass pass, std::span<double> sigma) = 0;

  // Learns from the batch whose rows the last call of `sigma`, a pass to learn, was about;
  // the loss before that.
  virtual double learn(const Batch& batch, RandomStream& random) = 0;

  // Sees each new frame once, before it is learned from.
  virtual void observe(std::span<const Frame> frames) = 0;

  // Numbers that the replay draws for each frame and keeps; how many, and how they are drawn.
  virtual Index extras() const = 0;
  virtual void draw_extras(std::span<float> extras, RandomStream& random) const = 0;

  // All of its state; and as much of it as playing needs.
  virtual void archive(Archive& archive) = 0;
  virtual void archive_playing(Archive& archive) { this->archive(archive); }
};

// The posterior standard deviation of a reward with the prior N(., prior_std^2), seen n times
// through N(0, noise^2): what an ideal ensemble of these constants would give. Counts, and so a
// yardstick rather than a method for large observations.
struct CountSettings {
  double sigma_scale = 3.0;
  double prior_std = 0.4;
  double noise = 0.003;
};

class CountUncertainty : public Uncertainty {
 public:
  CountUncertainty(const CountSettings& settings, Index observations, Index actions)
      : settings_(settings),
        actions_(actions),
        counts_(static_cast<std::size_t>(observations) * actions, 0) {}

  void sigma(std::span<const Index> observations, Pass pass, std::span<double> sigma) override;
  double learn(const Batch& /*batch*/, RandomStream& /*random*/) override { return 0.0; }
  void observe(std::span<const Frame> frames) override;
  Index extras() const override { return 0; }
  void draw_extras(std::span<float> /*extras*/, RandomStream& /*random*/) const override {}
  void archive(Archive& archive) override { archive(counts_); }

 private:
  CountSettings settings_;
  Index actions_;
  std::vector<std::int64_t> counts_;  // by pair
};

}  // namespace vapor::deep
