// VAPOR, algorithm 1: each episode solves max over lambda in Lambda(E P) of
//
//   sum lambda (E r + sigma_hat sqrt(-2 log lambda))            (equation (4))
//
// and plays pi(s,a) proportional to lambda(s,a). Started from the last episode's solution. A solve
// that stalls short of the tolerance is used as it is: its policy is feasible and its gap is in
// solution().
#pragma once

#include <memory>

#include "vapor/agent/agent.h"
#include "vapor/belief/belief.h"
#include "vapor/solver/solve.h"

namespace vapor {

class VaporAgent final : public Agent {
 public:
  explicit VaporAgent(std::unique_ptr<Belief> belief, const Settings& settings = {});

  std::span<const double> policy(RandomStream random) override;
  void observe(const Episode& episode) override;
  void archive(Archive& archive) override;
  const Solution* solution() const override { return solved_ ? &solution_ : nullptr; }

 private:
  std::unique_ptr<Belief> belief_;
  Solver solver_;
  Solution solution_;    // the warm start
  bool solved_ = false;  // solution_ is whole, not a warm start out of a checkpoint
};

}  // namespace vapor
