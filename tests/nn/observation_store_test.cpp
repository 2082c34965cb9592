#include "vapor/nn/observation_store.h"

#include <gtest/gtest.h>

#include <vector>

#include "vapor/core/check.h"
#include "vapor/core/random.h"

namespace vapor::nn {
namespace {

using Pixels = std::vector<std::byte>;

Pixels copy_of(const ObservationStore& store, Index number) {
  Pixels copy(store.shape().bytes());
  store.copy_to(number, copy.data());
  return copy;
}

Pixels random_plane(std::size_t bytes, RandomStream& random) {
  Pixels plane(bytes);
  for (std::byte& pixel : plane) pixel = static_cast<std::byte>(random.index(256));
  return plane;
}

// Episodes of stacks at several places side by side, each beginning with its first image four
// times, against a plain list of all arrays; and every plane is stored once.
TEST(ObservationStore, GivesBackWhatItHoldsAndStoresEachPlaneOnce) {
  constexpr Index kPlaces = 3;
  constexpr Index kHeld = 40;
  constexpr std::size_t kPlane = 30;
  ObservationStore store({.channels = 4, .height = 5, .width = 6}, kHeld);
  RandomStream random(1);
  std::vector<Pixels> stacks(kPlaces);
  std::vector<Index> last(kPlaces, -1);
  std::vector<std::pair<Index, Pixels>> all;
  for (int t = 0; t < 200; ++t)
    for (Index place = 0; place < kPlaces; ++place) {
      const Pixels plane = random_plane(kPlane, random);
      Pixels& stack = stacks[place];
      if ((t + place) % 17 == 0 || stack.empty()) {
        stack.clear();
        for (int c = 0; c < 4; ++c) stack.insert(stack.end(), plane.begin(), plane.end());
        last[place] = -1;
      } else {
        stack.erase(stack.begin(), stack.begin() + kPlane);
        stack.insert(stack.end(), plane.begin(), plane.end());
      }
      last[place] = store.add(stack, last[place]);
      all.emplace_back(last[place], stack);
      const std::size_t from = all.size() > kHeld ? all.size() - kHeld : 0;
      for (std::size_t i = from; i < all.size(); ++i)
        ASSERT_EQ(copy_of(store, all[i].first), all[i].second);
      ASSERT_LE(store.planes(), kHeld + kPlaces * 3) << "one a held stack, three before the oldest";
    }
}

// What gave way is refused, for as long as its number is not given again.
TEST(ObservationStore, WhatGaveWayIsRefused) {
  ObservationStore store({.channels = 1, .height = 1, .width = 4}, 3);
  EXPECT_EQ(store.capacity(), 6);
  RandomStream random(1);
  EXPECT_THROW(copy_of(store, 0), InternalError) << "never added";
  std::vector<Index> numbers;
  for (int i = 0; i < 20; ++i) {
    numbers.push_back(store.add(random_plane(4, random), -1));
    for (int k = 0; k < 6 && k <= i; ++k) {
      const Index number = numbers[numbers.size() - 1 - static_cast<std::size_t>(k)];
      EXPECT_EQ(store.holds(number), k < 3);
      if (k < 3)
        EXPECT_NO_THROW(copy_of(store, number));
      else
        EXPECT_THROW(copy_of(store, number), InternalError);
    }
  }
  EXPECT_THROW(copy_of(store, 6), InternalError);
  EXPECT_THROW(copy_of(store, -1), InternalError);
  const Index gone = numbers[numbers.size() - 4];
  EXPECT_THROW(store.add(random_plane(4, random), gone), InternalError);
  EXPECT_THROW(store.add(random_plane(3, random), -1), InternalError);
}

// Arrays that are no stacks: floats, and channels that mean different things.
TEST(ObservationStore, HoldsWhatIsNoStack) {
  ObservationStore floats({.channels = 2, .height = 1, .width = 3, .element = Element::kFloat}, 10);
  RandomStream random(1);
  std::vector<std::pair<Index, Pixels>> all;
  Index last = -1;
  for (int i = 0; i < 35; ++i) {
    const Pixels array = random_plane(24, random);
    last = floats.add(array, last);
    all.emplace_back(last, array);
  }
  for (std::size_t i = 25; i < 35; ++i) EXPECT_EQ(copy_of(floats, all[i].first), all[i].second);
  EXPECT_EQ(floats.planes(), 20);
  floats.add(all.back().second, last);
  EXPECT_EQ(floats.planes(), 18) << "the same once more takes nothing, and the oldest gave way";
}

TEST(ObservationStore, ComesBackFromAnArchive) {
  const ObservationShape shape{.channels = 2, .height = 3, .width = 3};
  ObservationStore store(shape, 5);
  RandomStream random(1);
  for (int i = 0; i < 13; ++i) store.add(random_plane(18, random), -1);
  Archive saved;
  store.archive(saved);
  ObservationStore restored(shape, 5);
  Archive restoring = Archive::restoring(saved.bytes());
  restored.archive(restoring);
  restoring.expect_end();
  const Pixels next = random_plane(18, random);
  EXPECT_EQ(store.add(next, -1), restored.add(next, -1));
  for (Index number = 0; number < store.capacity(); ++number) {
    ASSERT_EQ(store.holds(number), restored.holds(number));
    if (!store.holds(number)) continue;
    EXPECT_EQ(copy_of(store, number), copy_of(restored, number));
  }
}

}  // namespace
}  // namespace vapor::nn
