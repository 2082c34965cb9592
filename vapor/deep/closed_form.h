// VAPOR-lite without an actor: a dueling critic G(s, a) = E r + gamma E V(s'), and at each state
// the exact maximiser of the VAPOR-lite objective (vapor/solver/vapor_lite.h) with G in the place
// of q:
//
//   pi = argmax_pi sum_a pi_a (G_a + sigma_a - w sigma_a log pi_a),
//   V(s) = sum_a pi_a (G_a + sigma_a)   (entropy in improvement only)
//
// G is fitted to Retrace(lambda) targets of r. It is a fixed point of the actor's policy gradient,
// and unlike the actor it never saturates.
#pragma once

#include <memory>
#include <vector>

#include "vapor/deep/agent.h"
#include "vapor/deep/uncertainty/uncertainty.h"
#include "vapor/nn/network.h"

namespace vapor::deep {

struct ClosedFormSettings {
  double lambda = 0.9;                 // of Retrace, in [0, 1]
  double entropy_weight = 1.0;         // w, > 0
  bool entropy_in_evaluation = false;  // V(s) is then the maximum itself
};

// Throws InputError that names the field.
void validate(const ClosedFormSettings& settings);

// pi = argmax of sum_a pi_a (q_a + sigma_a - w sigma_a log pi_a). `q` is used as working space.
void closed_form_policy(std::span<double> q, std::span<const double> sigma, double w,
                        std::span<double> pi);

class ClosedForm : public Agent {
 public:
  // `critic` has 1 + actions outputs.
  ClosedForm(const ClosedFormSettings& settings, Index actions, std::unique_ptr<Network> critic,
             std::unique_ptr<Uncertainty> uncertainty);

  void play(std::span<const Index> observations, std::span<double> pi,
            std::span<double> sigma) override;
  void observe(std::span<const Frame> frames) override { uncertainty_->observe(frames); }
  void learn(const Batch& batch, RandomStream& random, std::span<double> priorities) override;
  Losses losses() const override { return losses_; }
  Index extras() const override { return uncertainty_->extras(); }
  void draw_extras(std::span<float> extras, RandomStream& random) const override {
    uncertainty_->draw_extras(extras, random);
  }
  void archive(Archive& archive) override;
  void archive_playing(Archive& archive) override;

 private:
  void evaluate_rows(std::span<const Index> observations, Pass pass);
  void follow_sequences(const Batch& batch);

  ClosedFormSettings settings_;
  Index actions_;
  std::unique_ptr<Network> critic_;
  std::unique_ptr<Uncertainty> uncertainty_;
  Losses losses_;
  std::vector<double> G_, pi_, sigma_;                                // by row and action
  std::vector<double> work_, slope_;                                  // by action
  std::vector<double> V_;                                             // by row
  std::vector<double> ratio_, reward_, value_, next_value_, target_;  // by frame
};

}  // namespace vapor::deep
