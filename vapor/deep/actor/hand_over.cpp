#include "vapor/deep/actor/hand_over.h"

#include <utility>

#include "vapor/core/check.h"

namespace vapor::deep {

HandedOver pack(const PlayedSequence& sequence, const ObservationStore& store) {
  HandedOver handed;
  handed.place = sequence.place;
  handed.begins_episode = sequence.begins_episode;
  handed.frames.assign(sequence.frames.begin(), sequence.frames.end());
  const bool ends = sequence.frames.back().last;
  const std::size_t bytes = store.shape().bytes();
  handed.observations.resize((handed.frames.size() + (ends ? 0 : 1)) * bytes);
  std::byte* to = handed.observations.data();
  Index number = 0;
  for (Frame& frame : handed.frames) {
    store.copy_to(std::exchange(frame.observation, number++), to);
    to += bytes;
    if (&frame == &handed.frames.back() && !ends) store.copy_to(frame.next_observation, to);
    frame.next_observation = frame.last ? frame.observation : number;
  }
  return handed;
}

SequenceQueue::SequenceQueue(Index room) : most_(static_cast<std::size_t>(room)) {
  VAPOR_CHECK_GE(room, 1);
}

bool SequenceQueue::push(HandedOver sequence) {
  std::unique_lock lock(mutex_);
  room_.wait(lock, [&] { return closed_ || sequences_.size() < most_; });
  if (closed_) return false;
  sequences_.push_back(std::move(sequence));
  filled_.notify_one();
  return true;
}

std::optional<HandedOver> SequenceQueue::pop(std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  // The system's clock: it only decides how often a caller looks up, and waiting by it is what the
  // thread sanitiser understands.
  filled_.wait_until(lock, std::chrono::system_clock::now() + patience,
                     [&] { return closed_ || !sequences_.empty(); });
  if (error_) std::rethrow_exception(error_);
  if (closed_ || sequences_.empty()) return std::nullopt;
  HandedOver oldest = std::move(sequences_.front());
  sequences_.pop_front();
  room_.notify_one();
  return oldest;
}

void SequenceQueue::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  room_.notify_all();
  filled_.notify_all();
}

bool SequenceQueue::closed() const {
  const std::lock_guard lock(mutex_);
  return closed_;
}

void SequenceQueue::fail(std::exception_ptr error) {
  {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = std::move(error);
  }
  close();
}

void PublishedParameters::publish(std::string bytes) {
  auto shared = std::make_shared<const std::string>(std::move(bytes));
  const std::lock_guard lock(mutex_);
  newest_ = {newest_.number + 1, std::move(shared)};
}

PublishedParameters::Version PublishedParameters::newest() const {
  const std::lock_guard lock(mutex_);
  return newest_;
}

}  // namespace vapor::deep
