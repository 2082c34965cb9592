// The learners of constrained MDPs that plan on counts of their own: each episode a rule maps what
// was seen to a policy. They know what pairs cost and, of rewards, what they have seen: a pair pays
// its mean, before the first visit the most that any does. That is all there is to know where
// rewards have no noise, as in the environments with a cost; confidence sets of rewards are left
// out.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "vapor/agent/agent.h"
#include "vapor/agent/experience.h"
#include "vapor/mdp/constrained_plan.h"
#include "vapor/mdp/cost.h"
#include "vapor/mdp/places.h"

namespace vapor {

// Counts of what follows a pair, as intervals. Pairs of one pool share a row where all layers hold
// the same places.
class CountedIntervals {
 public:
  CountedIntervals(const Shape& shape, std::vector<double> initial, const Pools& pools);

  // Writes the intervals of a row, given how often each next state was seen; `pool` is that of the
  // row.
  using RowRule = std::function<void(Index pool, std::span<const double> counts,
                                     std::span<double> low, std::span<double> high)>;
  const IntervalModel& set(const Experience& seen, const Pools& pools, const RowRule& rule);

 private:
  struct Row {
    Index pair = 0;  // one that has it
    Offset begin = 0;
    Index size = 0;
  };
  std::vector<Row> rows_;
  std::vector<double> counts_;
  IntervalModel model_;
};

// The empirical frequencies, uniform before the first visit.
void frequencies(std::span<const double> counts, std::span<double> probability);

// Frequencies +- width(frequency, visits), within [0, 1]; before the first visit [0, 1]. Returns
// the sum of the widths, each of them at most 1.
using Width = std::function<double(double probability, double visits)>;
double confidence_row(std::span<const double> counts, const Width& width, std::span<double> low,
                      std::span<double> high);

// The width of the confidence intervals of OptCMDP and DOPE, by Bernstein's inequality:
// 2 sqrt(p (1 - p) iota / n) + 14 iota / (3 n).
double bernstein_width(double probability, double visits, double iota);

// log(2 S A L K / delta): S places in the largest layer, A actions at most, L layers, K episodes.
double log_term(const Shape& shape, std::int64_t episodes, double delta);

// sum over pairs of occupancy times `of_pair`, for intervals of no width.
double expected_total(const IntervalModel& exact, std::span<const double> policy,
                      std::span<const double> of_pair);

class BudgetAgent final : public Agent {
 public:
  // What a rule reads, and what it may write on.
  struct View {
    const Shape& shape;
    const Pools& pools;
    const Experience& seen;
    const Cost& cost;
    std::int64_t episode;            // 1, 2, ...
    std::span<const double> reward;  // by pair: as above
    CountedIntervals& intervals;
    ConstrainedPlanner& planner;
    RandomStream& random;
    std::vector<double>& memory;  // kept from episode to episode: empty at first, checkpointed
  };
  using Rule = std::function<void(View view, std::span<double> policy)>;

  BudgetAgent(const Shape& shape, std::vector<double> initial, Places places, Cost cost, Rule rule);

  std::span<const double> policy(RandomStream random) override;
  void observe(const Episode& episode) override;
  void archive(Archive& archive) override;

 private:
  Shape shape_;
  Places places_;
  Pools pools_;
  Cost cost_;
  Rule rule_;
  Experience experience_;
  CountedIntervals intervals_;
  ConstrainedPlanner planner_;
  std::int64_t episode_ = 1;
  std::vector<double> memory_;
  std::vector<double> reward_;
  std::vector<double> policy_;
};

}  // namespace vapor
