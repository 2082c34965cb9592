// An episode as three arrays: pairs, rewards, next states (-1 after the last layer).
#pragma once

#include <nanobind/stl/tuple.h>

#include <tuple>

#include "arrays.h"
#include "vapor/mdp/episode.h"

namespace vapor::python {

using StepTables = std::tuple<ArrayIn<Index>, ArrayIn<double>, ArrayIn<Index>>;
using StepTablesOut = std::tuple<ArrayOut<Index>, ArrayOut<double>, ArrayOut<Index>>;

inline Episode episode_of(const StepTables& tables) {
  const auto& [pairs, rewards, next_states] = tables;
  if (pairs.size() != rewards.size() || pairs.size() != next_states.size())
    throw InputError("episode", "pairs, rewards and next states must be of one length");
  Episode episode(pairs.size());
  for (std::size_t i = 0; i < episode.size(); ++i)
    episode[i] = {pairs.data()[i], rewards.data()[i], next_states.data()[i]};
  return episode;
}

inline StepTablesOut tables_of(const Episode& episode) {
  std::vector<Index> pairs;
  std::vector<double> rewards;
  std::vector<Index> next_states;
  for (const Step& step : episode) {
    pairs.push_back(step.pair);
    rewards.push_back(step.reward);
    next_states.push_back(step.next_state);
  }
  return {array_of(std::move(pairs)), array_of(std::move(rewards)),
          array_of(std::move(next_states))};
}

}  // namespace vapor::python
