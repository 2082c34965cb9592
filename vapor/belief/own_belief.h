// A belief of one's own: a model with two functions drives every agent.
//
//   struct Mine {
//     vapor::Problem problem();  // E P, E r and sigma_hat, as they are now
//     void update(const vapor::Episode& episode);
//     vapor::Problem sample(vapor::RandomStream&);  // an MDP drawn from it, for Thompson
//     void archive(vapor::Archive&);  // for checkpoints
//   };
//   auto agent = make_agent(Spec("agent", "vapor"), own_belief(Mine{}));
//
// The last two may be left out, and are missed when they are asked for. What a model returns is
// checked every time: a problem, and of the shape that the first one had.
#pragma once

#include <algorithm>
#include <concepts>
#include <memory>
#include <optional>
#include <utility>

#include "vapor/belief/belief.h"
#include "vapor/belief/optimality.h"
#include "vapor/core/error.h"

namespace vapor {

template <typename M>
concept BeliefModel = requires(M& model, const Episode& episode) {
  { model.problem() } -> std::convertible_to<Problem>;
  model.update(episode);
};

template <BeliefModel M>
class OwnBelief final : public Belief {
 public:
  explicit OwnBelief(M model, Places places = {})
      : model_(std::move(model)), places_(std::move(places)) {
    problem();
    validate(places_, problem_->shape);
  }

  void update(const Episode& episode) override {
    is_current_ = false;
    model_.update(episode);
  }

  const Problem& problem() override {
    if (is_current_) return *problem_;
    problem_ = checked("problem", model_.problem());
    is_current_ = true;
    return *problem_;
  }

  double sample_optimal_policy(RandomStream& random, std::span<double> policy) override {
    if constexpr (requires { model_.sample(random); }) {
      const Problem drawn = checked("sample", model_.sample(random));
      const Optimum optimum = optimum_of(drawn, drawn.reward_mean);
      std::ranges::copy(optimum.policy, policy.begin());
      return optimum.value;
    } else {
      throw InputError("belief", "has no sample(random), which Thompson sampling asks for");
    }
  }

  Optimality optimality(RandomStream& random, int samples) override {
    return gaussian_optimality(problem(), random, samples);
  }

  const Places& places() const override { return places_; }

  void archive(Archive& archive) override {
    is_current_ = false;
    if constexpr (requires { model_.archive(archive); })
      model_.archive(archive);
    else
      throw InputError("belief", "has no archive(), which checkpoints ask for");
  }

  M& model() { return model_; }

 private:
  Problem checked(const char* function, Problem problem) const {
    try {
      validate_and_normalise(problem);
    } catch (const InputError& error) {
      throw InputError("belief", std::string(function) + "() gives " + error.what());
    }
    if (problem_ && !(problem.shape == problem_->shape))
      throw InputError("belief", std::string(function) +
                                     "() gives other layers, states or actions than the first "
                                     "problem had");
    return problem;
  }

  M model_;
  Places places_;
  std::optional<Problem> problem_;
  bool is_current_ = false;
};

template <BeliefModel M>
std::unique_ptr<Belief> own_belief(M model, Places places = {}) {
  return std::make_unique<OwnBelief<M>>(std::move(model), std::move(places));
}

}  // namespace vapor
