// Problems: flat tables in, flat tables out. vapor/problem.py gives them their layers.
#include "vapor/mdp/problem.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <numeric>
#include <optional>
#include <tuple>

#include "arrays.h"
#include "core_module.h"
#include "vapor/mdp/backward_induction.h"
#include "vapor/mdp/drn_file.h"
#include "vapor/mdp/policy.h"
#include "vapor/mdp/policy_equations.h"
#include "vapor/mdp/problem_file.h"
#include "vapor/mdp/random_problem.h"

namespace vapor::python {
namespace {

using DoublesIn = ArrayIn<double>;
using IndicesIn = ArrayIn<Index>;
using OffsetsIn = ArrayIn<Offset>;

// states of every layer, actions of every state, initial, reward_mean, sigma, begin, next_state
// (numbered within its layer), probability, base_weight, base
using Tables = std::tuple<ArrayOut<Index>, ArrayOut<Index>, ArrayOut<double>, ArrayOut<double>,
                          ArrayOut<double>, ArrayOut<Offset>, ArrayOut<Index>, ArrayOut<double>,
                          ArrayOut<double>, ArrayOut<double>>;

Shape shape_of(const IndicesIn& states, const IndicesIn& actions) {
  const std::int64_t all = std::accumulate(states.data(), states.data() + states.size(), 0LL);
  if (all != static_cast<std::int64_t>(actions.size()))
    throw InputError("actions", "must have a number for each state");
  Shape shape;
  std::size_t state = 0;
  for (std::size_t l = 0; l < states.size(); ++l) {
    shape.add_layer();
    for (Index s = 0; s < states.data()[l]; ++s) shape.add_state(actions.data()[state++]);
  }
  return shape;
}

Problem problem_of(const IndicesIn& states, const IndicesIn& actions, const DoublesIn& initial,
                   const DoublesIn& reward_mean, const DoublesIn& sigma, const OffsetsIn& begin,
                   const IndicesIn& next_state, const DoublesIn& probability,
                   const DoublesIn& base_weight, const DoublesIn& base,
                   std::optional<double> discount) {
  Problem problem;
  problem.discount = discount;
  problem.shape = shape_of(states, actions);
  problem.initial = copied(initial);
  problem.reward_mean = copied(reward_mean);
  problem.sigma = copied(sigma);
  problem.transitions = {copied(begin), copied(next_state), copied(probability),
                         copied(base_weight), copied(base)};
  number_next_states_through_layers(problem);
  validate_and_normalise(problem);
  return problem;
}

std::vector<Index> states_of_layers(const Shape& shape) {
  std::vector<Index> states;
  for (Index l = 0; l < shape.layers(); ++l) states.push_back(shape.states_of(l).size());
  return states;
}

std::vector<Index> actions_of_states(const Shape& shape) {
  std::vector<Index> actions;
  for (Index s = 0; s < shape.states(); ++s) actions.push_back(shape.pairs_of(s).size());
  return actions;
}

std::vector<Index> next_states_within_layers(const Problem& problem) {
  const Shape& shape = problem.shape;
  std::vector<Index> next = problem.transitions.next_state;
  for (Index l = 0; l < shape.layers(); ++l) {
    const Range pairs = shape.pairs_of_layer(l);
    for (Offset k = problem.transitions.begin[pairs.first()];
         k < problem.transitions.begin[pairs.last()]; ++k)
      next[k] -= problem.next_states_of(l).first();
  }
  return next;
}

Tables tables_of(const Problem& problem) {
  const Transitions& P = problem.transitions;
  return {array_of(states_of_layers(problem.shape)),
          array_of(actions_of_states(problem.shape)),
          array_of(problem.initial),
          array_of(problem.reward_mean),
          array_of(problem.sigma),
          array_of(P.begin),
          array_of(next_states_within_layers(problem)),
          array_of(P.probability),
          array_of(P.base_weight),
          array_of(P.base)};
}

ArrayOut<double> occupancy(const Problem& problem, const DoublesIn& policy) {
  return array_of(occupancy_of(
      problem, copied("policy", policy, static_cast<std::size_t>(problem.shape.pairs()))));
}

std::tuple<double, ArrayOut<double>> optimal_values(const Problem& problem) {
  std::vector<double> V(problem.shape.states(), 0.0);
  double scale = 1.0;
  if (problem.stationary()) {
    std::vector<double> policy(problem.shape.pairs());
    optimal_stationary_policy(problem, problem.reward_mean, *problem.discount, V, policy);
    scale = 1.0 - *problem.discount;  // the mean over time, as a Solution's value
  } else {
    V = backward_induction(problem, problem.reward_mean).V;
  }
  double value = 0.0;
  for (Index s : problem.shape.states_of(0)) value += scale * problem.initial[s] * V[s];
  return {value, array_of(std::move(V))};
}

using Stated = std::tuple<std::string, std::string, double, IndicesIn, DoublesIn>;

Problem constrained(const Problem& problem, const std::vector<Stated>& stated) {
  Problem with = problem;
  with.constraints.clear();
  for (const auto& [name, sense, bound, pairs, coefficients] : stated) {
    const std::string place = constraint_place(with.constraints.size(), name);
    with.constraints.push_back(
        {name, sense_of(sense, place + ".sense"), bound, copied(pairs), copied(coefficients)});
  }
  validate_and_normalise(with.constraints, with.shape);
  return with;
}

std::vector<std::tuple<std::string, std::string, double, ArrayOut<Index>, ArrayOut<double>>>
constraints_of(const Problem& problem) {
  std::vector<std::tuple<std::string, std::string, double, ArrayOut<Index>, ArrayOut<double>>> all;
  for (const Constraint& c : problem.constraints)
    all.emplace_back(c.name, std::string(symbol_of(c.sense)), c.bound, array_of(c.pair),
                     array_of(c.coefficient));
  return all;
}

}  // namespace

void bind_problem(nb::module_& module) {
  using nb::arg;
  nb::class_<Problem>(module, "Problem")
      .def("tables", &tables_of)
      .def("discount", [](const Problem& problem) { return problem.discount; })
      .def("has_families", [](const Problem& problem) { return !problem.family.empty(); })
      .def("constrained", &constrained, arg("constraints"))
      .def("constraints", &constraints_of)
      .def("occupancy", &occupancy, arg("policy"))
      .def("optimal_values", &optimal_values)
      .def("write", [](const Problem& problem, const std::string& path) {
        write_problem_file(path, problem);
      });
  module.def("problem", &problem_of, arg("states"), arg("actions"), arg("initial"),
             arg("reward_mean"), arg("sigma"), arg("begin"), arg("next_state"), arg("probability"),
             arg("base_weight"), arg("base"), arg("discount") = nb::none());
  module.def(
      "read_drn",
      [](const std::string& path, const std::string& reward, bool minimise, Index horizon,
         double discount, double sigma, double sigma_share, bool ignore_observations) {
        return problem_of(read_drn_file(path, {ignore_observations}),
                          {reward, minimise, horizon, discount, sigma, sigma_share});
      },
      arg("path"), arg("reward"), arg("minimise"), arg("horizon"), arg("discount"), arg("sigma"),
      arg("sigma_share"), arg("ignore_observations"));
  module.def(
      "read_problem", [](const std::string& path) { return read_problem_file(path); }, arg("path"));
  module.def(
      "random_problem",
      [](Index layers, Index states, Index actions, Index successors, double base_weight,
         double reward_scale, double sigma_min, double sigma_max, double zero_sigma_share,
         std::uint64_t seed) {
        const RandomProblemSettings settings = {layers,     states,      actions,
                                                successors, base_weight, reward_scale,
                                                sigma_min,  sigma_max,   zero_sigma_share};
        validate(settings);
        return random_problem(settings, RandomStream(seed));
      },
      arg("layers"), arg("states"), arg("actions"), arg("successors"), arg("base_weight"),
      arg("reward_scale"), arg("sigma_min"), arg("sigma_max"), arg("zero_sigma_share"),
      arg("seed"));
}

}  // namespace vapor::python
