// VAPOR under a cost budget: the program of vapor.h with one constraint more,
//
//   sum lambda (E c + k d) <= budget,
//
// solved by the same Newton method, warm, with the same certificate and a price for the budget.
// What a pair costs is known, or has a belief of its own: normal-gamma about the middle of the
// range of costs (CostBelief below). What an episode costs is uncertain through the transitions,
// too; d^2 is the posterior variance of c plus that of P V, V being what is left to pay under the
// policy of the episode before, in the mean model. P has a Dirichlet posterior of mass 1 + n here,
// whatever the belief's prior: with less, a pair that was seen once would be taken for certain.
//
//   Var P V = (E P V^2 - (E P V)^2) / (n + 2).
//
// A new policy has a V of its own. If it exceeds the budget by more than 1% when d is measured by
// that, the larger d of each pair is taken and the program solved again, up to five times; a policy
// that never passes its own test is not played. k = 0 trusts the posterior mean. If no measure
// meets the constraint (the solver proves it), the baseline is played where one is known, else the
// policy that costs least at those costs.
#pragma once

#include <memory>
#include <vector>

#include "vapor/agent/agent.h"
#include "vapor/agent/experience.h"
#include "vapor/belief/belief.h"
#include "vapor/mdp/cost.h"
#include "vapor/solver/solve.h"

namespace vapor {

struct VaporBudgetSettings {
  double budget = 0.0;
  bool cost_is_known = true;
  double k = 2.0;  // deviations above the posterior mean
};

// The posterior of what a pair costs, after `visits` with this sum and sum of squares, where costs
// lie in [0, high]: normal-gamma with mean high / 2, kappa = 0.01, alpha = 1 and beta such that the
// deviation before the first visit is high / 2.
struct CostBelief {
  double mean = 0.0;
  double variance = 0.0;
};
CostBelief cost_belief(double visits, double sum, double square_sum, double high);

class VaporBudgetAgent final : public Agent {
 public:
  // The belief's places say which counts are shared.
  VaporBudgetAgent(std::unique_ptr<Belief> belief, Cost cost, const VaporBudgetSettings& budget,
                   const Settings& settings = {});

  std::span<const double> policy(RandomStream random) override;
  void observe(const Episode& episode) override;
  void archive(Archive& archive) override;
  // Null after a fall back: no program is behind that policy.
  const Solution* solution() const override {
    return solved_ && !fell_back_ ? &solution_ : nullptr;
  }

  std::span<const double> charges() const override {
    return solution() != nullptr ? charges_ : std::span<const double>();
  }

  // By pair: what the constraint counts, E c + k d, behind the last policy.
  std::span<const double> counted_cost() const { return constrained_; }
  bool fell_back() const { return fell_back_; }  // the last policy is not the program's

 private:
  void set_expected_costs();
  double transition_variance(Index pair, Range layer, double sum, double square_sum) const;
  bool raise_deviations(const Problem& problem, std::span<const double> policy);
  bool solve_within_budget(Problem& problem);
  std::span<const double> fall_back(const Problem& problem);

  std::unique_ptr<Belief> belief_;
  Cost cost_;
  VaporBudgetSettings budget_;
  Solver solver_;
  double tolerance_ = 0.0;  // of the solver, and so of what is left of the constraint
  Pools pools_;
  Experience seen_;  // of the costs: they stand in the place of rewards
  double highest_cost_ = 0.0;

  std::vector<double> mean_, variance_;      // by pair: of what it costs
  std::vector<double> deviation_, counted_;  // by pair: d, and E c + k d
  std::vector<double> to_pay_;               // by state: V of costs
  std::vector<double> last_policy_;          // what V is of, and the warm start
  std::vector<double> constrained_;          // by pair: E c + k d of the last program
  std::vector<double> charges_;              // by pair: those times the price
  Solution solution_;
  std::vector<double> fallen_back_;  // by pair
  bool solved_ = false;
  bool fell_back_ = false;
};

}  // namespace vapor
