#include "vapor/deep/uncertainty/uncertainty.h"

#include <algorithm>
#include <cmath>

namespace vapor::deep {

void CountUncertainty::sigma(std::span<const Index> observations, Pass /*pass*/,
                             std::span<double> sigma) {
  const double prior = 1.0 / (settings_.prior_std * settings_.prior_std);
  const double visit = 1.0 / (settings_.noise * settings_.noise);
  for (std::size_t r = 0; r < observations.size(); ++r)
    for (Index a = 0; a < actions_; ++a) {
      const auto n =
          static_cast<double>(counts_[static_cast<std::size_t>(observations[r]) * actions_ + a]);
      sigma[r * actions_ + a] = std::min(settings_.sigma_scale / std::sqrt(prior + n * visit), 1.0);
    }
}

void CountUncertainty::observe(std::span<const Frame> frames) {
  for (const Frame& frame : frames)
    ++counts_[static_cast<std::size_t>(frame.observation) * actions_ + frame.action];
}

}  // namespace vapor::deep
