// Gymnasium's FrozenLake, 4x4, as an agent meets it: the cells repeated in a layer for each step,
// after a layer that leads to the start, and the end, where holes and the goal lead.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "vapor/belief/tabular_belief.h"

namespace vapor::test_support {

class FrozenLake {
 public:
  explicit FrozenLake(bool slippery, Index horizon = 20) : slippery_(slippery) {
    shape_.add_layer();
    shape_.add_state(1);
    places_.of_state = {kEnd + 1};
    places_.is_end = {0};
    places_.stationary = true;
    for (Index l = 0; l < horizon; ++l) {
      shape_.add_layer();
      for (Index cell = 0; cell <= kEnd; ++cell) {
        shape_.add_state(cell == kEnd ? 1 : 4);
        places_.of_state.push_back(cell);
        places_.is_end.push_back(cell == kEnd ? 1 : 0);
      }
    }
  }

  const Shape& shape() const { return shape_; }
  const Places& places() const { return places_; }

  std::unique_ptr<Belief> belief() const {
    TabularPrior prior{.shape = shape_, .initial = {1.0}, .reward = NormalGammaRewards{}};
    prior.dynamics = DirichletDynamics{0.1};
    prior.places = places_;
    return std::make_unique<TabularBelief>(prior, scaled(reward_only(), 0.5));
  }

  // Ends with the step that leads to the end: what comes after it is not played.
  Episode play(std::span<const double> policy, RandomStream& random) const {
    Index cell = 0;
    Episode episode = {{0, 0.0, state(1, cell)}};
    for (Index l = 1; l < shape_.layers() && cell != kEnd; ++l) {
      const Range pairs = shape_.pairs_of(state(l, cell));
      const Index action = random.categorical(policy.subspan(pairs.first(), 4));
      const Index moved = move(cell, slippery_ ? (action + 3 + random.index(3)) % 4 : action);
      const double reward = moved == 15 ? 1.0 : 0.0;
      cell = is_hole(moved) || moved == 15 ? kEnd : moved;
      episode.push_back(
          {pairs.first() + action, reward, l + 1 == shape_.layers() ? -1 : state(l + 1, cell)});
    }
    return episode;
  }

  // The mean return of the best policy, by backward induction.
  double optimum() const {
    std::array<double, kEnd + 1> V{}, next{};
    for (Index l = shape_.layers() - 1; l >= 1; --l) {
      for (Index cell = 0; cell < 15; ++cell) {
        V[cell] = 0.0;
        if (is_hole(cell)) continue;
        for (Index action = 0; action < 4; ++action) {
          double Q = 0.0;
          for (Index turn : {0, 1, 2}) {
            if (!slippery_ && turn != 1) continue;
            const Index moved = move(cell, (action + 3 + turn) % 4);
            Q += (moved == 15 ? 1.0 : is_hole(moved) ? 0.0 : next[moved]) / (slippery_ ? 3.0 : 1.0);
          }
          V[cell] = std::max(V[cell], Q);
        }
      }
      next = V;
    }
    return next[0];
  }

 private:
  static constexpr Index kEnd = 16;

  static bool is_hole(Index cell) { return cell == 5 || cell == 7 || cell == 11 || cell == 12; }

  // Left, down, right, up; a wall holds.
  static Index move(Index cell, Index direction) {
    const Index row = cell / 4, column = cell % 4;
    switch (direction) {
      case 0:
        return column > 0 ? cell - 1 : cell;
      case 1:
        return row < 3 ? cell + 4 : cell;
      case 2:
        return column < 3 ? cell + 1 : cell;
      default:
        return row > 0 ? cell - 4 : cell;
    }
  }

  Index state(Index layer, Index cell) const { return shape_.states_of(layer).first() + cell; }

  bool slippery_;
  Shape shape_;
  Places places_;
};

}  // namespace vapor::test_support
