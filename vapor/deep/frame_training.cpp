#include "vapor/deep/frame_training.h"

#include <algorithm>
#include <utility>

#include "vapor/core/check.h"

namespace vapor::deep {
namespace {

Index observations_of(const FrameTrainingSettings& settings, const Config& config) {
  return observations_to_hold(slots_of(config.learning.replay), config.learning.replay.unroll,
                              settings.places);
}

std::int64_t whole_rounds(std::int64_t frames, Index places) {
  return (frames + places - 1) / places * places;
}

}  // namespace

FrameTraining::FrameTraining(const FrameTrainingSettings& settings, const Config& config,
                             const TrainingParts& parts, const ObservationShape& shape,
                             Index actions)
    : settings_(settings),
      random_(settings.seed),
      store_(shape, observations_of(settings, config)),
      agent_(parts.make_agent(Spec("--agent", settings.agent).name(), config, store_, actions,
                              agent_stream(settings))),
      learner_(
          std::make_unique<Learner>(config, *agent_, store_.capacity(), random_.split("learner"))),
      last_(static_cast<std::size_t>(std::max(1, settings.actors)) * settings.places, -1),
      checkpoint_period_(whole_rounds(settings.checkpoint_frames, settings.places)),
      next_checkpoint_(checkpoint_period_) {}

std::uint64_t FrameTraining::seed_of_play() const {
  return random_.split("play").split(static_cast<std::uint64_t>(checkpoints_)).bits();
}

void FrameTraining::add_episode(const PlayedEpisode& episode) {
  ++episodes_;
  rows_.push_back({.episode = episode, .frames = frames_, .losses = {}});
}

void FrameTraining::take(const Played& played) {
  frames_ += played.frames;
  for (const PlayedSequence& sequence : played.sequences) learner_->add(sequence.frames);
  for (const PlayedEpisode& episode : played.episodes) add_episode(episode);
}

// The first observation of a sequence that goes on with an episode is the last of the one before
// it: the store then keeps it once.
void FrameTraining::take(const HandedOver& handed) {
  const std::size_t bytes = store_.shape().bytes();
  Index& last = last_[static_cast<std::size_t>(handed.actor) * settings_.places + handed.place];
  if (handed.begins_episode || !store_.holds(last)) last = -1;
  std::vector<Index> numbers;
  for (std::size_t at = 0; at < handed.observations.size(); at += bytes) {
    last = store_.add(std::span(handed.observations).subspan(at, bytes), last);
    numbers.push_back(last);
  }
  std::vector<Frame> frames = handed.frames;
  for (Frame& frame : frames) {
    frame.observation = numbers[frame.observation];
    frame.next_observation = numbers[frame.next_observation];
  }
  frames_ += std::ssize(frames);
  learner_->add(frames);
  if (handed.episode) add_episode(*handed.episode);
}

std::vector<FrameTrainingRow> FrameTraining::learn() {
  learner_->learn();
  for (FrameTrainingRow& row : rows_) {
    row.learner_frames = learner_->frames();
    row.losses = learner_->losses();
  }
  return std::exchange(rows_, {});
}

void FrameTraining::archive(Archive& archive) {
  archive(checkpoints_), archive(frames_), archive(episodes_), archive(next_checkpoint_);
  store_.archive(archive);
  agent_->archive(archive);
  learner_->archive(archive);
}

std::string FrameTraining::save() {
  VAPOR_CHECK_EQ(rows_.empty(), true);
  ++checkpoints_;
  next_checkpoint_ = (frames_ / checkpoint_period_ + 1) * checkpoint_period_;
  Archive state;
  archive(state);
  return state.take_bytes();
}

void FrameTraining::restore(const std::string& state) {
  Archive saved = Archive::restoring(state);
  archive(saved);
  saved.expect_end();
}

FrameTrainingSummary summarise_frame_training(const RunRecord& record) {
  constexpr std::size_t kRecent = 100;
  FrameTrainingSummary summary;
  const std::span<const double> returns = record.episodes.column("return");
  summary.episodes = std::ssize(returns);
  if (returns.empty()) return summary;
  const auto mean = [](std::span<const double> values) {
    double sum = 0.0;
    for (const double value : values) sum += value;
    return sum / static_cast<double>(values.size());
  };
  summary.frames = static_cast<std::int64_t>(record.episodes.column("frames").back());
  summary.learner_frames =
      static_cast<std::int64_t>(record.episodes.column("learner_frames").back());
  summary.mean_return = mean(returns);
  summary.recent_mean_return = mean(returns.last(std::min(kRecent, returns.size())));
  summary.best_return = *std::ranges::max_element(returns);
  if (record.timing.rows() > 0)
    for (const double seconds : record.timing.column("seconds")) summary.seconds += seconds;
  if (summary.seconds > 0.0)
    summary.frames_per_second = static_cast<double>(summary.frames) / summary.seconds;
  return summary;
}

}  // namespace vapor::deep
