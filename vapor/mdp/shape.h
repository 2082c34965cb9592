// The shape of a layered MDP: layers of states, states with actions. Layers may differ in their
// number of states and states in their number of actions.
//
// States are numbered 0, 1, ... through all layers in order, and so are the state-action pairs
// through all states, so every table of the library is one flat array.
#pragma once

#include <vector>

#include "vapor/core/index.h"

namespace vapor {

class Shape {
 public:
  Shape() = default;

  void clear();  // keeps its memory

  // Appends an empty layer, or a state with this many actions to the last layer.
  void add_layer();
  Index add_state(Index actions);

  Index layers() const { return static_cast<Index>(layer_begin_.size()) - 1; }
  Index states() const { return static_cast<Index>(pair_begin_.size()) - 1; }
  Index pairs() const { return pair_begin_.back(); }

  // The states of a layer, the pairs of a state, the pairs of a layer.
  Range states_of(Index layer) const { return {layer_begin_[layer], layer_begin_[layer + 1]}; }
  Range pairs_of(Index state) const { return {pair_begin_[state], pair_begin_[state + 1]}; }
  Range pairs_of_layer(Index layer) const {
    return {pair_begin_[layer_begin_[layer]], pair_begin_[layer_begin_[layer + 1]]};
  }

  Index largest_layer() const;  // the number of states of the largest layer

  bool operator==(const Shape&) const = default;

 private:
  std::vector<Index> layer_begin_{0};
  std::vector<Index> pair_begin_{0};
};

}  // namespace vapor
