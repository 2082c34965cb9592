// The best policy under a budget, where transitions are known or lie within intervals:
//
//   maximise    sum z r   over policies, and over P with low <= P <= high,
//   subject to  sum z c <= budget,
//
// the extended linear program of optimistic learners of constrained MDPs (Efroni et al., 2020) over
// z_l(s,a,s'), and with low = high the constrained MDP itself. There is one budget, so its dual is
// a function of one price y >= 0,
//
//   D(y) = y budget + max over policies and P of sum z (r - y c),
//
// convex and piecewise linear, and each D(y) is one backward pass: the next states of largest value
// get all that their intervals allow. Two vertices of the program, one above the budget and one
// within it, span a line; the price at which the two are worth the same is the next to be tried,
// and if nothing is better there, a mixture of the two is optimal. This ends after finitely many
// passes, some ten in practice, with the exact solution; no linear program is set up.
#pragma once

#include <span>
#include <vector>

#include "vapor/mdp/problem.h"

namespace vapor {

// Where pairs lead, as intervals. The row of a pair has a number for each state of the next layer;
// sum low <= 1 <= sum high. Pairs may share a row; those of the last layer have none.
struct IntervalModel {
  Shape shape;
  std::vector<double> initial;  // by state of the first layer
  std::vector<Offset> row;      // by pair: where its row begins
  std::vector<double> low, high;
};

// Intervals of no width. Throws InputError if the rows would have more than 1e8 entries.
IntervalModel exact_intervals(const Problem& problem);

struct ConstrainedPlan {
  bool feasible = false;       // within the intervals, some policy keeps to the budget
  double value = 0.0;          // of the program
  double cost = 0.0;           // at most the budget, up to rounding, if that is feasible
  double price = 0.0;          // of the budget: y; 0 if it does not bind
  int passes = 0;              // that it took
  std::vector<double> policy;  // by pair; the cheapest one if none keeps to the budget
};

class ConstrainedPlanner {
 public:
  // `reward` and `cost` are by pair. What is returned is valid until the next call.
  const ConstrainedPlan& plan(const IntervalModel& model, std::span<const double> reward,
                              std::span<const double> cost, double budget);

 private:
  // A policy that takes one action in every state, and the transitions that favour it.
  struct Vertex {
    std::vector<Index> pair;  // by state
    std::vector<double> W;    // by state: what was maximised
    double value = 0.0, cost = 0.0;
  };

  void solve(double reward_weight, double cost_weight, Vertex& vertex);
  void sort_next_layer(Index layer, std::span<const double> W);
  void add_occupancy(const Vertex& vertex, double weight);
  void mix(double budget);

  const IntervalModel* model_ = nullptr;
  std::span<const double> reward_, cost_;
  Vertex over_, within_, tried_;
  std::vector<Index> order_;              // of the states of a layer, best first
  std::vector<double> next_, next_cost_;  // by state: reward and cost to go
  std::vector<double> mass_, occupancy_;
  ConstrainedPlan plan_;
};

// The best policy of a known MDP under a budget.
ConstrainedPlan constrained_optimum(const Problem& problem, std::span<const double> cost,
                                    double budget);

}  // namespace vapor
