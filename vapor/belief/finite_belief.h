// A belief that the MDP is one of finitely many, each with a weight: the toy problem of the paper
// (figure 1), and any small belief for which P(Gamma*) is to be exact.
//
// Rewards are observed as they are (noise_variance = 0: a model that disagrees by more than 1e-9 is
// ruled out) or with Gaussian noise. The problem has E P, E r and the sub-Gaussian parameters of
// the rewards under the weights (belief/sub_gaussian.h): of two values the optimal one, of more
// Hoeffding's. VAPOR's bounds hold for it if all models share their dynamics; uncertainty of the
// dynamics is in E P alone, not in sigma, since the transformation of the paper is for Dirichlet
// beliefs.
#pragma once

#include <span>
#include <vector>

#include "vapor/belief/belief.h"
#include "vapor/belief/optimality.h"

namespace vapor {

struct FiniteModel {
  Problem problem = {};  // its reward_mean are the rewards; its sigma is not used
  double weight = 1.0;   // proportional to the prior probability, >= 0
};

class FiniteBelief : public Belief {
 public:
  // The models have one shape and initial distribution. Throws InputError that names the place.
  explicit FiniteBelief(std::vector<FiniteModel> models, double noise_variance = 0.0);

  // Throws InputError if no model explains the episode; the belief is then as it was.
  void update(const Episode& episode) override;
  const Problem& problem() override;
  double sample_optimal_policy(RandomStream& random, std::span<double> policy) override;
  Optimality optimality(RandomStream& random, int samples) override;
  void archive(Archive& archive) override;
  FiniteBelief* as_finite() override { return this; }

  std::span<const double> weights() const { return weights_; }  // by model, summing to 1
  std::span<const Problem> models() const { return models_; }
  double noise_variance() const { return noise_variance_; }

 private:
  double log_likelihood(const Problem& model, const Step& step) const;
  void set_weights();
  void set_mean_transitions();
  double reward_sigma(Index pair);

  std::vector<Problem> models_;
  std::vector<Optimum> optima_;  // of each model
  double noise_variance_;
  std::vector<double> log_weights_;  // by model; minus infinity if ruled out
  std::vector<double> weights_;
  Problem problem_;
  std::vector<double> row_;  // by state: room for one row of E P
};

}  // namespace vapor
