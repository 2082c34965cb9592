#include "vapor/mdp/places.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "vapor/core/error.h"

namespace vapor {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Layers {A}, {A, B, end}, {B, A, end}: A and B have two actions, the end has one.
Shape three_layers() {
  Shape shape;
  for (const std::vector<Index>& layer :
       std::vector<std::vector<Index>>{{2}, {2, 2, 1}, {2, 2, 1}}) {
    shape.add_layer();
    for (Index actions : layer) shape.add_state(actions);
  }
  return shape;
}

Places three_places() {
  return {.of_state = {0, 0, 1, 2, 1, 0, 2}, .stationary = true, .is_end = {0, 0, 0, 1, 0, 0, 1}};
}

std::string place_refusal(const Places& places) {
  try {
    validate(places, three_layers());
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Places, PairsOfAPlaceAndActionShareANumber) {
  EXPECT_THAT(place_pairs(three_places(), three_layers()),
              ElementsAre(0, 1, 0, 1, 2, 3, 4, 2, 3, 0, 1, 4));
  EXPECT_THAT(place_pairs({}, three_layers()), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
}

TEST(Places, AnEndLeadsToTheEndOfTheNextLayer) {
  EXPECT_THAT(next_ends(three_places(), three_layers()), ElementsAre(-1, -1, -1, 6, -1, -1, -1));
  EXPECT_TRUE(next_ends({}, three_layers()).empty());
}

TEST(Pools, HoldThePairsOfAPlaceAndWhereItStandsNext) {
  const Pools pools(three_places(), three_layers(), true);
  EXPECT_EQ(pools.size(), 5);
  EXPECT_THAT(pools.pairs(1), ElementsAre(1, 3, 10));
  EXPECT_EQ(pools.of(8), 3);
  EXPECT_EQ(pools.layer_of(8), 2);
  EXPECT_EQ(pools.place_of(4), 1);
  EXPECT_EQ(pools.state_after(0, 1), 2) << "B of the second layer";
  EXPECT_EQ(pools.state_after(2, 1), 4) << "B of the third";
  EXPECT_EQ(pools.state_after(9, 1), -1) << "nothing follows the last layer";
}

TEST(Pools, WithoutPoolingEveryPairIsAlone) {
  const Pools pools(three_places(), three_layers(), false);
  EXPECT_EQ(pools.size(), 12);
  EXPECT_THAT(pools.pairs(7), ElementsAre(7));
  EXPECT_EQ(pools.state_after(0, pools.place_of(2)), 2);
}

TEST(Places, ThatDoNotFitAreRefused) {
  EXPECT_EQ(place_refusal(three_places()), "accepted");
  const auto spoiled = [](const auto& spoil) {
    Places places = three_places();
    spoil(places);
    return place_refusal(places);
  };
  EXPECT_THAT(spoiled([](Places& p) { p.of_state.pop_back(); }), HasSubstr("places"));
  EXPECT_THAT(spoiled([](Places& p) { p.of_state[2] = 0; }), HasSubstr("twice in layer 2"));
  EXPECT_THAT(spoiled([](Places& p) { p.of_state[2] = -1; }), HasSubstr("places[2]"));
  EXPECT_THAT(spoiled([](Places& p) { std::swap(p.of_state[5], p.of_state[6]); }),
              HasSubstr("actions"));
  EXPECT_THAT(spoiled([](Places& p) { p.is_end[6] = 0; }), HasSubstr("ends"));
  EXPECT_THAT(spoiled([](Places& p) { p.is_end.resize(2); }), HasSubstr("ends"));
}

}  // namespace
}  // namespace vapor
