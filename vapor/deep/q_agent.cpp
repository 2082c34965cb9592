#include "vapor/deep/q_agent.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "vapor/core/check.h"
#include "vapor/core/error.h"
#include "vapor/deep/objective/losses.h"

namespace vapor::deep {

void validate(const QSettings& settings) {
  const auto require = [](bool good, const char* field, const char* rule, auto value) {
    if (!good) throw InputError(field, fmt::format("must be {}, got {}", rule, value));
  };
  require(settings.heads >= 1 && settings.heads <= 1000, "q_heads", "in 1..1000", settings.heads);
  require(settings.temperature >= 0.0 && settings.temperature <= 1e6, "temperature", "in [0, 1e6]",
          settings.temperature);
  require(settings.prior_scale >= 0.0 && settings.prior_scale <= 1e6, "prior_scale", "in [0, 1e6]",
          settings.prior_scale);
  require(settings.mask > 0.0 && settings.mask <= 1.0, "mask", "in (0, 1]", settings.mask);
  require(settings.epsilon >= 0.0 && settings.epsilon <= 1.0, "epsilon", "in [0, 1]",
          settings.epsilon);
  require(settings.epsilon_frames >= 0, "epsilon_frames", ">= 0", settings.epsilon_frames);
  require(settings.target_period >= 1, "target_period", ">= 1", settings.target_period);
}

QAgent::QAgent(const QSettings& settings, Index actions, std::unique_ptr<Network> network,
               std::unique_ptr<FrozenFunction> prior)
    : settings_(settings),
      actions_(actions),
      network_(std::move(network)),
      prior_(std::move(prior)),
      target_(network_->frozen()),
      work_(actions) {
  validate(settings);
  VAPOR_CHECK_EQ(network_->outputs(), settings.heads * actions);
}

double QAgent::epsilon() const {
  if (settings_.epsilon_frames == 0) return settings_.epsilon;
  const double part =
      std::min(1.0, static_cast<double>(frames_) / static_cast<double>(settings_.epsilon_frames));
  return 1.0 + part * (settings_.epsilon - 1.0);
}

void QAgent::begin_episode(Index place, RandomStream& random) {
  if (settings_.heads == 1) return;
  if (place >= std::ssize(head_)) head_.resize(place + 1, 0);
  head_[place] = random.index(settings_.heads);
}

void QAgent::values(OutputFunction& network, std::span<const Index> observations, Pass pass,
                    std::vector<double>& q) {
  const Rows out = run(network, observations, pass);
  q.resize(observations.size() * out.columns);
  for (Index r = 0; r < out.rows; ++r)
    std::copy_n(out[r], out.columns, q.begin() + static_cast<std::ptrdiff_t>(r) * out.columns);
  if (!prior_) return;
  const Rows prior = prior_->forward(observations);
  for (Index r = 0; r < out.rows; ++r)
    for (Index j = 0; j < out.columns; ++j)
      q[static_cast<std::size_t>(r) * out.columns + j] += settings_.prior_scale * prior[r][j];
}

void QAgent::play(std::span<const Index> observations, std::span<double> pi,
                  std::span<double> sigma) {
  values(*network_, observations, Pass::kPlay, q_);
  for (std::size_t place = 0; place < observations.size(); ++place) {
    const Index head = place < head_.size() ? head_[place] : 0;
    const auto q = std::span(q_).subspan((place * settings_.heads + head) * actions_, actions_);
    const auto mine = pi.subspan(place * actions_, actions_);
    if (settings_.temperature > 0.0) {
      soft_value(q, settings_.temperature, mine);
    } else {
      std::ranges::fill(mine, 0.0);
      mine[greedy_action(q)] = 1.0;
    }
    for (double& p : mine) p = (1.0 - epsilon()) * p + epsilon() / actions_;
    sigma[place] = 0.0;
  }
}

void QAgent::observe(std::span<const Frame> frames) {
  frames_ += static_cast<std::int64_t>(frames.size());
}

// Of the head whose values at the next row begin at `at`.
double QAgent::next_value(std::size_t at) {
  const auto target = std::span(target_q_).subspan(at, actions_);
  if (settings_.temperature > 0.0) return soft_value(target, settings_.temperature, work_);
  return target[greedy_action(std::span(q_).subspan(at, actions_))];
}

void QAgent::learn(const Batch& batch, RandomStream& /*random*/, std::span<double> priorities) {
  const std::span<const Index> rows = batch.observations.observations();
  values(*target_, rows, Pass::kPlay, target_q_);
  values(*network_, rows, Pass::kLearn, q_);
  const std::size_t width = static_cast<std::size_t>(settings_.heads) * actions_;
  const Rows gradient = network_->gradient();
  error_.assign(batch.frames(), 0.0);
  losses_ = {};
  for (Index f = 0; f < batch.frames(); ++f)
    for (Index h = 0; h < settings_.heads; ++h) {
      if (settings_.mask < 1.0 && batch.extras[f][h] == 0.0F) continue;
      const std::size_t head = static_cast<std::size_t>(h) * actions_;
      double target = batch.reward[f];
      if (batch.discount[f] != 0.0F)
        target += batch.discount[f] * next_value(batch.next_row[f] * width + head);
      const double q = q_[batch.row[f] * width + head + batch.action[f]];
      double slope = 0.0;
      losses_.value += squared_loss(q, target, 1.0 / batch.frames(), slope);
      gradient[batch.row[f]][head + batch.action[f]] += static_cast<float>(slope);
      error_[f] += std::abs(q - target) / settings_.heads;
    }
  network_->step();
  if (++steps_ % settings_.target_period == 0) target_->refresh(*network_);
  priorities_of(batch, error_, priorities);
}

void QAgent::draw_extras(std::span<float> extras, RandomStream& random) const {
  for (float& mask : extras) mask = random.uniform() < settings_.mask ? 1.0F : 0.0F;
}

void QAgent::archive(Archive& archive) {
  network_->archive(archive);
  target_->archive(archive);
  archive(frames_), archive(steps_), archive(head_);
}

// Each agent keeps the heads of its own places.
void QAgent::archive_playing(Archive& archive) {
  network_->archive_parameters(archive);
  archive(frames_);
}

}  // namespace vapor::deep
