// Places: what is known about the states of a layered MDP beside their shape. A river is the same
// river at every step, so a state of one layer and a state of the next may be one place; and where
// an episode is over, nothing follows and nothing is paid.
#pragma once

#include <span>
#include <vector>

#include "vapor/mdp/shape.h"

namespace vapor {

struct Places {
  // By state: the number >= 0 of its place, no place twice in a layer. Empty: every state is a
  // place of its own.
  std::vector<Index> of_state = {};

  // Whether a place pays and leads on alike in every layer, so that one count serves all of them.
  bool stationary = false;

  // By state: 1 where the episode is over. Whatever is done there pays 0 and leads to the state of
  // the next layer that is an end as well. Empty: no state is known to be one.
  std::vector<char> is_end = {};

  bool ends(Index state) const { return !is_end.empty() && is_end[state] != 0; }
};

// Throws InputError that names the field, or the state, unless the places fit the shape: a place
// has as many actions wherever it stands, and an end has exactly one end in the next layer.
void validate(const Places& places, const Shape& shape);

// By pair: a number for the place and the action, 0, 1, ... without gaps in the order of places.
std::vector<Index> place_pairs(const Places& places, const Shape& shape);

// By state: the one state of the next layer that is an end, for ends; -1 for all others, and in the
// last layer. Empty if no state is an end.
std::vector<Index> next_ends(const Places& places, const Shape& shape);

// Which pairs share a count: all pairs of a place and action, or every pair alone. Built once from
// places that fit the shape.
class Pools {
 public:
  // `pooled`: by place and action; else every pair has a pool of its own.
  Pools(const Places& places, const Shape& shape, bool pooled);

  bool pooled() const { return !state_of_.empty(); }
  Index size() const { return static_cast<Index>(begin_.size()) - 1; }
  Index of(Index pair) const { return pool_of_[pair]; }
  std::span<const Index> pairs(Index pool) const {
    return std::span(pairs_).subspan(begin_[pool], begin_[pool + 1] - begin_[pool]);
  }
  Index layer_of(Index pair) const { return layer_of_[pair]; }  // of the shape

  // What a state is remembered as: its place if pooled, else itself.
  Index place_of(Index state) const { return pooled() ? place_of_[state] : state; }
  // The state of the layer after `pair`'s that is this place; -1 if none is, or if there is no such
  // layer.
  Index state_after(Index pair, Index place) const;

 private:
  std::vector<Index> pool_of_;   // by pair
  std::vector<Index> layer_of_;  // by pair
  std::vector<Index> begin_{0};  // by pool: where its pairs begin in pairs_
  std::vector<Index> pairs_;     // by pool, in the order of layers
  std::vector<Index> place_of_;  // by state, if pooled
  std::vector<Index> state_of_;  // by layer x place: the state, or -1, if pooled
  Index places_ = 0;
  Index layers_ = 0;
};

}  // namespace vapor
