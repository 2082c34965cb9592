#include "vapor/mdp/problem_assembly.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>

#include "vapor/core/error.h"

namespace vapor {
namespace {

void require(bool given, const std::string& place, const char* why) {
  if (!given) throw InputError(place, why);
}

void check_length(Offset got, Offset expected, const std::string& place, const char* what) {
  if (got != expected)
    throw InputError(place, fmt::format("must have {} {}, got {}", expected, what, got));
}

constexpr const char* kStates = "entries, one a state as in reward_mean";
constexpr const char* kActions = "entries, one an action as in reward_mean";

// Every table of a layer has the states and actions of its reward_mean.
template <typename Value>
void check_same_shape(const Rows<Value>& table, const Rows<double>& model,
                      const std::string& place) {
  check_length(table.size(), model.size(), place, kStates);
  for (Offset s = 0; s < model.size(); ++s)
    check_length(table.size_of(s), model.size_of(s), fmt::format("{}[{}]", place, s), kActions);
}

// A state whose list is empty has no sparse successors for any action.
void check_next_shape(const NextTable& next, const Rows<double>& model, const std::string& place) {
  const auto states = static_cast<Offset>(next.actions_end.size());
  if (states == 0) return;
  check_length(states, model.size(), place, kStates);
  for (Offset s = 0; s < states; ++s) {
    const Offset actions = next.actions_end[s] - (s == 0 ? 0 : next.actions_end[s - 1]);
    if (actions != 0)
      check_length(actions, model.size_of(s), fmt::format("{}[{}]", place, s), kActions);
  }
}

void check_tables(const LayerTables& layer, const std::string& place) {
  require(layer.reward_mean.has_value(), place + ".reward_mean", "missing");
  require(layer.sigma.has_value() || layer.belief, place + ".sigma", "missing");
  require(layer.base.has_value() || !layer.base_weight, place + ".base",
          "missing, though base_weight is given");
  require(layer.base_weight.has_value() || !layer.base, place + ".base_weight",
          "missing, though base is given");
  if (layer.sigma) check_same_shape(*layer.sigma, *layer.reward_mean, place + ".sigma");
  if (layer.belief) check_same_shape(*layer.belief, *layer.reward_mean, place + ".belief");
  if (layer.base_weight)
    check_same_shape(*layer.base_weight, *layer.reward_mean, place + ".base_weight");
  if (layer.next) check_next_shape(*layer.next, *layer.reward_mean, place + ".next");
}

template <typename T>
void append(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

}  // namespace

void ProblemAssembly::add_layer(LayerTables layer) {
  const std::string place = fmt::format("layers[{}]", problem_.shape.layers());
  check_tables(layer, place);
  if (problem_.shape.layers() > 0)
    require(has_successors_, fmt::format("layers[{}].next", problem_.shape.layers() - 1),
            "missing; only the last layer may leave it out");
  const auto states = static_cast<Index>(layer.reward_mean->size());
  add_states(*layer.reward_mean, place);
  add_base(states);
  append(problem_.reward_mean, layer.reward_mean->values);
  add_beliefs(layer, place);
  add_transitions(layer);
  has_successors_ = layer.next || layer.base;
  base_ = std::move(layer.base);
}

// Every pair has either a sigma or a belief.
void ProblemAssembly::add_beliefs(const LayerTables& layer, const std::string& place) {
  const Rows<double>& means = *layer.reward_mean;
  for (Offset s = 0, i = 0; s < means.size(); ++s) {
    for (Offset a = 0; a < means.size_of(s); ++a, ++i) {
      const bool has_sigma = layer.sigma && !std::isnan(layer.sigma->values[i]);
      const bool has_belief = layer.belief && layer.belief->values[i];
      if (has_sigma == has_belief)
        throw InputError(fmt::format("{}.{}[{}][{}]", place, has_sigma ? "belief" : "sigma", s, a),
                         has_sigma ? "must be null, sigma is given" : "must be a number, got null");
      const PairBelief belief = has_belief ? layer.belief->values[i](means.values[i])
                                           : PairBelief{0.0, layer.sigma->values[i], {}};
      problem_.sigma.push_back(belief.sigma);
      problem_.family.push_back(belief.family);
    }
  }
}

void ProblemAssembly::add_states(const Rows<double>& reward_mean, const std::string& place) {
  const Offset largest = std::numeric_limits<Index>::max() - 1;
  if (problem_.shape.states() + reward_mean.size() > largest ||
      problem_.shape.pairs() + static_cast<Offset>(reward_mean.values.size()) > largest)
    throw InputError(place, fmt::format("more than {} states or pairs", largest));
  problem_.shape.add_layer();
  for (Offset s = 0; s < reward_mean.size(); ++s)
    problem_.shape.add_state(static_cast<Index>(reward_mean.size_of(s)));
}

void ProblemAssembly::add_base(Index states) {
  std::vector<double> base = base_.value_or(std::vector<double>(states, 0.0));
  check_length(static_cast<Offset>(base.size()), states,
               fmt::format("layers[{}].base", problem_.shape.layers() - 2),
               "entries, one a state of the next layer");
  append(problem_.transitions.base, base);
}

void ProblemAssembly::add_transitions(const LayerTables& layer) {
  Transitions& P = problem_.transitions;
  const Rows<double>& model = *layer.reward_mean;
  if (layer.base_weight)
    append(P.base_weight, layer.base_weight->values);
  else
    P.base_weight.resize(P.base_weight.size() + model.values.size(), 0.0);

  const bool any = layer.next && !layer.next->successors.end.empty();
  Offset row = 0;
  for (Offset s = 0; s < model.size(); ++s) {
    const bool listed = any && layer.next->actions_end[s] > row;
    for (Offset a = 0; a < model.size_of(s); ++a) {
      if (listed) {
        const Rows<Successor>& successors = layer.next->successors;
        for (Offset k = successors.begin_of(row); k < successors.end[row]; ++k) {
          P.next_state.push_back(successors.values[k].state);
          P.probability.push_back(successors.values[k].probability);
        }
        ++row;
      }
      P.begin.push_back(static_cast<Offset>(P.next_state.size()));
    }
  }
}

// Every constraint on the shape that is now known.
void ProblemAssembly::put_constraints() {
  const Shape& shape = problem_.shape;
  for (std::size_t i = 0; i < constraints_.size(); ++i) {
    ConstraintTables& stated = constraints_[i];
    if (stated.cost) {
      const std::string place = constraint_place(i, stated.spec.name) + ".cost";
      check_length(static_cast<Offset>(stated.cost->size()), shape.layers(), place,
                   "entries, one a layer");
      for (Index l = 0; l < shape.layers(); ++l) {
        const Rows<double>& table = (*stated.cost)[l];
        const std::string layer = fmt::format("{}[{}]", place, l);
        const Range states = shape.states_of(l);
        check_length(table.size(), states.size(), layer, kStates);
        for (Index s : states)
          check_length(table.size_of(s - states.first()), shape.pairs_of(s).size(),
                       fmt::format("{}[{}]", layer, s - states.first()), kActions);
        append(stated.spec.cost, table.values);
      }
    }
    problem_.constraints.push_back(constraint_of(stated.spec, shape, i));
  }
}

Problem ProblemAssembly::finish(std::vector<double> initial, std::optional<double> discount) {
  const Index last = problem_.shape.layers() - 1;
  problem_.discount = discount;
  if (discount && last == 0) {
    require(has_successors_, "layers[0].next", "missing; with a discount the layer leads back");
    if (base_) {
      check_length(static_cast<Offset>(base_->size()), problem_.shape.states(), "layers[0].base",
                   "entries, one a state");
      problem_.transitions.base = *base_;
    }
  } else if (base_ && !base_->empty()) {
    throw InputError(fmt::format("layers[{}].base", last), "must be absent in the last layer");
  }
  problem_.initial = std::move(initial);
  put_constraints();
  number_next_states_through_layers(problem_);
  validate_and_normalise(problem_);
  return std::move(problem_);
}

}  // namespace vapor
