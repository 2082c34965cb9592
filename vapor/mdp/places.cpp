#include "vapor/mdp/places.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "vapor/core/error.h"

namespace vapor {
namespace {

void check_table(const char* field, std::size_t size, const Shape& shape) {
  if (size != 0 && size != static_cast<std::size_t>(shape.states()))
    throw InputError(field, fmt::format("must have an entry for each of {} states, has {}",
                                        shape.states(), size));
}

Index number_of_places(const Places& places) {
  return places.of_state.empty() ? 0 : std::ranges::max(places.of_state) + 1;
}

void check_places(const Places& places, const Shape& shape) {
  const Index most = shape.states();  // numbers that skip more than that are a mistake
  for (Index s = 0; s < std::ssize(places.of_state); ++s)
    if (places.of_state[s] < 0 || places.of_state[s] >= most)
      throw InputError(fmt::format("places[{}]", s),
                       fmt::format("must be in 0..{}, got {}", most - 1, places.of_state[s]));
  std::vector<Index> layer_of(number_of_places(places), -1);  // that held a place last
  std::vector<Index> actions_of(layer_of.size(), 0);
  for (Index l = 0; l < shape.layers() && !places.of_state.empty(); ++l)
    for (Index s : shape.states_of(l)) {
      const Index place = places.of_state[s];
      const Index actions = shape.pairs_of(s).size();
      if (layer_of[place] == l)
        throw InputError(fmt::format("places[{}]", s),
                         fmt::format("place {} stands twice in layer {}", place, l + 1));
      if (places.stationary && layer_of[place] >= 0 && actions_of[place] != actions)
        throw InputError(fmt::format("places[{}]", s),
                         fmt::format("place {} has {} actions here and {} in another layer", place,
                                     actions, actions_of[place]));
      layer_of[place] = l;
      actions_of[place] = actions;
    }
}

Index ends_of_layer(const Places& places, const Shape& shape, Index layer) {
  Index ends = 0;
  for (Index s : shape.states_of(layer)) ends += places.ends(s) ? 1 : 0;
  return ends;
}

}  // namespace

void validate(const Places& places, const Shape& shape) {
  check_table("places", places.of_state.size(), shape);
  check_table("ends", places.is_end.size(), shape);
  check_places(places, shape);
  if (places.is_end.empty()) return;
  for (Index l = 0; l + 1 < shape.layers(); ++l) {
    const Index next = ends_of_layer(places, shape, l + 1);
    if (ends_of_layer(places, shape, l) > 0 && next != 1)
      throw InputError("ends", fmt::format("layer {} has an end, so the next must have one, has {}",
                                           l + 1, next));
  }
}

std::vector<Index> place_pairs(const Places& places, const Shape& shape) {
  std::vector<Index> number(shape.pairs());
  if (places.of_state.empty()) {
    std::iota(number.begin(), number.end(), 0);
    return number;
  }
  // A place may have different numbers of actions in different layers: it gets the largest.
  std::vector<Index> first(number_of_places(places) + 1, 0);
  for (Index s = 0; s < shape.states(); ++s) {
    Index& most = first[places.of_state[s] + 1];
    most = std::max(most, shape.pairs_of(s).size());
  }
  std::partial_sum(first.begin(), first.end(), first.begin());
  for (Index s = 0; s < shape.states(); ++s)
    for (Index p : shape.pairs_of(s))
      number[p] = first[places.of_state[s]] + p - shape.pairs_of(s).first();
  return number;
}

std::vector<Index> next_ends(const Places& places, const Shape& shape) {
  std::vector<Index> next;
  if (places.is_end.empty()) return next;
  next.assign(shape.states(), -1);
  for (Index l = 0; l + 1 < shape.layers(); ++l)
    for (Index s : shape.states_of(l))
      for (Index t : shape.states_of(l + 1))
        if (places.ends(s) && places.ends(t)) next[s] = t;
  return next;
}

Pools::Pools(const Places& places, const Shape& shape, bool pooled) : layers_(shape.layers()) {
  layer_of_.resize(shape.pairs());
  for (Index l = 0; l < layers_; ++l)
    for (Index p : shape.pairs_of_layer(l)) layer_of_[p] = l;
  pooled = pooled && !places.of_state.empty();
  pool_of_ = pooled ? place_pairs(places, shape) : place_pairs({}, shape);
  const Index pools = pool_of_.empty() ? 0 : std::ranges::max(pool_of_) + 1;
  begin_.assign(pools + 1, 0);
  for (Index pool : pool_of_) ++begin_[pool + 1];
  std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
  pairs_.resize(pool_of_.size());
  std::vector<Index> at(begin_.begin(), begin_.end() - 1);
  for (Index p = 0; p < shape.pairs(); ++p) pairs_[at[pool_of_[p]]++] = p;
  if (!pooled) return;
  place_of_ = places.of_state;
  places_ = number_of_places(places);
  state_of_.assign(static_cast<std::size_t>(layers_) * places_, -1);
  for (Index l = 0; l < layers_; ++l)
    for (Index s : shape.states_of(l))
      state_of_[static_cast<std::size_t>(l) * places_ + place_of_[s]] = s;
}

Index Pools::state_after(Index pair, Index place) const {
  if (!pooled()) return place;
  const Index layer = layer_of_[pair] + 1;
  return layer == layers_ ? -1 : state_of_[static_cast<std::size_t>(layer) * places_ + place];
}

}  // namespace vapor
