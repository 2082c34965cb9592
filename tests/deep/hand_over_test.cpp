#include "vapor/deep/actor/hand_over.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "tests/deep/counting_environment.h"

namespace vapor::deep {
namespace {

using test_support::CountingEnvironment;
using test_support::UniformAgent;

constexpr std::chrono::milliseconds kLong{600'000};  // never reached in a test that passes
constexpr std::chrono::milliseconds kNone{0};

HandedOver numbered(Index actor, Index number) {
  HandedOver sequence;
  sequence.actor = actor;
  sequence.place = number;
  sequence.observations.assign(100, static_cast<std::byte>(number));
  return sequence;
}

TEST(HandOver, APackedSequenceHasItsObservationsInOrder) {
  CountingEnvironment environment({.places = 1, .length = 7});
  ObservationStore store(environment.shape(), observations_to_hold(0, 4, 1));
  VectorActor actor({4, true}, environment, store);
  UniformAgent agent(2);
  actor.begin(agent, 1);
  std::vector<HandedOver> all;
  for (int round = 0; round < 7; ++round)
    for (const PlayedSequence& sequence : actor.play_round(agent).sequences)
      all.push_back(pack(sequence, store));
  ASSERT_EQ(all.size(), 2u);
  const auto shown = [](const HandedOver& handed) {
    std::vector<Index> numbers(handed.observations.size() / sizeof(Index));
    std::memcpy(numbers.data(), handed.observations.data(), handed.observations.size());
    return numbers;
  };
  EXPECT_EQ(shown(all[0]), (std::vector<Index>{0, 1, 2, 3, 4}));
  EXPECT_EQ(shown(all[1]), (std::vector<Index>{4, 5, 6})) << "nothing follows the end";
  EXPECT_TRUE(all[0].begins_episode);
  EXPECT_FALSE(all[1].begins_episode);
  for (const HandedOver& handed : all)
    for (Index i = 0; i < std::ssize(handed.frames); ++i) {
      EXPECT_EQ(handed.frames[i].observation, i);
      EXPECT_EQ(handed.frames[i].next_observation, handed.frames[i].last ? i : i + 1);
    }
}

TEST(HandOver, NothingIsLostOrReorderedWithinAnActor) {
  constexpr Index kActors = 3;
  constexpr Index kEach = 300;
  SequenceQueue queue(2);
  std::vector<std::thread> actors;
  for (Index actor = 0; actor < kActors; ++actor)
    actors.emplace_back([&queue, actor] {
      for (Index i = 0; i < kEach; ++i) EXPECT_TRUE(queue.push(numbered(actor, i)));
    });
  std::vector<Index> next(kActors, 0);
  for (Index i = 0; i < kActors * kEach; ++i) {
    const std::optional<HandedOver> handed = queue.pop(kLong);
    ASSERT_TRUE(handed.has_value());
    EXPECT_EQ(handed->place, next[handed->actor]++);
    EXPECT_EQ(handed->observations.back(), static_cast<std::byte>(handed->place));
  }
  for (std::thread& actor : actors) actor.join();
  EXPECT_FALSE(queue.pop(kNone).has_value()) << "patience has its end";
}

TEST(HandOver, ClosingFreesWhoeverWaits) {
  SequenceQueue full(1);
  ASSERT_TRUE(full.push(numbered(0, 0)));
  std::vector<std::thread> actors;
  for (Index actor = 0; actor < 3; ++actor)
    actors.emplace_back([&full, actor] { EXPECT_FALSE(full.push(numbered(actor, 1))); });
  SequenceQueue empty(1);
  std::thread learner([&empty] { EXPECT_FALSE(empty.pop(kLong).has_value()); });
  full.close();
  empty.close();
  for (std::thread& actor : actors) actor.join();
  learner.join();
  EXPECT_TRUE(full.closed());
  EXPECT_FALSE(full.push(numbered(0, 2)));
  EXPECT_FALSE(full.pop(kLong).has_value()) << "what was left in it is dropped";
}

TEST(HandOver, TheFirstFailureOfAnActorReachesTheLearner) {
  SequenceQueue queue(1);
  std::thread actor([&queue] {
    queue.fail(std::make_exception_ptr(std::runtime_error("first")));
    queue.fail(std::make_exception_ptr(std::runtime_error("second")));
  });
  try {
    queue.pop(kLong);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "first");
  }
  actor.join();
}

// Versions only go up, and the bytes are whole: those of one version.
TEST(HandOver, EveryoneReadsTheNewestParametersWhole) {
  PublishedParameters parameters;
  EXPECT_EQ(parameters.newest().number, 0);
  std::atomic<int> reading = 0;
  std::vector<std::thread> actors;
  for (int i = 0; i < 3; ++i)
    actors.emplace_back([&] {
      ++reading;
      for (std::int64_t last = 0; last < 200;) {
        const PublishedParameters::Version newest = parameters.newest();
        EXPECT_GE(newest.number, last);
        last = newest.number;
        if (last == 0) continue;
        EXPECT_EQ(*newest.bytes, std::string(1000, static_cast<char>(last % 128)));
      }
    });
  while (reading < 3) std::this_thread::yield();
  for (int number = 1; number <= 200; ++number)
    parameters.publish(std::string(1000, static_cast<char>(number % 128)));
  for (std::thread& actor : actors) actor.join();
}

}  // namespace
}  // namespace vapor::deep
