#include "vapor/belief/tabular_belief.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "vapor/core/check.h"
#include "vapor/core/error.h"

namespace vapor {
namespace {

void check_positive(const char* field, double value) {
  if (!(value > 0.0 && value <= 1e100))
    throw InputError(field, fmt::format("must be > 0 and at most 1e100, got {}", value));
}

}  // namespace

TabularBelief::TabularBelief(Shape shape, std::vector<double> initial,
                             const TabularBeliefSettings& settings, SigmaTransform transform)
    : shape_(std::move(shape)),
      initial_(std::move(initial)),
      settings_(settings),
      transform_(std::move(transform)),
      visits_(shape_.pairs()),
      reward_sum_(shape_.pairs()),
      successors_(shape_.pairs()) {
  check_positive("repeat", settings.repeat);
  check_positive("prior_variance", settings.prior_variance);
  check_positive("noise_variance", settings.noise_variance);
}

void TabularBelief::update(const Episode& episode) {
  for (const Step& step : episode) {
    VAPOR_CHECK_GE(step.pair, 0);
    VAPOR_CHECK_LT(step.pair, shape_.pairs());
    VAPOR_CHECK_LT(step.next_state, shape_.states());
    visits_[step.pair] += 1.0;
    reward_sum_[step.pair] += step.reward;
    if (step.next_state < 0) continue;
    auto& successors = successors_[step.pair];
    const auto found = std::find_if(successors.begin(), successors.end(),
                                    [&](const Successor& s) { return s.state == step.next_state; });
    if (found == successors.end())
      successors.push_back({step.next_state, 1.0});
    else
      found->count += 1.0;
  }
}

Problem TabularBelief::problem() const {
  Problem problem;
  problem.shape = shape_;
  problem.initial = initial_;
  problem.reward_mean.resize(shape_.pairs());
  problem.sigma.resize(shape_.pairs());
  Transitions& P = problem.transitions;
  P.base_weight.assign(shape_.pairs(), 0.0);
  P.base.assign(shape_.states(), 0.0);
  P.begin.reserve(shape_.pairs() + 1);
  for (Index l = 0; l < shape_.layers(); ++l) {
    const bool last = l + 1 == shape_.layers();
    const int steps_left = shape_.layers() - 1 - l;
    if (l > 0)
      for (Index s : shape_.states_of(l)) P.base[s] = 1.0 / shape_.states_of(l).size();
    for (Index p : shape_.pairs_of_layer(l)) {
      const double n = settings_.repeat * visits_[p];
      const double variance = 1.0 / (1.0 / settings_.prior_variance + n / settings_.noise_variance);
      problem.reward_mean[p] =
          settings_.repeat * reward_sum_[p] / settings_.noise_variance * variance;
      problem.sigma[p] = transform_({variance, 1.0 + n, steps_left});
      if (!last) {
        P.base_weight[p] = 1.0 / (1.0 + n);
        for (const Successor& next : successors_[p]) {
          P.next_state.push_back(next.state);
          P.probability.push_back(settings_.repeat * next.count / (1.0 + n));
        }
      }
      P.begin.push_back(static_cast<Offset>(P.next_state.size()));
    }
  }
  return problem;
}

}  // namespace vapor
