// Random network distillation (Burda et al., 2018) by pair: a frozen random function f with K
// features an action, and a network g that is fitted to it at the pairs that are replayed,
//
//   sigma_hat(s, a) = min(sigma_scale sqrt(mean_k (g_k(s, a) - f_k(s, a))^2), 1).
//
// If the features of a pair are draws from N(0, prior_std^2) and g starts near 0, an untried pair
// has about sigma_scale prior_std and a fitted one nothing: the reward ensemble with every reward
// and every noise 0, and the mean over the heads not taken off. It knows whether a pair was seen,
// not how uncertain its reward is, so noisy rewards do not disturb it, and it has no floor.
#pragma once

#include <memory>

#include "vapor/deep/uncertainty/uncertainty.h"
#include "vapor/nn/network.h"

namespace vapor::deep {

struct RandomDistillationSettings {
  Index features = 10;       // K, >= 1
  double sigma_scale = 3.0;  // > 0
};

class RandomDistillation : public Uncertainty {
 public:
  // Both have actions x features outputs, feature by feature within an action.
  RandomDistillation(const RandomDistillationSettings& settings, Index actions,
                     std::unique_ptr<Network> learned, std::unique_ptr<FrozenFunction> features);

  void sigma(std::span<const Index> observations, Pass pass, std::span<double> sigma) override;
  double learn(const Batch& batch, RandomStream& random) override;
  void observe(std::span<const Frame> /*frames*/) override {}
  Index extras() const override { return 0; }
  void draw_extras(std::span<float> /*extras*/, RandomStream& /*random*/) const override {}
  void archive(Archive& archive) override { learned_->archive(archive); }

  // The loss of a batch, mean over its frames of sum_k (g_k - f_k)^2 / 2; adds its gradient. The
  // rows are those of the last call of `sigma`.
  double loss(const Batch& batch, Rows gradient) const;

 private:
  RandomDistillationSettings settings_;
  Index actions_;
  std::unique_ptr<Network> learned_;
  std::unique_ptr<FrozenFunction> features_;
  RowBuffer errors_;  // g - f, by row
  Index rows_ = 0;
};

}  // namespace vapor::deep
