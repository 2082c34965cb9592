// The paper's uncertainty (appendix I): H reward predictors with randomised prior functions
// (Osband, Aslanides and Cassirer, 2018),
//
//   sigma_hat(s, a) = min(sigma_scale std_h r^(h)(s, a), 1),   r^(h) = learned_h + prior_h,
//
// each fitted to the rewards plus noise of its own (Dwaracherla et al., 2022). The noise of a frame
// is drawn once and stored with it, so that a pair's spread falls to sigma_scale noise / sqrt(n),
// or afresh whenever the frame is replayed.
#pragma once

#include <memory>

#include "vapor/deep/uncertainty/uncertainty.h"
#include "vapor/nn/network.h"

namespace vapor::deep {

struct RewardEnsembleSettings {
  Index heads = 10;          // H, >= 2
  double sigma_scale = 3.0;  // > 0
  double prior_std = 0.4;    // of a prior function at an observation, over its heads; >= 0
  double noise = 0.003;      // standard deviation of the noise on the targets, >= 0
  bool fresh_noise = false;  // drawn at every replay instead of stored with the frame
};

// Throws InputError that names the field.
void validate(const RewardEnsembleSettings& settings);

class RewardEnsemble : public Uncertainty {
 public:
  // Both have actions x heads outputs, head by head within an action.
  RewardEnsemble(const RewardEnsembleSettings& settings, Index actions,
                 std::unique_ptr<Network> learned, std::unique_ptr<FrozenFunction> prior);

  void sigma(std::span<const Index> observations, Pass pass, std::span<double> sigma) override;
  double learn(const Batch& batch, RandomStream& random) override;
  void observe(std::span<const Frame> /*frames*/) override {}
  Index extras() const override { return settings_.fresh_noise ? 0 : settings_.heads; }
  void draw_extras(std::span<float> extras, RandomStream& random) const override;
  void archive(Archive& archive) override { learned_->archive(archive); }
  void archive_playing(Archive& archive) override { learned_->archive_parameters(archive); }

  // The loss of a batch, mean over its frames of sum_h (r^(h) - reward - noise_h)^2 / 2, without
  // fresh noise; adds its gradient. The rows are those of the last call of `sigma`.
  double loss(const Batch& batch, Rows gradient) const;

 private:
  void add_fresh_noise(const Batch& batch, Rows gradient, RandomStream& random);

  RewardEnsembleSettings settings_;
  Index actions_;
  std::unique_ptr<Network> learned_;
  std::unique_ptr<FrozenFunction> prior_;
  RowBuffer sums_;  // learned + prior, by row
  Index rows_ = 0;
  std::vector<Index> visits_;  // by row and action, in a batch
};

}  // namespace vapor::deep
