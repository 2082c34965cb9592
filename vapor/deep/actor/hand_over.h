// What passes between the threads of a training: sequences from the actors to the learner, and what
// the agent has learned from the learner to the actors. Nothing else is shared.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "vapor/deep/actor/vector_actor.h"
#include "vapor/nn/observation_store.h"

namespace vapor::deep {

// A sequence with its arrays, free of the store that it was played with: the observations of its
// frames are numbered 0, 1, ... in their order.
struct HandedOver {
  Index actor = 0;
  Index place = 0;
  bool begins_episode = false;
  std::vector<Frame> frames;
  std::vector<std::byte> observations;   // one more than frames, or as many if the episode ends
  std::optional<PlayedEpisode> episode;  // that is over with this sequence
};

HandedOver pack(const PlayedSequence& sequence, const ObservationStore& store);

// A queue with room for a few sequences: actors wait when it is full, the learner when it is empty.
class SequenceQueue {
 public:
  explicit SequenceQueue(Index room);

  // Waits for room. False: the queue is closed, and the sequence is dropped.
  bool push(HandedOver sequence);

  // The oldest; nothing if none came for so long, or if the queue is closed. Throws what an actor
  // failed with.
  std::optional<HandedOver> pop(std::chrono::milliseconds patience);

  // Everyone who waits returns, now and from now on.
  void close();
  bool closed() const;

  // Closes the queue; `pop` throws the first error that was given.
  void fail(std::exception_ptr error);

 private:
  mutable std::mutex mutex_;  // guards all below
  std::condition_variable room_, filled_;
  std::deque<HandedOver> sequences_;
  std::size_t most_;
  bool closed_ = false;
  std::exception_ptr error_;
};

// The bytes of Agent::archive_playing, the newest for everyone.
class PublishedParameters {
 public:
  struct Version {
    std::int64_t number = 0;  // 0: nothing was published
    std::shared_ptr<const std::string> bytes;
  };

  void publish(std::string bytes);
  Version newest() const;

 private:
  mutable std::mutex mutex_;
  Version newest_;
};

}  // namespace vapor::deep
