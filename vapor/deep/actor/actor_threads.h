// Actors on threads of their own. Each has its environments, its agent and its store; it plays by
// the parameters that were published last and hands its sequences over.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "vapor/deep/actor/hand_over.h"
#include "vapor/deep/make_agent.h"

namespace vapor::deep {

// Environments that are lost are replaced, but not for ever: more than kMostLosses times, with less
// than kRoundsBetweenLosses rounds since the time before, is a fault that a new one will not mend.
constexpr int kMostLosses = 5;
constexpr std::int64_t kRoundsBetweenLosses = 1000;

struct ActorThreadsSettings {
  std::string agent;  // its name
  Config config;
  bool clip_rewards = true;
  Index room = 0;  // of the queue, in sequences
};

class ActorThreads {
 public:
  // An actor for each of the environments, which must all be of one kind. What an actor plays
  // follows from `random`, its number and the parameters it was given; agents are made from
  // `agent_random`. Nothing is played before the first parameters are published.
  ActorThreads(const ActorThreadsSettings& settings, const MakeAgent& make_agent,
               std::vector<std::unique_ptr<VectorEnvironment>> environments,
               const RandomStream& agent_random, const RandomStream& random);

  // Ends what they do; waits for a step of an environment that is under way.
  ~ActorThreads();
  ActorThreads(const ActorThreads&) = delete;
  ActorThreads& operator=(const ActorThreads&) = delete;

  // The next sequence, as SequenceQueue::pop.
  std::optional<HandedOver> next(std::chrono::milliseconds patience) {
    return queue_.pop(patience);
  }

  void publish(Agent& agent);

  std::int64_t environments_lost() const { return lost_.load(); }
  std::int64_t frames_lost() const { return frames_lost_.load(); }  // that were played in them

 private:
  struct Actor;

  void run(Actor& actor);
  void adopt(Actor& actor) const;
  void begin(Actor& actor);
  void lose(Actor& actor, const EnvironmentLost& loss);
  bool hand_over(const Actor& actor, const Played& played);

  SequenceQueue queue_;
  PublishedParameters parameters_;
  std::atomic<std::int64_t> lost_ = 0;
  std::atomic<std::int64_t> frames_lost_ = 0;
  std::vector<std::unique_ptr<Actor>> actors_;
  std::vector<std::thread> threads_;
};

}  // namespace vapor::deep
