// UCBVI (Azar, Osband and Munos, 2017, algorithms 1 to 3): optimistic value iteration on the
// empirical model. With n visits of a pair of layer l, H = L - l + 1 steps to go and rewards in
// [low, high],
//
//   Q(s,a) = min(Q before, H high, mean reward + mean V(s') + b),   V(s) = max_a Q(s,a),
//   hoeffding:  b = scale H (high - low) sqrt(iota / (2 n)),  iota = log(pairs n (n + 1) / delta),
//   bernstein:  b = scale (sqrt(2 var iota' / n) + 7 H (high - low) iota' / (3 (n - 1)))
//
// with var the empirical variance of r plus that of V(s') and iota' = iota + log 2. At scale 1 the
// Hoeffding form is optimistic in every episode at once with probability 1 - delta: it is
// Hoeffding's inequality for r + V*(s'), united over pairs and over n (1 / (n (n + 1)) sums to 1).
// The Bernstein form is not proven optimistic (docs/algorithms/ucbvi.md).
// Assumes that rewards lie in [low, high].
#pragma once

#include <vector>

#include "vapor/agent/agent.h"
#include "vapor/agent/experience.h"
#include "vapor/mdp/places.h"

namespace vapor {

enum class UcbviBonus { kHoeffding, kBernstein };

struct UcbviSettings {
  UcbviBonus bonus = UcbviBonus::kHoeffding;
  double scale = 1.0;   // multiplies the bonus
  double delta = 0.05;  // the probability that optimism fails
  double low = 0.0;     // the range of rewards
  double high = 1.0;
};

class UcbviAgent final : public Agent {
 public:
  // Counts are those of all layers if the places are stationary; where an episode is over, values
  // are known to be 0.
  UcbviAgent(const Shape& shape, const UcbviSettings& settings = {}, Places places = {});

  std::span<const double> policy(RandomStream random) override;
  void observe(const Episode& episode) override { experience_.add(episode, pools_); }
  void archive(Archive& archive) override;

  std::span<const double> values() const { return V_; }  // by state, behind the last policy

 private:
  double count_of(Index pair) const;
  double optimistic_value(Index pair, double steps) const;

  Shape shape_;
  UcbviSettings settings_;
  Places places_;
  Pools pools_;
  Experience experience_;
  std::vector<double> Q_;
  std::vector<double> V_;
  std::vector<double> policy_;
};

}  // namespace vapor
