#include "vapor/deep/learner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "vapor/core/error.h"

namespace vapor::deep {
namespace {

ReplaySettings replay_settings(const Config& config, const Agent& agent) {
  ReplaySettings settings = config.learning.replay;
  settings.extras = agent.extras();
  return settings;
}

RowSharing row_sharing(const Config& config, bool merge) {
  if (config.network.lstm > 0) return RowSharing::kInTime;
  return merge ? RowSharing::kEqual : RowSharing::kNone;
}

}  // namespace

Learner::Learner(const Config& config, Agent& agent, Index observations, const RandomStream& random,
                 bool merge)
    : config_(config),
      agent_(agent),
      random_(random),
      replay_(replay_settings(config, agent)),
      batch_(observations, config.learning.batch_frames + config.learning.replay.unroll,
             row_sharing(config, merge)),
      new_frames_((1.0 - config.learning.replay_fraction) * config.learning.batch_frames) {
  priorities_.resize(config.learning.batch_frames + config.learning.replay.unroll);
}

void Learner::add(std::span<const Frame> frames) {
  agent_.observe(frames);
  RandomStream random = random_.split("extras").split(static_cast<std::uint64_t>(added_++));
  const auto draw = [&](std::span<float> extras) { agent_.draw_extras(extras, random); };
  const auto unroll = static_cast<std::size_t>(config_.learning.replay.unroll);
  std::size_t parts = (frames.size() + unroll - 1) / unroll;
  for (std::size_t begin = 0; parts > 0; --parts) {
    const std::size_t length = (frames.size() - begin + parts - 1) / parts;
    new_slots_.push_back(replay_.insert(frames.subspan(begin, length), draw));
    begin += length;
  }
  owed_ += static_cast<double>(frames.size()) / (1.0 - config_.learning.replay_fraction);
}

// New sequences first, the rest from the replay. New ones are counted by their frames: were they
// counted by number, short ones would come in faster than they are taken. And batches are longer
// than asked for, by a part of their last sequence, which pays for new frames too: what they did
// not take of them is late.
void Learner::assemble(RandomStream& random) {
  batch_.clear();
  const auto gamma = static_cast<float>(config_.learning.discount);
  const double wanted = std::min<double>(new_frames_ + late_, config_.learning.batch_frames);
  while (batch_.frames() < wanted && !new_slots_.empty()) {
    replay_.append_to(batch_, new_slots_.front(), gamma);
    new_slots_.erase(new_slots_.begin());
  }
  const Index taken = batch_.frames();
  while (batch_.frames() < config_.learning.batch_frames)
    replay_.append_to(batch_, replay_.sample(random), gamma);
  const double paid = (1.0 - config_.learning.replay_fraction) * batch_.frames();
  late_ = new_slots_.empty() ? 0.0 : std::max(0.0, late_ + paid - taken);
}

void Learner::step() {
  RandomStream random = random_.split("step").split(static_cast<std::uint64_t>(steps_++));
  assemble(random);
  agent_.learn(batch_, random, priorities_);
  for (Index k = 0; k < batch_.sequences(); ++k) {
    if (!std::isfinite(priorities_[k]))
      throw InputError(setting("agent"),
                       fmt::format("the training diverged: values are not finite at step {} of the "
                                   "learner; try smaller rates or a larger epsilon of Adam",
                                   steps_));
    replay_.set_priority(batch_.slot[k], priorities_[k]);
  }
  frames_ += batch_.frames();
  losses_ = agent_.losses();
}

Index Learner::learn() {
  Index steps = 0;
  while (owed_ >= config_.learning.batch_frames) {
    step();
    owed_ -= batch_.frames();
    ++steps;
  }
  return steps;
}

void Learner::archive(Archive& archive) {
  replay_.archive(archive);
  archive(new_slots_), archive(late_), archive(owed_), archive(added_), archive(steps_),
      archive(frames_);
  archive(losses_);
}

}  // namespace vapor::deep
