#include "vapor/deep/uncertainty/reward_ensemble.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "vapor/core/check.h"
#include "vapor/core/error.h"

namespace vapor::deep {
namespace {

// The standard deviation of n numbers, with the divisor n: the heads are all there are.
double standard_deviation(const float* x, Index n) {
  float mean = 0.0F;
  for (Index h = 0; h < n; ++h) mean += x[h];
  mean /= static_cast<float>(n);
  float squares = 0.0F;
  for (Index h = 0; h < n; ++h) squares += (x[h] - mean) * (x[h] - mean);
  return std::sqrt(squares / static_cast<float>(n));
}

}  // namespace

void validate(const RewardEnsembleSettings& settings) {
  const auto require = [](bool good, const char* field, const char* rule, auto value) {
    if (!good) throw InputError(field, fmt::format("must be {}, got {}", rule, value));
  };
  require(settings.heads >= 2 && settings.heads <= 1000, "heads", "in 2..1000", settings.heads);
  require(settings.sigma_scale > 0.0 && settings.sigma_scale <= 1e6, "sigma_scale", "in (0, 1e6]",
          settings.sigma_scale);
  require(settings.prior_std >= 0.0 && settings.prior_std <= 1e6, "prior_std", "in [0, 1e6]",
          settings.prior_std);
  require(settings.noise >= 0.0 && settings.noise <= 1e6, "noise", "in [0, 1e6]", settings.noise);
}

RewardEnsemble::RewardEnsemble(const RewardEnsembleSettings& settings, Index actions,
                               std::unique_ptr<Network> learned,
                               std::unique_ptr<FrozenFunction> prior)
    : settings_(settings),
      actions_(actions),
      learned_(std::move(learned)),
      prior_(std::move(prior)) {
  VAPOR_CHECK_EQ(learned_->outputs(), actions * settings.heads);
  VAPOR_CHECK_EQ(prior_->outputs(), actions * settings.heads);
}

void RewardEnsemble::sigma(std::span<const Index> observations, Pass pass,
                           std::span<double> sigma) {
  rows_ = static_cast<Index>(observations.size());
  if (rows_ > sums_.capacity()) sums_.resize(rows_, learned_->outputs());
  const Rows learned = run(*learned_, observations, pass);
  const Rows prior = prior_->forward(observations);
  const Rows sums = sums_.first(rows_);
  for (Index r = 0; r < rows_; ++r) {
    for (Index j = 0; j < sums.stride; ++j) sums[r][j] = learned[r][j] + prior[r][j];
    for (Index a = 0; a < actions_; ++a)
      sigma[static_cast<std::size_t>(r) * actions_ + a] =
          std::min(settings_.sigma_scale *
                       standard_deviation(sums[r] + a * settings_.heads, settings_.heads),
                   1.0);
  }
}

double RewardEnsemble::loss(const Batch& batch, Rows gradient) const {
  VAPOR_CHECK_EQ(batch.rows(), rows_);
  const float weight = 1.0F / static_cast<float>(batch.frames());
  const bool noisy = extras() > 0;
  const Index heads = settings_.heads;
  float loss = 0.0F;
  for (Index f = 0; f < batch.frames(); ++f) {
    const std::ptrdiff_t at =
        static_cast<std::ptrdiff_t>(batch.row[f]) * gradient.stride + batch.action[f] * heads;
    const float* prediction = sums_.data() + at;
    float* slope = gradient.data + at;
    for (Index h = 0; h < heads; ++h) {
      const float target = batch.reward[f] + (noisy ? batch.extras[f][h] : 0.0F);
      const float error = prediction[h] - target;
      slope[h] += weight * error;
      loss += 0.5F * weight * error * error;
    }
  }
  return loss;
}

// The noises of n frames of one pair enter its gradient as their sum, which is N(0, n noise^2): one
// draw a pair and head has exactly the law of one draw a frame and head.
void RewardEnsemble::add_fresh_noise(const Batch& batch, Rows gradient, RandomStream& random) {
  visits_.assign(static_cast<std::size_t>(rows_) * actions_, 0);
  for (Index f = 0; f < batch.frames(); ++f)
    ++visits_[static_cast<std::size_t>(batch.row[f]) * actions_ + batch.action[f]];
  for (Index r = 0; r < rows_; ++r)
    for (Index a = 0; a < actions_; ++a) {
      const Index n = visits_[static_cast<std::size_t>(r) * actions_ + a];
      if (n == 0) continue;
      const double scale = settings_.noise * std::sqrt(static_cast<double>(n)) / batch.frames();
      for (Index h = 0; h < settings_.heads; ++h)
        gradient[r][a * settings_.heads + h] -= static_cast<float>(scale * random.normal());
    }
}

double RewardEnsemble::learn(const Batch& batch, RandomStream& random) {
  const Rows gradient = learned_->gradient();
  const double before = loss(batch, gradient);
  if (settings_.fresh_noise && settings_.noise > 0.0) add_fresh_noise(batch, gradient, random);
  learned_->step();
  return before;
}

void RewardEnsemble::draw_extras(std::span<float> extras, RandomStream& random) const {
  for (float& noise : extras) noise = static_cast<float>(settings_.noise * random.normal());
}

}  // namespace vapor::deep
