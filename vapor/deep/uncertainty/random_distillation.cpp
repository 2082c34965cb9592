#include "vapor/deep/uncertainty/random_distillation.h"

#include <algorithm>
#include <cmath>

#include "vapor/core/check.h"

namespace vapor::deep {

RandomDistillation::RandomDistillation(const RandomDistillationSettings& settings, Index actions,
                                       std::unique_ptr<Network> learned,
                                       std::unique_ptr<FrozenFunction> features)
    : settings_(settings),
      actions_(actions),
      learned_(std::move(learned)),
      features_(std::move(features)) {
  VAPOR_CHECK_EQ(learned_->outputs(), actions * settings.features);
  VAPOR_CHECK_EQ(features_->outputs(), actions * settings.features);
}

void RandomDistillation::sigma(std::span<const Index> observations, Pass pass,
                               std::span<double> sigma) {
  rows_ = static_cast<Index>(observations.size());
  if (rows_ > errors_.capacity()) errors_.resize(rows_, learned_->outputs());
  const Rows learned = run(*learned_, observations, pass);
  const Rows features = run(*features_, observations, pass);
  const Rows errors = errors_.first(rows_);
  for (Index r = 0; r < rows_; ++r) {
    for (Index j = 0; j < errors.stride; ++j) errors[r][j] = learned[r][j] - features[r][j];
    for (Index a = 0; a < actions_; ++a) {
      const float* error = errors[r] + a * settings_.features;
      float squares = 0.0F;
      for (Index k = 0; k < settings_.features; ++k) squares += error[k] * error[k];
      const double rms = std::sqrt(squares / static_cast<float>(settings_.features));
      sigma[static_cast<std::size_t>(r) * actions_ + a] =
          std::min(settings_.sigma_scale * rms, 1.0);
    }
  }
}

double RandomDistillation::loss(const Batch& batch, Rows gradient) const {
  VAPOR_CHECK_EQ(batch.rows(), rows_);
  const float weight = 1.0F / static_cast<float>(batch.frames());
  float loss = 0.0F;
  for (Index f = 0; f < batch.frames(); ++f) {
    const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(batch.row[f]) * gradient.stride +
                              batch.action[f] * settings_.features;
    const float* error = errors_.data() + at;
    float* slope = gradient.data + at;
    for (Index k = 0; k < settings_.features; ++k) {
      slope[k] += weight * error[k];
      loss += 0.5F * weight * error[k] * error[k];
    }
  }
  return loss;
}

double RandomDistillation::learn(const Batch& batch, RandomStream& /*random*/) {
  const double before = loss(batch, learned_->gradient());
  learned_->step();
  return before;
}

}  // namespace vapor::deep
