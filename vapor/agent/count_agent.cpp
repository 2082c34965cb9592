#include "vapor/agent/count_agent.h"

#include <algorithm>
#include <utility>

#include "vapor/agent/greedy.h"

namespace vapor {

double CountModel::mean_reward(Index pair) const {
  const Index pool = pools.of(pair);
  return seen.visits[pool] > 0.0 ? seen.reward_sum[pool] / seen.visits[pool] : 0.0;
}

void backward_pass(const CountModel& model, const PairValue& value, std::span<double> Q) {
  const Shape& shape = model.shape;
  std::vector<double> V(shape.states());
  Ahead ahead = {.V = V};
  for (Index l = shape.layers() - 1; l >= 0; --l) {
    ahead.steps = shape.layers() - l;
    for (Index s : shape.states_of(l)) {
      const Range pairs = shape.pairs_of(s);
      for (Index p : pairs) Q[p] = model.places.ends(s) ? 0.0 : value(p, ahead);
      V[s] = *std::max_element(&Q[pairs.first()], &Q[pairs.first()] + pairs.size());
    }
    ahead.states = shape.states_of(l).size();
    ahead.V_sum = 0.0;
    for (Index s : shape.states_of(l)) ahead.V_sum += V[s];
  }
}

DirichletAhead dirichlet_ahead(const CountModel& model, Index pair, const Ahead& ahead,
                               double alpha) {
  if (ahead.states == 0) return {.mass = model.count(pair), .square_sum = 1.0};
  const Index pool = model.pools.of(pair);
  DirichletAhead posterior;
  double counted = 0.0, weighted = 0.0, squares = ahead.states * alpha * alpha;
  for (const Experience::Successor& next : model.seen.successors[pool]) {
    counted += next.count;
    squares += next.count * (next.count + 2.0 * alpha);
    const Index state = model.pools.state_after(pair, next.place);
    if (state >= 0) weighted += next.count * ahead.V[state];
  }
  posterior.mass = ahead.states * alpha + counted;
  posterior.mean = (alpha * ahead.V_sum + weighted) / posterior.mass;
  posterior.square_sum = squares / (posterior.mass * posterior.mass);
  posterior.variance = std::max(0.0, 1.0 - posterior.square_sum) / (posterior.mass + 1.0);
  return posterior;
}

CountedReward counted_reward(double visits, double sum, double square_sum, double beta) {
  const double kappa = beta + visits;
  double rate = beta;
  if (visits > 0.0) {
    const double spread = std::max(0.0, square_sum - sum * sum / visits);
    rate += 0.5 * (spread + beta * sum * sum / (visits * kappa));
  }
  return {.mean = sum / kappa, .variance = rate / (kappa * (1.0 + 0.5 * visits))};
}

CountedReward counted_reward(const CountModel& model, Index pair, double beta) {
  const Index pool = model.pools.of(pair);
  return counted_reward(model.seen.visits[pool], model.seen.reward_sum[pool],
                        model.seen.reward_square_sum[pool], beta);
}

CountAgent::CountAgent(const Shape& shape, Places places, Rule rule)
    : shape_(shape),
      places_(std::move(places)),
      pools_(places_, shape, places_.stationary),
      rule_(std::move(rule)),
      experience_(pools_),
      Q_(shape.pairs()),
      policy_(shape.pairs()) {}

std::span<const double> CountAgent::policy(RandomStream random) {
  rule_({shape_, places_, pools_, experience_}, random, memory_, Q_);
  greedy_policy(shape_, Q_, policy_);
  return policy_;
}

void CountAgent::archive(Archive& archive) {
  experience_.archive(archive);
  archive(memory_);
}

CountAgent::Rule backward_rule(ValueRule value) {
  return [value = std::move(value)](const CountModel& model, RandomStream&, std::vector<double>&,
                                    std::span<double> Q) {
    backward_pass(
        model, [&](Index pair, const Ahead& ahead) { return value(model, pair, ahead); }, Q);
  };
}

}  // namespace vapor
