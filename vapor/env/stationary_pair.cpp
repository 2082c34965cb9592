#include "vapor/env/stationary_pair.h"

#include "vapor/env/unroll.h"

namespace vapor {

Places places_of(const Environment& environment) {
  const Index states = environment.shape().states();
  std::vector<Index> number(environment.rows * environment.columns, -1);
  for (Index s = 0; s < states; ++s) number[cell_of(environment, s)] = 0;
  Index places = 0;
  for (Index& place : number)
    if (place == 0) place = places++;
  Places result;
  result.stationary = environment.stationary;
  for (Index s = 0; s < states; ++s) result.of_state.push_back(number[cell_of(environment, s)]);
  return result;
}

std::vector<Index> stationary_pair(const Environment& environment) {
  return place_pairs(places_of(environment), environment.shape());
}

}  // namespace vapor
