#include "vapor/deep/actor_critic.h"

#include <algorithm>

#include "vapor/core/check.h"
#include "vapor/deep/objective/losses.h"
#include "vapor/deep/objective/vtrace.h"

namespace vapor::deep {
namespace {

// What only one objective has, at its defaults with any other: nothing asks for it then.
template <typename Kind>
Kind part_of(const Objective& objective) {
  const Kind* kind = std::get_if<Kind>(&objective);
  return kind == nullptr ? Kind{} : *kind;
}

}  // namespace

ActorCritic::ActorCritic(const ActorCriticSettings& settings, Index actions,
                         std::unique_ptr<Network> actor, std::unique_ptr<Network> critic,
                         std::unique_ptr<Uncertainty> uncertainty)
    : settings_(settings),
      actions_(actions),
      actor_(std::move(actor)),
      critic_(std::move(critic)),
      uncertainty_(std::move(uncertainty)),
      temperature_(part_of<RiskSeeking>(settings.objective).temperature),
      visitation_(part_of<Occupancy>(settings.objective).visitation_rate) {
  VAPOR_CHECK_EQ(actor_->outputs(), actions);
  VAPOR_CHECK_EQ(critic_->outputs(), 1);
}

StateView ActorCritic::state(Index row) const {
  const std::size_t at = static_cast<std::size_t>(row) * actions_;
  const auto slice = [&](const std::vector<double>& table) {
    return std::span(table).subspan(at, actions_);
  };
  return {slice(pi_), slice(log_pi_), slice(sigma_), temperature_.tau(), log_mu_[row]};
}

// The networks at each row, and what follows from a row alone.
void ActorCritic::evaluate_rows(std::span<const Index> observations, Pass pass) {
  const std::size_t pairs = observations.size() * actions_;
  for (std::vector<double>* table : {&pi_, &log_pi_, &sigma_}) table->resize(pairs);
  bonus_.resize(observations.size());
  log_mu_.assign(observations.size(), 0.0);
  if (std::holds_alternative<Occupancy>(settings_.objective))
    for (std::size_t r = 0; r < observations.size(); ++r)
      log_mu_[r] = visitation_.log_mu(observations[r]);
  if (uncertainty_) uncertainty_->sigma(observations, pass, sigma_);
  const Rows logits = run(*actor_, observations, pass);
  for (Index r = 0; r < logits.rows; ++r) {
    const std::size_t at = static_cast<std::size_t>(r) * actions_;
    softmax(logits[r], std::span(pi_).subspan(at, actions_),
            std::span(log_pi_).subspan(at, actions_));
    bonus_[r] = evaluation_bonus(settings_.objective, state(r));
  }
}

void ActorCritic::begin_episode(Index place, RandomStream& /*random*/) {
  actor_->begin_episode(place);
}

void ActorCritic::play(std::span<const Index> observations, std::span<double> pi,
                       std::span<double> sigma) {
  evaluate_rows(observations, Pass::kPlay);
  answer_play(pi_, sigma_, pi, sigma);
}

// V-trace along every sequence.
void ActorCritic::follow_sequences(const Batch& batch) {
  for (auto* table : {&ratio_, &reward_, &value_, &next_value_, &target_, &advantage_})
    table->resize(batch.frames());
  for (Index f = 0; f < batch.frames(); ++f) {
    const Index row = batch.row[f];
    const std::size_t pair = static_cast<std::size_t>(row) * actions_ + batch.action[f];
    ratio_[f] = pi_[pair] / batch.behaviour[f];
    reward_[f] = batch.reward[f] + bonus_[row] + sampled_bonus(settings_.objective, sigma_[pair]);
    value_[f] = values_[row][0];
    next_value_[f] = values_[batch.next_row[f]][0];
  }
  for (Index k = 0; k < batch.sequences(); ++k) {
    const Range frames = batch.frames_of(k);
    const auto slice = [&](auto& table) {
      return std::span(table).subspan(frames.first(), frames.size());
    };
    vtrace(
        {slice(ratio_), slice(reward_), slice(batch.discount), slice(value_), slice(next_value_)},
        settings_.lambda, slice(target_), slice(advantage_));
  }
}

// The gradients of both networks: mean over the frames.
void ActorCritic::improve(const Batch& batch) {
  losses_ = {};
  const double weight = 1.0 / batch.frames();
  logits_gradient_.assign(pi_.size(), 0.0);
  visits_.assign(batch.rows(), 0.0);
  const Rows values = critic_->gradient();
  for (Index f = 0; f < batch.frames(); ++f) {
    const Index row = batch.row[f];
    const StateView s = state(row);
    const double rho = std::min(1.0, ratio_[f]);
    losses_.policy += policy_loss(
        s.pi, s.log_pi, batch.action[f], weight * rho * advantage_[f],
        std::span(logits_gradient_).subspan(static_cast<std::size_t>(row) * actions_, actions_));
    double slope = 0.0;
    losses_.value += squared_loss(value_[f], target_[f], weight, slope);
    values[row][0] += static_cast<float>(slope);
    visits_[row] += weight;
  }
  const Rows logits = actor_->gradient();
  const bool tunes = std::holds_alternative<RiskSeeking>(settings_.objective);
  double tau_gradient = 0.0;
  for (Index r = 0; r < batch.rows(); ++r) {
    if (visits_[r] == 0.0) continue;
    const auto gradient =
        std::span(logits_gradient_).subspan(static_cast<std::size_t>(r) * actions_, actions_);
    losses_.policy += improvement_loss(settings_.objective, state(r), visits_[r], gradient);
    for (Index a = 0; a < actions_; ++a) logits[r][a] = static_cast<float>(gradient[a]);
    if (tunes) tau_gradient += visits_[r] * temperature_gradient(state(r));
  }
  if (tunes) temperature_.descend(tau_gradient);
}

void ActorCritic::learn(const Batch& batch, RandomStream& random, std::span<double> priorities) {
  actor_->set_first_rows(batch.first_rows);
  evaluate_rows(batch.observations.observations(), Pass::kLearn);
  values_ = critic_->forward(batch.observations.observations());
  follow_sequences(batch);
  improve(batch);
  actor_->step();
  critic_->step();
  if (uncertainty_) losses_.reward = uncertainty_->learn(batch, random);
  for (Index f = 0; f < batch.frames(); ++f) target_[f] -= value_[f];
  priorities_of(batch, target_, priorities);
}

void ActorCritic::observe(std::span<const Frame> frames) {
  if (uncertainty_) uncertainty_->observe(frames);
  if (std::holds_alternative<Occupancy>(settings_.objective)) visitation_.observe(frames);
}

Index ActorCritic::extras() const { return uncertainty_ ? uncertainty_->extras() : 0; }

void ActorCritic::draw_extras(std::span<float> extras, RandomStream& random) const {
  if (uncertainty_) uncertainty_->draw_extras(extras, random);
}

void ActorCritic::archive(Archive& archive) {
  actor_->archive(archive);
  critic_->archive(archive);
  temperature_.archive(archive);
  visitation_.archive(archive);
  if (uncertainty_) uncertainty_->archive(archive);
}

void ActorCritic::archive_playing(Archive& archive) {
  actor_->archive_parameters(archive);
  if (uncertainty_) uncertainty_->archive_playing(archive);
}

}  // namespace vapor::deep
