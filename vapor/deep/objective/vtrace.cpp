#include "vapor/deep/objective/vtrace.h"

#include <algorithm>
#include <cstddef>

#include "vapor/core/check.h"

namespace vapor::deep {
namespace {

// All of one sequence are as long as it.
void check_lengths(const SequenceView& sequence, std::span<const double> target) {
  const std::size_t frames = sequence.ratio.size();
  VAPOR_CHECK_EQ(sequence.reward.size(), frames);
  VAPOR_CHECK_EQ(sequence.discount.size(), frames);
  VAPOR_CHECK_EQ(sequence.value.size(), frames);
  VAPOR_CHECK_EQ(sequence.next_value.size(), frames);
  VAPOR_CHECK_EQ(target.size(), frames);
}

}  // namespace

void vtrace(const SequenceView& sequence, double lambda, std::span<double> target,
            std::span<double> advantage) {
  check_lengths(sequence, target);
  VAPOR_CHECK_EQ(advantage.size(), target.size());
  double correction = 0.0;  // v_{t+1} - V_{t+1}
  for (std::size_t t = sequence.ratio.size(); t-- > 0;) {
    const double rho = std::min(1.0, sequence.ratio[t]);
    const double gamma = sequence.discount[t];
    const double V = sequence.value[t];
    const double delta = sequence.reward[t] + gamma * sequence.next_value[t] - V;
    advantage[t] = delta + gamma * correction;
    correction = rho * (delta + gamma * lambda * correction);
    target[t] = V + correction;
  }
}

void retrace(const SequenceView& sequence, double lambda, std::span<double> target) {
  check_lengths(sequence, target);
  double correction = 0.0;  // c_{t+1} (g_{t+1} - Q_{t+1})
  for (std::size_t t = sequence.ratio.size(); t-- > 0;) {
    const double gamma = sequence.discount[t];
    target[t] = sequence.reward[t] + gamma * (sequence.next_value[t] + correction);
    correction = lambda * std::min(1.0, sequence.ratio[t]) * (target[t] - sequence.value[t]);
  }
}

}  // namespace vapor::deep
