#include "vapor/deep/closed_form.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "vapor/core/check.h"
#include "vapor/core/error.h"
#include "vapor/deep/objective/losses.h"
#include "vapor/deep/objective/vtrace.h"
#include "vapor/solver/vapor_lite.h"

namespace vapor::deep {

void validate(const ClosedFormSettings& settings) {
  if (!(settings.lambda >= 0.0 && settings.lambda <= 1.0))
    throw InputError("lambda", fmt::format("must be in [0, 1], got {}", settings.lambda));
  if (!(settings.entropy_weight > 0.0 && settings.entropy_weight <= 1e6))
    throw InputError("entropy_weight",
                     fmt::format("must be in (0, 1e6], got {}", settings.entropy_weight));
}

// The solver's maximiser has one sigma for optimism and entropy: q + (1 - w) sigma and w sigma are
// the same problem.
void closed_form_policy(std::span<double> q, std::span<const double> sigma, double w,
                        std::span<double> pi) {
  if (w == 1.0) {
    vapor_lite_maximiser(q, sigma, pi);
    return;
  }
  constexpr std::size_t kMostActions = 64;
  VAPOR_CHECK_LE(q.size(), kMostActions);
  double scaled[kMostActions];
  for (std::size_t a = 0; a < q.size(); ++a) {
    q[a] += (1.0 - w) * sigma[a];
    scaled[a] = w * sigma[a];
  }
  vapor_lite_maximiser(q, {scaled, q.size()}, pi);
}

ClosedForm::ClosedForm(const ClosedFormSettings& settings, Index actions,
                       std::unique_ptr<Network> critic, std::unique_ptr<Uncertainty> uncertainty)
    : settings_(settings),
      actions_(actions),
      critic_(std::move(critic)),
      uncertainty_(std::move(uncertainty)),
      work_(actions),
      slope_(actions) {
  validate(settings);
  VAPOR_CHECK_EQ(critic_->outputs(), 1 + actions);
}

void ClosedForm::evaluate_rows(std::span<const Index> observations, Pass pass) {
  const std::size_t pairs = observations.size() * actions_;
  for (std::vector<double>* table : {&G_, &pi_, &sigma_}) table->resize(pairs);
  V_.assign(observations.size(), 0.0);
  uncertainty_->sigma(observations, pass, sigma_);
  const Rows out = run(*critic_, observations, pass);
  for (Index r = 0; r < out.rows; ++r) {
    const std::size_t at = static_cast<std::size_t>(r) * actions_;
    const auto slice = [&](std::vector<double>& table) {
      return std::span(table).subspan(at, actions_);
    };
    dueling_values(out[r], slice(G_));
    work_.assign(slice(G_).begin(), slice(G_).end());
    closed_form_policy(work_, slice(sigma_), settings_.entropy_weight, slice(pi_));
    for (std::size_t p = at; p < at + actions_; ++p) {
      V_[r] += pi_[p] * (G_[p] + sigma_[p]);
      if (settings_.entropy_in_evaluation && pi_[p] > 0.0)
        V_[r] -= settings_.entropy_weight * sigma_[p] * pi_[p] * std::log(pi_[p]);
    }
  }
}

void ClosedForm::play(std::span<const Index> observations, std::span<double> pi,
                      std::span<double> sigma) {
  evaluate_rows(observations, Pass::kPlay);
  answer_play(pi_, sigma_, pi, sigma);
}

void ClosedForm::follow_sequences(const Batch& batch) {
  for (auto* table : {&ratio_, &reward_, &value_, &next_value_, &target_})
    table->resize(batch.frames());
  for (Index f = 0; f < batch.frames(); ++f) {
    const std::size_t pair = static_cast<std::size_t>(batch.row[f]) * actions_ + batch.action[f];
    ratio_[f] = pi_[pair] / batch.behaviour[f];
    reward_[f] = batch.reward[f];
    value_[f] = G_[pair];
    next_value_[f] = V_[batch.next_row[f]];
  }
  for (Index k = 0; k < batch.sequences(); ++k) {
    const Range frames = batch.frames_of(k);
    const auto slice = [&](auto& table) {
      return std::span(table).subspan(frames.first(), frames.size());
    };
    retrace(
        {slice(ratio_), slice(reward_), slice(batch.discount), slice(value_), slice(next_value_)},
        settings_.lambda, slice(target_));
  }
}

void ClosedForm::learn(const Batch& batch, RandomStream& random, std::span<double> priorities) {
  evaluate_rows(batch.observations.observations(), Pass::kLearn);
  follow_sequences(batch);
  losses_ = {};
  const Rows gradient = critic_->gradient();
  for (Index f = 0; f < batch.frames(); ++f) {
    slope_.assign(actions_, 0.0);
    losses_.value +=
        squared_loss(value_[f], target_[f], 1.0 / batch.frames(), slope_[batch.action[f]]);
    add_dueling_gradient(slope_, gradient[batch.row[f]]);
    target_[f] -= value_[f];
  }
  critic_->step();
  losses_.reward = uncertainty_->learn(batch, random);
  priorities_of(batch, target_, priorities);
}

void ClosedForm::archive(Archive& archive) {
  critic_->archive(archive);
  uncertainty_->archive(archive);
}

void ClosedForm::archive_playing(Archive& archive) {
  critic_->archive_parameters(archive);
  uncertainty_->archive_playing(archive);
}

}  // namespace vapor::deep
