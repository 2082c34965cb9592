#include "vapor/agent/budget_agent.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace vapor {
namespace {

// Whether all layers after the first hold the same places in the same order.
bool layers_are_alike(const Shape& shape, const Pools& pools) {
  if (!pools.pooled()) return false;
  for (Index l = 2; l < shape.layers(); ++l) {
    const Range first = shape.states_of(1), other = shape.states_of(l);
    if (first.size() != other.size()) return false;
    for (Index i = 0; i < first.size(); ++i)
      if (pools.place_of(first.first() + i) != pools.place_of(other.first() + i)) return false;
  }
  return true;
}

}  // namespace

CountedIntervals::CountedIntervals(const Shape& shape, std::vector<double> initial,
                                   const Pools& pools) {
  const bool alike = layers_are_alike(shape, pools);
  model_.shape = shape;
  model_.initial = std::move(initial);
  model_.row.assign(shape.pairs(), 0);
  std::vector<Offset> of_pool(pools.size(), -1);
  Offset entries = 0;
  for (Index l = 0; l + 1 < shape.layers(); ++l)
    for (Index p : shape.pairs_of_layer(l)) {
      Offset& known = of_pool[pools.of(p)];
      if (alike && known >= 0) {
        model_.row[p] = known;
        continue;
      }
      known = model_.row[p] = entries;
      rows_.push_back({.pair = p, .begin = entries, .size = shape.states_of(l + 1).size()});
      entries += rows_.back().size;
    }
  model_.low.resize(entries);
  model_.high.resize(entries);
}

const IntervalModel& CountedIntervals::set(const Experience& seen, const Pools& pools,
                                           const RowRule& rule) {
  for (const Row& row : rows_) {
    counts_.assign(row.size, 0.0);
    const Range next = model_.shape.states_of(pools.layer_of(row.pair) + 1);
    for (const Experience::Successor& met : seen.successors[pools.of(row.pair)]) {
      const Index state = pools.state_after(row.pair, met.place);
      if (state >= 0) counts_[state - next.first()] += met.count;
    }
    rule(pools.of(row.pair), counts_, std::span(model_.low).subspan(row.begin, row.size),
         std::span(model_.high).subspan(row.begin, row.size));
  }
  return model_;
}

void frequencies(std::span<const double> counts, std::span<double> probability) {
  double visits = 0.0;
  for (const double count : counts) visits += count;
  for (std::size_t i = 0; i < counts.size(); ++i)
    probability[i] = visits > 0.0 ? counts[i] / visits : 1.0 / static_cast<double>(counts.size());
}

double confidence_row(std::span<const double> counts, const Width& width, std::span<double> low,
                      std::span<double> high) {
  double visits = 0.0;
  for (const double count : counts) visits += count;
  frequencies(counts, low);
  double sum = 0.0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double frequency = low[i];
    const double beta = visits > 0.0 ? std::min(1.0, width(frequency, visits)) : 1.0;
    low[i] = std::max(0.0, frequency - beta);
    high[i] = std::min(1.0, frequency + beta);
    sum += beta;
  }
  return sum;
}

double bernstein_width(double probability, double visits, double iota) {
  return 2.0 * std::sqrt(probability * (1.0 - probability) * iota / visits) +
         14.0 * iota / (3.0 * visits);
}

double log_term(const Shape& shape, std::int64_t episodes, double delta) {
  Index actions = 0;
  for (Index s = 0; s < shape.states(); ++s) actions = std::max(actions, shape.pairs_of(s).size());
  return std::log(2.0 * shape.largest_layer() * actions * shape.layers() *
                  static_cast<double>(episodes) / delta);
}

double expected_total(const IntervalModel& exact, std::span<const double> policy,
                      std::span<const double> of_pair) {
  const Shape& shape = exact.shape;
  std::vector<double> mass(shape.states(), 0.0);
  std::copy(exact.initial.begin(), exact.initial.end(), mass.begin());
  double total = 0.0;
  for (Index l = 0; l < shape.layers(); ++l)
    for (Index s : shape.states_of(l))
      for (Index p : shape.pairs_of(s)) {
        const double flow = mass[s] * policy[p];
        total += flow * of_pair[p];
        if (l + 1 == shape.layers() || flow == 0.0) continue;
        const Range next = shape.states_of(l + 1);
        for (Index after : next)
          mass[after] += flow * exact.low[exact.row[p] + after - next.first()];
      }
  return total;
}

BudgetAgent::BudgetAgent(const Shape& shape, std::vector<double> initial, Places places, Cost cost,
                         Rule rule)
    : shape_(shape),
      places_(std::move(places)),
      pools_(places_, shape, places_.stationary),
      cost_(std::move(cost)),
      rule_(std::move(rule)),
      experience_(pools_),
      intervals_(shape, std::move(initial), pools_),
      reward_(shape.pairs()),
      policy_(shape.pairs()) {}

std::span<const double> BudgetAgent::policy(RandomStream random) {
  for (Index p = 0; p < shape_.pairs(); ++p) {
    const Index pool = pools_.of(p);
    const double visits = experience_.visits[pool];
    reward_[p] = visits > 0.0 ? experience_.reward_sum[pool] / visits : cost_.reward_high;
  }
  rule_({.shape = shape_,
         .pools = pools_,
         .seen = experience_,
         .cost = cost_,
         .episode = episode_,
         .reward = reward_,
         .intervals = intervals_,
         .planner = planner_,
         .random = random,
         .memory = memory_},
        policy_);
  return policy_;
}

void BudgetAgent::observe(const Episode& episode) {
  experience_.add(episode, pools_);
  ++episode_;
}

void BudgetAgent::archive(Archive& archive) {
  experience_.archive(archive);
  archive(episode_);
  archive(memory_);
}

}  // namespace vapor
