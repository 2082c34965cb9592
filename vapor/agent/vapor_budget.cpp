#include "vapor/agent/vapor_budget.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "vapor/core/error.h"
#include "vapor/mdp/backward_induction.h"
#include "vapor/mdp/policy.h"

namespace vapor {

CostBelief cost_belief(double visits, double sum, double square_sum, double high) {
  constexpr double kKappa = 0.01;
  const double middle = 0.5 * high;
  const double kappa = kKappa + visits;
  double rate = kKappa * middle * middle;
  if (visits > 0.0) {
    const double mean = sum / visits;
    rate += 0.5 * std::max(0.0, square_sum - sum * mean) +
            0.5 * kKappa * visits * (mean - middle) * (mean - middle) / kappa;
  }
  return {.mean = (kKappa * middle + sum) / kappa,
          .variance = rate / ((1.0 + 0.5 * visits) * kappa)};
}

VaporBudgetAgent::VaporBudgetAgent(std::unique_ptr<Belief> belief, Cost cost,
                                   const VaporBudgetSettings& budget, const Settings& settings)
    : belief_(std::move(belief)),
      cost_(std::move(cost)),
      budget_(budget),
      solver_(settings),
      tolerance_(settings.tolerance),
      pools_(belief_->places(), belief_->shape(), belief_->places().stationary),
      seen_(pools_),
      highest_cost_(*std::max_element(cost_.of_pair.begin(), cost_.of_pair.end())),
      mean_(belief_->shape().pairs()),
      variance_(belief_->shape().pairs()),
      deviation_(belief_->shape().pairs()),
      counted_(belief_->shape().pairs()),
      to_pay_(belief_->shape().states()),
      last_policy_(cost_.baseline.empty() ? uniform_policy(belief_->shape()) : cost_.baseline) {}

// E c and its variance, by pair.
void VaporBudgetAgent::set_expected_costs() {
  if (budget_.cost_is_known) {
    mean_ = cost_.of_pair;
    std::fill(variance_.begin(), variance_.end(), 0.0);
    return;
  }
  for (std::size_t p = 0; p < mean_.size(); ++p) {
    const Index pool = pools_.of(static_cast<Index>(p));
    const CostBelief cost = cost_belief(seen_.visits[pool], seen_.reward_sum[pool],
                                        seen_.reward_square_sum[pool], highest_cost_);
    mean_[p] = cost.mean;
    variance_[p] = cost.variance;
  }
}

// Var P V of a pair, `layer` being the one after it.
double VaporBudgetAgent::transition_variance(Index pair, Range layer, double sum,
                                             double square_sum) const {
  double visits = 0.0, V = sum / layer.size(), V_square = square_sum / layer.size();
  for (const Experience::Successor& met : seen_.successors[pools_.of(pair)]) {
    const Index state = pools_.state_after(pair, met.place);
    if (state < 0) continue;
    visits += met.count;
    V += met.count * to_pay_[state];
    V_square += met.count * to_pay_[state] * to_pay_[state];
  }
  V /= visits + 1.0;
  V_square /= visits + 1.0;
  return std::max(0.0, V_square - V * V) / (visits + 2.0);
}

// Raises d to what it is where this policy leaves V to pay. Returns whether the policy keeps to the
// budget then.
bool VaporBudgetAgent::raise_deviations(const Problem& problem, std::span<const double> policy) {
  constexpr double kPasses = 1.01;
  const Shape& shape = problem.shape;
  for (Index l = shape.layers() - 1; l >= 0; --l) {
    const bool last = l + 1 == shape.layers();
    const Range next = last ? Range{0, 0} : shape.states_of(l + 1);
    const double base = last ? 0.0 : base_value(shape, problem.transitions, l + 1, to_pay_);
    double sum = 0.0, square_sum = 0.0;
    for (Index s : next) {
      sum += to_pay_[s];
      square_sum += to_pay_[s] * to_pay_[s];
    }
    for (Index s : shape.states_of(l)) {
      to_pay_[s] = 0.0;
      for (Index p : shape.pairs_of(s)) {
        const double ahead = last ? 0.0 : problem.transitions.expectation(p, to_pay_, base);
        to_pay_[s] += policy[p] * (mean_[p] + ahead);
        double variance = variance_[p];
        if (!last) variance += transition_variance(p, next, sum, square_sum);
        deviation_[p] = std::max(deviation_[p], std::sqrt(variance));
        counted_[p] = mean_[p] + budget_.k * deviation_[p];
      }
    }
  }
  const std::vector<double> occupancy = occupancy_of(problem, policy);
  const double counted =
      std::inner_product(occupancy.begin(), occupancy.end(), counted_.begin(), 0.0);
  return counted <= kPasses * budget_.budget;
}

// Solves the program, again while its policy fails its own test. Returns whether it passed.
bool VaporBudgetAgent::solve_within_budget(Problem& problem) {
  constexpr int kRounds = 5;
  std::fill(deviation_.begin(), deviation_.end(), 0.0);
  raise_deviations(problem, last_policy_);
  for (int round = 0; round < kRounds; ++round) {
    Constraint budget = {.name = "budget", .sense = Sense::kAtMost, .bound = budget_.budget};
    budget.add_cost(counted_);
    problem.constraints = {std::move(budget)};
    constrained_ = counted_;
    solution_ = solver_.solve(problem, last_policy_);
    if (solution_.status == Status::kInfeasible || solution_.constraint_residual > tolerance_)
      return false;
    if (raise_deviations(problem, solution_.policy)) return true;
  }
  return false;
}

std::span<const double> VaporBudgetAgent::fall_back(const Problem& problem) {
  if (!cost_.baseline.empty()) {
    fallen_back_ = cost_.baseline;
  } else {
    std::vector<double> saved = counted_;
    for (double& c : saved) c = -c;
    fallen_back_ = backward_induction(problem, saved).policy;
  }
  return fallen_back_;
}

std::span<const double> VaporBudgetAgent::policy(RandomStream) {
  const double unit = belief_->unit();
  Problem problem = in_units(belief_->problem(), unit);
  set_expected_costs();
  fell_back_ = !solve_within_budget(problem);
  solution_ = from_units(std::move(solution_), unit);
  solved_ = true;
  charges_ = constrained_;
  for (double& charge : charges_) charge *= fell_back_ ? 0.0 : solution_.constraints.front().price;
  const std::span<const double> chosen = fell_back_ ? fall_back(problem) : solution_.policy;
  last_policy_.assign(chosen.begin(), chosen.end());
  return last_policy_;
}

void VaporBudgetAgent::observe(const Episode& episode) {
  belief_->update(episode);
  Episode costs = episode;
  for (Step& step : costs) step.reward = step.cost;
  seen_.add(costs, pools_);
}

void VaporBudgetAgent::archive(Archive& archive) {
  belief_->archive(archive);
  seen_.archive(archive);
  archive(last_policy_);
  if (last_policy_.size() != cost_.of_pair.size())
    throw InputError("checkpoint", "is of another shape");
  if (archive.is_restoring()) solved_ = false;
}

}  // namespace vapor
