#include "vapor/mdp/problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string>

#include "vapor/core/error.h"

namespace vapor {
namespace {

constexpr double kLargestNumber = 1e100;  // beyond it a solver's products would overflow
constexpr double kSumTolerance = 1e-9;

// A place is spelled out only when something is wrong there, hence the functions called `place`.

// "layers[3].sigma[2][0]".
std::string pair_place(const Shape& shape, Index layer, Index state, Index pair, const char* key) {
  return fmt::format("layers[{}].{}[{}][{}]", layer, key, state - shape.states_of(layer).first(),
                     pair - shape.pairs_of(state).first());
}

void check_size(std::size_t got, std::size_t expected, const char* table) {
  if (got != expected)
    throw InputError(table, fmt::format("must have {} entries, got {}", expected, got));
}

template <typename Place>
void check_probability(double p, const Place& place) {
  if (!(p >= 0.0 && std::isfinite(p)))
    throw InputError(place(), fmt::format("must be a probability >= 0, got {}", p));
}

template <typename Place>
void check_sum(double sum, const char* what, const Place& place) {
  if (!(std::abs(sum - 1.0) <= kSumTolerance))
    throw InputError(place(), fmt::format("{} must sum to 1, got {}", what, sum));
}

template <typename Place>
void check_next_state(Index state, Range next_layer, const Place& place) {
  if (state < next_layer.first() || state >= next_layer.last())
    throw InputError(place(),
                     fmt::format("next state must be in 0..{}, got {}", next_layer.size() - 1,
                                 static_cast<Offset>(state) - next_layer.first()));
}

// Whether a sum of `terms` numbers is 1 up to rounding: to scale such a distribution by its sum
// would only replace one rounding by another.
bool is_one(double sum, std::size_t terms) {
  return std::abs(sum - 1.0) <= static_cast<double>(terms) * std::numeric_limits<double>::epsilon();
}

void normalise(std::span<double> distribution, double sum) {
  if (is_one(sum, distribution.size())) return;
  for (double& p : distribution) p /= sum;
}

void check_shape(const Shape& shape) {
  if (shape.layers() == 0) throw InputError("layers", "must have at least one layer");
  for (Index l = 0; l < shape.layers(); ++l) {
    if (shape.states_of(l).size() == 0)
      throw InputError(fmt::format("layers[{}]", l), "must have at least one state");
    for (Index s : shape.states_of(l))
      if (shape.pairs_of(s).size() == 0)
        throw InputError(
            fmt::format("layers[{}].reward_mean[{}]", l, s - shape.states_of(l).first()),
            "must have at least one action");
  }
}

void check_sizes(const Problem& problem) {
  const Shape& shape = problem.shape;
  const Transitions& P = problem.transitions;
  const auto pairs = static_cast<std::size_t>(shape.pairs());
  check_size(problem.initial.size(), shape.states_of(0).size(), "initial");
  check_size(problem.reward_mean.size(), pairs, "reward_mean");
  check_size(problem.sigma.size(), pairs, "sigma");
  if (!problem.family.empty()) check_size(problem.family.size(), pairs, "family");
  check_size(P.base_weight.size(), pairs, "base_weight");
  check_size(P.base.size(), shape.states(), "base");
  check_size(P.begin.size(), pairs + 1, "transitions.begin");
  if (P.begin.front() != 0 || !std::is_sorted(P.begin.begin(), P.begin.end()))
    throw InputError("transitions.begin", "must start at 0 and never decrease");
  check_size(P.next_state.size(), P.begin.back(), "transitions.next_state");
  check_size(P.probability.size(), P.begin.back(), "transitions.probability");
}

void validate_initial(Problem& problem) {
  double sum = 0.0;
  for (std::size_t s = 0; s < problem.initial.size(); ++s) {
    check_probability(problem.initial[s], [&] { return fmt::format("initial[{}]", s); });
    sum += problem.initial[s];
  }
  check_sum(sum, "probabilities", [] { return "initial"; });
  normalise(problem.initial, sum);
}

void validate_pair(const Problem& problem, Index layer, Index state, Index pair) {
  const auto refuse = [&](const char* key, const char* rule, double got) {
    throw InputError(pair_place(problem.shape, layer, state, pair, key),
                     fmt::format("must be {}, got {}", rule, got));
  };
  const double reward_mean = problem.reward_mean[pair];
  const double sigma = problem.sigma[pair];
  if (!std::isfinite(reward_mean)) refuse("reward_mean", "finite", reward_mean);
  if (!std::isfinite(sigma)) refuse("sigma", "finite", sigma);
  if (std::abs(reward_mean) > kLargestNumber)
    refuse("reward_mean", "between -1e100 and 1e100", reward_mean);
  if (sigma > kLargestNumber) refuse("sigma", "at most 1e100", sigma);
  if (sigma < 0.0) refuse("sigma", ">= 0", sigma);
}

void validate_row(Problem& problem, Index layer, Index state, Index pair) {
  const Shape& shape = problem.shape;
  Transitions& P = problem.transitions;
  const Offset first = P.begin[pair];
  const Offset end = P.begin[pair + 1];
  const auto next_place = [&] { return pair_place(shape, layer, state, pair, "next"); };
  const auto weight_place = [&] { return pair_place(shape, layer, state, pair, "base_weight"); };

  check_probability(P.base_weight[pair], weight_place);
  const Range next_states = problem.next_states_of(layer);
  if (next_states.size() == 0) {
    if (end != first) throw InputError(next_place(), "must be empty in the last layer");
    if (P.base_weight[pair] != 0.0) throw InputError(weight_place(), "must be 0 in the last layer");
    return;
  }
  double sum = P.base_weight[pair];
  for (Offset k = first; k < end; ++k) {
    const auto place = [&] { return fmt::format("{}[{}]", next_place(), k - first); };
    check_next_state(P.next_state[k], next_states, place);
    check_probability(P.probability[k], place);
    sum += P.probability[k];
  }
  check_sum(sum, P.base_weight[pair] > 0.0 ? "probabilities and base_weight" : "probabilities",
            next_place);
  if (is_one(sum, static_cast<std::size_t>(end - first) + 1)) return;
  for (double& p : std::span(P.probability).subspan(first, end - first)) p /= sum;
  P.base_weight[pair] /= sum;
}

// The base of the states behind a layer is needed only if one of its pairs uses it.
void validate_base(Problem& problem, Index layer) {
  const Range states = problem.next_states_of(layer);
  double sum = 0.0;
  for (Index s : states) {
    check_probability(problem.transitions.base[s], [&] {
      return fmt::format("layers[{}].base[{}]", layer, s - states.first());
    });
    sum += problem.transitions.base[s];
  }
  bool used = false;
  for (Index p : problem.shape.pairs_of_layer(layer))
    used = used || problem.transitions.base_weight[p] > 0.0;
  if (!used && sum == 0.0) return;
  check_sum(sum, "probabilities", [&] { return fmt::format("layers[{}].base", layer); });
  normalise(std::span(problem.transitions.base).subspan(states.first(), states.size()), sum);
}

void validate_discount(const Problem& problem) {
  if (!problem.stationary()) return;
  const double discount = *problem.discount;
  if (!(discount > 0.0 && discount < 1.0))
    throw InputError("discount", fmt::format("must be between 0 and 1, got {}", discount));
  if (problem.shape.layers() != 1)
    throw InputError("discount", fmt::format("stands with one layer, which leads back into itself; "
                                             "the problem has {}",
                                             problem.shape.layers()));
}

}  // namespace

Problem in_units(const Problem& problem, double unit) {
  Problem scaled = problem;
  for (double& reward : scaled.reward_mean) reward /= unit;
  for (double& sigma : scaled.sigma) sigma /= unit;
  return scaled;
}

void refuse_constraints(const Problem& problem, const char* who) {
  if (!problem.constraints.empty())
    throw InputError("constraints", fmt::format("{} takes none, the problem has {}", who,
                                                problem.constraints.size()));
}

void refuse_discount(const Problem& problem, const char* who) {
  if (problem.stationary())
    throw InputError("discount", fmt::format("{} is for layered problems, which have none", who));
}

void set_belief(Problem& problem, Index pair, const PairBelief& belief) {
  problem.reward_mean[pair] = belief.mean;
  problem.sigma[pair] = belief.sigma;
  if (problem.family.empty() && !belief.family) return;
  problem.family.resize(problem.shape.pairs());
  problem.family[pair] = belief.family;
}

void refuse_families(const Problem& problem, const char* who) {
  for (Index l = 0; l < problem.shape.layers(); ++l)
    for (Index s : problem.shape.states_of(l))
      for (Index p : problem.shape.pairs_of(s))
        if (!problem.family.empty() && problem.family[p])
          throw InputError(pair_place(problem.shape, l, s, p, "belief"),
                           fmt::format("{} knows sigma alone, this pair has the family {}", who,
                                       problem.family[p]->spec().name));
}

void number_next_states_through_layers(Problem& problem) {
  const Shape& shape = problem.shape;
  Transitions& P = problem.transitions;
  for (Index l = 0; l < shape.layers(); ++l) {
    const Range next_layer = problem.next_states_of(l);
    if (next_layer.size() == 0) continue;  // what is wrong there validate_and_normalise() says
    for (Index s : shape.states_of(l)) {
      for (Index p : shape.pairs_of(s)) {
        for (Offset k = P.begin[p]; k < P.begin[p + 1]; ++k) {
          check_next_state(P.next_state[k], {0, next_layer.size()}, [&] {
            return fmt::format("{}[{}]", pair_place(shape, l, s, p, "next"), k - P.begin[p]);
          });
          P.next_state[k] += next_layer.first();
        }
      }
    }
  }
}

void validate_and_normalise(Problem& problem) {
  const Shape& shape = problem.shape;
  check_shape(shape);
  validate_discount(problem);
  check_sizes(problem);
  if (std::none_of(problem.family.begin(), problem.family.end(), [](const auto& f) { return !!f; }))
    problem.family.clear();
  validate_initial(problem);
  for (Index s : shape.states_of(0))
    if (problem.transitions.base[s] != 0.0 && !problem.stationary())
      throw InputError("base", "must be 0 in the first layer");
  for (Index l = 0; l < shape.layers(); ++l) {
    if (problem.next_states_of(l).size() > 0) validate_base(problem, l);
    for (Index s : shape.states_of(l)) {
      for (Index p : shape.pairs_of(s)) {
        validate_pair(problem, l, s, p);
        validate_row(problem, l, s, p);
      }
    }
  }
  validate_and_normalise(problem.constraints, shape);
}

}  // namespace vapor
