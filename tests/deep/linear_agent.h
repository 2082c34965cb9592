// Agents on networks that are linear in the bytes of an observation: the smallest that see images.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "vapor/deep/actor_critic.h"
#include "vapor/deep/make_agent.h"
#include "vapor/deep/q_agent.h"
#include "vapor/deep/uncertainty/reward_ensemble.h"
#include "vapor/nn/adam.h"

namespace vapor::deep::test_support {

class LinearNetwork : public Network {
 public:
  LinearNetwork(const ObservationStore& store, Index outputs, const AdamSettings& adam,
                double deviation, RandomStream random)
      : store_(store), inputs_(store.shape().elements() + 1), outputs_(outputs), adam_(adam) {
    weights_.assign(static_cast<std::size_t>(inputs_) * padded(outputs), 0.0F);
    m_ = v_ = slope_ = weights_;
    for (float& w : weights_) w = static_cast<float>(deviation * random.normal());
  }

  Index outputs() const override { return outputs_; }

  Rows forward(std::span<const Index> observations) override {
    rows_ = static_cast<Index>(observations.size());
    x_.assign(static_cast<std::size_t>(rows_) * inputs_, 1.0F);
    y_.resize(rows_, outputs_);
    gradient_.resize(rows_, outputs_);
    std::vector<std::byte> pixels(store_.shape().bytes());
    for (Index r = 0; r < rows_; ++r) {
      store_.copy_to(observations[r], pixels.data());
      for (Index i = 0; i + 1 < inputs_; ++i) x(r)[i] = static_cast<float>(pixels[i]);
      for (Index i = 0; i < inputs_; ++i)
        for (Index j = 0; x(r)[i] != 0.0F && j < outputs_; ++j)
          y_.first(rows_)[r][j] += x(r)[i] * w(i)[j];
    }
    return y_.first(rows_);
  }

  Rows gradient() override { return gradient_.first(rows_); }

  void step() override {
    slope_.assign(slope_.size(), 0.0F);
    for (Index r = 0; r < rows_; ++r)
      for (Index i = 0; i < inputs_; ++i)
        for (Index j = 0; x(r)[i] != 0.0F && j < outputs_; ++j)
          slope_[static_cast<std::size_t>(i) * padded(outputs_) + j] +=
              x(r)[i] * gradient_.first(rows_)[r][j];
    adam_.step(++steps_, slope_.data(), weights_.data(), m_.data(), v_.data(),
               static_cast<Index>(weights_.size()));
  }

  std::unique_ptr<FrozenFunction> frozen() override {
    return std::make_unique<Frozen>(std::make_unique<LinearNetwork>(*this));
  }

  void archive(Archive& archive) override {
    archive(weights_), archive(m_), archive(v_), archive(steps_);
  }

 private:
  class Frozen : public FrozenFunction {
   public:
    explicit Frozen(std::unique_ptr<LinearNetwork> copy) : copy_(std::move(copy)) {}
    Index outputs() const override { return copy_->outputs(); }
    Rows forward(std::span<const Index> observations) override {
      return copy_->forward(observations);
    }
    void refresh(Network& source) override {
      copy_->weights_ = dynamic_cast<LinearNetwork&>(source).weights_;
    }
    void archive(Archive& archive) override { copy_->archive(archive); }

   private:
    std::unique_ptr<LinearNetwork> copy_;
  };

  float* x(Index row) { return &x_[static_cast<std::size_t>(row) * inputs_]; }
  float* w(Index input) { return &weights_[static_cast<std::size_t>(input) * padded(outputs_)]; }

  const ObservationStore& store_;
  Index inputs_;  // the last is 1
  Index outputs_;
  Adam adam_;
  Floats weights_, m_, v_, slope_;
  std::uint32_t steps_ = 0;
  Index rows_ = 0;
  std::vector<float> x_;
  RowBuffer y_, gradient_;
};

inline std::unique_ptr<Agent> make_linear_agent(const std::string& name, const Config& config,
                                                const ObservationStore& store, Index actions,
                                                const RandomStream& random) {
  const auto network = [&](const char* label, Index outputs, const AdamSettings& adam,
                           double deviation) {
    return std::make_unique<LinearNetwork>(store, outputs, adam, deviation, random.split(label));
  };
  if (name == "dqn" || name == "boot-dqn")
    return std::make_unique<QAgent>(
        config.q, actions, network("critic", config.q.heads * actions, config.network.critic, 0.01),
        config.q.prior_scale > 0.0
            ? network("prior", config.q.heads * actions, config.network.critic, 0.3)->frozen()
            : nullptr);
  const Index heads = actions * config.uncertainty.ensemble.heads;
  auto uncertainty = std::make_unique<RewardEnsemble>(
      config.uncertainty.ensemble, actions, network("ensemble", heads, config.network.reward, 0.0),
      network("prior", heads, config.network.reward, config.uncertainty.ensemble.prior_std)
          ->frozen());
  return std::make_unique<ActorCritic>(
      ActorCriticSettings{make_objective(config.objective), config.learning.lambda}, actions,
      network("actor", actions, config.network.actor, 0.0),
      network("critic", 1, config.network.critic, 0.0), std::move(uncertainty));
}

}  // namespace vapor::deep::test_support
