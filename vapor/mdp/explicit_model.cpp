#include "vapor/mdp/explicit_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "vapor/core/error.h"

namespace vapor {
namespace {

void check_settings(const ModelSettings& settings) {
  const auto amount = [](const char* name, double x) {
    if (!(x >= 0.0 && std::isfinite(x)))
      throw InputError(setting(name), fmt::format("must be a finite number >= 0, got {}", x));
  };
  amount("sigma", settings.sigma);
  amount("sigma_share", settings.sigma_share);
  if (settings.horizon < 0)
    throw InputError(setting("horizon"), fmt::format("must be >= 1, got {}", settings.horizon));
  if ((settings.horizon > 0) == (settings.discount != 0.0))
    throw InputError(setting("horizon"), "is needed, or a discount, and not both");
  if (settings.discount != 0.0 && !(settings.discount > 0.0 && settings.discount < 1.0))
    throw InputError(setting("discount"),
                     fmt::format("must be between 0 and 1, got {}", settings.discount));
}

std::string known_rewards(const ExplicitModel& model) {
  std::string known;
  for (const std::string& name : model.reward_names)
    known += fmt::format("{}{}", known.empty() ? "" : ", ", name);
  return model.reward_names.empty() ? "the model has none" : "the model has " + known;
}

const std::vector<double>& reward_of(const ExplicitModel& model, const std::string& name) {
  if (name.empty() && model.rewards.size() == 1) return model.rewards[0];
  for (std::size_t i = 0; i < model.reward_names.size(); ++i)
    if (model.reward_names[i] == name) return model.rewards[i];
  throw InputError(setting("reward"), name.empty() ? "is needed: " + known_rewards(model)
                                                   : fmt::format("there is no \"{}\"; {}", name,
                                                                 known_rewards(model)));
}

// Whether every choice of a state stays there and pays nothing.
bool is_end(const ExplicitModel& model, Index state, const std::vector<double>& reward) {
  const Transitions& P = model.transitions;
  for (Index p : model.shape.pairs_of(state)) {
    if (reward[p] != 0.0) return false;
    for (Offset k = P.begin[p]; k < P.begin[p + 1]; ++k)
      if (P.next_state[k] != state && P.probability[k] > 0.0) return false;
  }
  return true;
}

void add_layer(const ExplicitModel& model, const ModelSettings& settings,
               const std::vector<double>& reward, bool leads_on, Problem& problem) {
  const Transitions& from = model.transitions;
  Transitions& P = problem.transitions;
  problem.shape.add_layer();
  for (Index s = 0; s < model.shape.states(); ++s) {
    const bool end = is_end(model, s, reward);
    problem.shape.add_state(model.shape.pairs_of(s).size());
    P.base.push_back(0.0);
    for (Index p : model.shape.pairs_of(s)) {
      problem.reward_mean.push_back(settings.minimise && reward[p] != 0.0 ? -reward[p] : reward[p]);
      problem.sigma.push_back(end ? 0.0
                                  : settings.sigma + settings.sigma_share * std::abs(reward[p]));
      P.base_weight.push_back(0.0);
      for (Offset k = from.begin[p]; k < from.begin[p + 1] && leads_on; ++k) {
        P.next_state.push_back(from.next_state[k]);
        P.probability.push_back(from.probability[k]);
      }
      P.begin.push_back(static_cast<Offset>(P.next_state.size()));
    }
  }
}

}  // namespace

Problem problem_of(const ExplicitModel& model, const ModelSettings& settings) {
  check_settings(settings);
  const std::vector<double>& reward = reward_of(model, settings.reward);
  const Index layers = settings.horizon > 0 ? settings.horizon : 1;
  if (static_cast<Offset>(layers) * std::max(model.shape.pairs(), model.shape.states()) >=
      std::numeric_limits<Index>::max())
    throw InputError(setting("horizon"), fmt::format("{} layers of {} pairs are too many", layers,
                                                     model.shape.pairs()));
  Problem problem;
  if (settings.horizon == 0) problem.discount = settings.discount;
  problem.initial.assign(model.shape.states(), 0.0);
  for (Index s : model.initial_states)
    problem.initial[s] = 1.0 / static_cast<double>(model.initial_states.size());
  for (Index l = 0; l < layers; ++l)
    add_layer(model, settings, reward, problem.stationary() || l + 1 < layers, problem);
  number_next_states_through_layers(problem);
  validate_and_normalise(problem);
  return problem;
}

}  // namespace vapor
