#include "vapor/agent/max_entropy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "vapor/agent/greedy.h"
#include "vapor/core/error.h"
#include "vapor/mdp/backward_induction.h"
#include "vapor/mdp/policy.h"

namespace vapor {

MaxEntropyAgent::MaxEntropyAgent(std::unique_ptr<Belief> belief, const MaxEntropySettings& settings,
                                 std::vector<Index> stationary_pairs)
    : belief_(std::move(belief)),
      settings_(settings),
      stationary_pairs_(std::move(stationary_pairs)),
      policy_(uniform_policy(belief_->shape())),
      solver_({.regulariser = RegulariserKind::kWeightedEntropy}) {
  const Index pairs = belief_->shape().pairs();
  if (stationary_pairs_.empty()) {
    stationary_pairs_.resize(pairs);
    std::iota(stationary_pairs_.begin(), stationary_pairs_.end(), 0);
  }
  if (std::ssize(stationary_pairs_) != pairs)
    throw InputError("stationary_pairs",
                     fmt::format("must have {} entries, has {}", pairs, stationary_pairs_.size()));
  const auto [least, greatest] = std::ranges::minmax(stationary_pairs_);
  if (least < 0) throw InputError("stationary_pairs", fmt::format("must be >= 0, got {}", least));
  visits_.resize(pairs);
  reward_.resize(pairs);
  stationary_visits_.resize(greatest + 1);
}

double MaxEntropyAgent::weight(Index pair) const {
  return settings_.weighted && stationary_visits_[stationary_pairs_[pair]] > 0.0 ? 0.0 : 1.0;
}

std::span<const double> MaxEntropyAgent::policy(RandomStream) {
  if (settings_.method == MaxEntropyMethod::kGame)
    best_response();
  else
    solve_program();
  return policy_;
}

void MaxEntropyAgent::best_response() {
  const Problem& problem = belief_->problem();
  const Shape& shape = problem.shape;
  const double n0 = settings_.prior_count;
  for (Index l = 0; l < shape.layers(); ++l) {
    const Range pairs = shape.pairs_of_layer(l);
    for (Index p : pairs) {
      const double steps = settings_.pooled ? episodes_ * shape.layers() : episodes_;
      const double kinds = settings_.pooled ? static_cast<double>(stationary_visits_.size())
                                            : static_cast<double>(pairs.size());
      const double visits =
          settings_.pooled ? stationary_visits_[stationary_pairs_[p]] : visits_[p];
      reward_[p] = weight(p) * std::log((steps + n0 * kinds) / (visits + n0));
    }
  }
  greedy_policy(shape, backward_induction(problem, reward_).Q, policy_);
}

void MaxEntropyAgent::solve_program() {
  Problem program = belief_->problem();
  std::ranges::fill(program.reward_mean, 0.0);
  for (Index p = 0; p < program.shape.pairs(); ++p) program.sigma[p] = weight(p);
  solved_ = std::ranges::any_of(program.sigma, [](double sigma) { return sigma > 0.0; });
  if (solved_) {
    solution_ = solver_.solve(program, policy_);
    policy_ = solution_.policy;
  } else {  // everything has been tried: all policies are as good
    policy_ = uniform_policy(program.shape);
  }
}

void MaxEntropyAgent::observe(const Episode& episode) {
  belief_->update(episode);
  episodes_ += 1.0;
  for (const Step& step : episode) {
    visits_[step.pair] += 1.0;
    stationary_visits_[stationary_pairs_[step.pair]] += 1.0;
  }
}

void MaxEntropyAgent::archive(Archive& archive) {
  belief_->archive(archive);
  archive(episodes_);
  archive(visits_);
  archive(stationary_visits_);
  archive(policy_);
  if (archive.is_restoring()) solved_ = false;
}

}  // namespace vapor
