// clang-format off
// A primal-dual Newton method on VAPOR's program and its dual (Lemma 9, appendix E.1).
//
// The dual, with lambda and tau eliminated in closed form, is min_V D(V), smooth and convex, but
// where sigmas differ by orders of magnitude it is nearly a linear program, and Newton on V alone
// crawls. So lambda and tau stay variables beside V, and a slack s for lambda >= 0 keeps the
// iterates central. With delta = E r + J V, k copies of each pair and w = sqrt(-2 log(lambda / k)),
// the conditions of optimality are
//
//   delta + f'(lambda / k) + s = 0       stationarity; f' = sigma w - tau
//   tau w                      = sigma   the temperature player's answer
//   rho + J' lambda            = 0       flow
//   lambda s                   = mu c    centrality, mu -> 0; c bounds what can reach the pair
//
// Each iteration linearises them, which leaves one system in V with matrix J' diag(theta) J,
// theta = 1 / (-f'' / k + s / lambda): where tau w = sigma, the Hessian of D damped by the slack.
// A predictor step (mu = 0) chooses how far to centre, a corrector step uses it and the predictor's
// second-order error (Mehrotra, 1992), and a step that is still short is recentred once (Gondzio,
// 1996). The start is feasible on both sides (but for a floor under lambda): push a policy, moved
// towards the path by a few sweeps (central_start.h), forward for lambda, then one backward induction
// on the slopes for V.
//
// Every iterate gives two valid bounds: D(V) above, the value of a policy below.
//
// A stationary problem differs where a policy is pushed forward and where values are the result of a
// backward induction: both are linear systems there. The first is avoided while the method iterates,
// by moving a measure onto the flow constraints in the metric of theta, whose factor is at hand.
//
// Constraints add a multiplier each, a border to the system and no step of their own
// (constraint_rows.h); delta is then E r + J V - C' y.
// clang-format on
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "vapor/solver/central_start.h"
#include "vapor/solver/certificate.h"
#include "vapor/solver/constraint_rows.h"
#include "vapor/solver/normal_equations.h"
#include "vapor/solver/presolve.h"
#include "vapor/solver/regulariser.h"
#include "vapor/solver/settings.h"
#include "vapor/solver/solution.h"
#include "vapor/solver/stopping.h"

namespace vapor {

// A solution of the reduced problem.
struct ReducedSolution {
  Status status = Status::kStalled;
  double value = 0.0;                                    // of the occupancy
  double gap = std::numeric_limits<double>::infinity();  // of D(V) above it
  int iterations = 0;
  int linear_iterations = 0;
  std::vector<double> occupancy;  // feasible, by pair
  std::vector<double> policy;     // by pair
  std::vector<double> start;      // by pair: a policy on the way there; empty if there is none
  std::vector<double> V;          // by state
  std::vector<double> prices;     // by constraint
};

// A start of the iteration: a policy, how much of the uniform policy is mixed into it, and the
// sweeps that then move it closer to the central path.
struct Start {
  std::span<const double> policy;  // by pair of the reduced problem
  double uniform_share = 0.0;
  Sweeps sweeps = {};
};

// Keeps its memory from one solve to the next; nothing is allocated inside an iteration.
template <ScalarRegulariser R>
class Newton {
 public:
  ReducedSolution solve(const Reduced& reduced, const Start& start, const Settings& settings,
                        ConstraintRows::Limits limits = ConstraintRows::Limits::kOfSense);

 private:
  using Table = std::vector<double>;

  struct Direction {
    Table lambda, s, tau, V;
    ConstraintRows::Direction rows;
  };

  using Steps = ConstraintRows::Steps;

  void resize(const Reduced& reduced, const Settings& settings, ConstraintRows::Limits limits);
  void start_feasible(const Start& start);
  void start_policy(const Start& start);
  void start_rows();
  void greedy_values(const Table& reward, double shift);
  void greedy_stationary_values(const Table& reward, double shift);
  void evaluate();
  void keep_halfway();
  void certify();
  void certify_with_rows();
  bool keep_if_roomy(const Table& occupancy);
  bool mix_to_feasible(const Table& occupancy);
  void push_policy_of(const Table& lambda, Table& occupancy);
  void move_to_flow(const Table& lambda, Table& occupancy);
  bool infeasible() const;
  bool consider(const Table& V, const Table& lambda);
  bool consider_pushed(const Table& V);
  void polish();
  void keep_start(const Start& start);
  void keep_proof();
  bool factor();
  void predict();
  void correct();
  void recentre(double centre);
  void advance();
  void solve_for_direction();
  void refine_direction();
  LinearTolerance linear_tolerance() const;
  Steps longest_steps() const;
  const FlowOperator& J() const { return equations_.flow(); }
  double largest_lambda(std::size_t p) const { return reduced_->copies[p] * (1.0 - 0x1.0p-52); }

  const Reduced* reduced_ = nullptr;
  const Problem* problem_ = nullptr;
  NormalEquations equations_;
  ConstraintRows rows_;
  ReducedSolution best_;

  Table lambda_, s_, tau_, V_;     // the iterate; all but V by pair
  Table stationarity_, centring_;  // residuals by pair
  Table flow_, rhs_;               // by state
  Table delta_, theta_, tau_shift_, tau_rate_;
  Table
      bound_;  // on lambda: the copies where sigma > 0 (f may have infinite slope there), else inf
  Table roomy_;  // with constraints: a measure inside, with room
  bool has_room_ = false;
  bool halfway_ = false;                             // best_.start is kept
  Table refining_V_, refining_y_, refining_lambda_;  // with constraints
  Table policy_, occupancy_, candidate_, mass_, polished_V_;
  double imbalance_ = 0.0;  // of a stationary occupancy_: the sum over the states
  Shares share_, feasible_, maximiser_, work_;
  Direction step_, previous_step_;
  double mu_ = 0.0;
  double total_reach_ = 0.0;
};

}  // namespace vapor
