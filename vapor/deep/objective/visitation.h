// How often a policy comes through each observation: an estimate of mu(s), visits an episode, by an
// exponential average over episodes. For observations that come again; what never came has the
// floor. Paper, appendix I: the entropy of the state visitation, which VAPOR-lite passes over.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "vapor/core/archive.h"
#include "vapor/deep/replay/batch.h"

namespace vapor::deep {

class Visitation {
 public:
  // `rate` is the weight of the last episode, in (0, 1), and the floor of the estimate: a visit
  // every 1 / rate episodes is the least that the average can tell from none.
  explicit Visitation(double rate) : rate_(rate) {}

  // Frames of whole episodes, or of parts in order.
  void observe(std::span<const Frame> frames) {
    for (const Frame& frame : frames) {
      const auto s = static_cast<std::size_t>(frame.observation);
      if (s >= average_.size()) {
        average_.resize(s + 1, 0.0);
        episode_.resize(s + 1, 0);
      }
      average_[s] = now(s) + rate_;
      episode_[s] = episodes_;
      if (frame.last) ++episodes_;
    }
  }

  // log of the estimate, in [log rate, 0].
  double log_mu(Index observation) const {
    const auto s = static_cast<std::size_t>(observation);
    const double mu = s < average_.size() ? now(s) : 0.0;
    return std::log(mu < rate_ ? rate_ : mu > 1.0 ? 1.0 : mu);
  }

  void archive(Archive& archive) { archive(average_), archive(episode_), archive(episodes_); }

 private:
  double now(std::size_t s) const {
    return average_[s] * std::pow(1.0 - rate_, static_cast<double>(episodes_ - episode_[s]));
  }

  double rate_;
  std::vector<double> average_;        // by observation, as of its last visit
  std::vector<std::int64_t> episode_;  // when that was
  std::int64_t episodes_ = 0;
};

}  // namespace vapor::deep
