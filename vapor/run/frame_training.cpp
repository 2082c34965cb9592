#include "vapor/run/frame_training.h"

#include <fmt/format.h>

#include <algorithm>

#include "vapor/core/check.h"
#include "vapor/core/error.h"
#include "vapor/core/spec.h"
#include "vapor/deep/policy_file.h"

namespace vapor {
namespace {

Index observations_of(const FrameSettings& settings, const deep::Config& config) {
  return deep::observations_to_hold(deep::slots_of(config.learning.replay),
                                    config.learning.replay.unroll, settings.places);
}

std::int64_t whole_rounds(std::int64_t frames, Index places) {
  return (frames + places - 1) / places * places;
}

}  // namespace

deep::Config check_frame_training(const RunSettings& settings, const TrainingParts& parts) {
  constexpr std::int64_t kMostFrames = 1'000'000'000'000;
  const auto within = [](const char* name, std::int64_t low, std::int64_t high,
                         std::int64_t value) {
    if (value < low || value > high)
      throw InputError(setting(name), fmt::format("must be {}..{}, got {}", low, high, value));
  };
  const FrameSettings& frames = *settings.by_frames;
  within("frames", 1, kMostFrames, frames.frames);
  within("places", 1, 1024, frames.places);
  within("actors", 0, 256, frames.actors);
  within("checkpoint_frames", 1, kMostFrames, frames.checkpoint_frames);
  Spec agent(setting("agent"), settings.agent);
  const deep::Config config = read_config(agent, parts.defaults(agent.place(), agent.name()));
  const auto by_index_only = [&](bool refused, const char* key, const char* value) {
    if (refused)
      throw InputError(agent.where(key),
                       fmt::format("{} asks for states that are known by their index", value));
  };
  by_index_only(config.uncertainty.kind == deep::UncertaintyKind::kCounts, "uncertainty", "counts");
  by_index_only(config.uncertainty.kind == deep::UncertaintyKind::kDistillation, "uncertainty",
                "rnd");
  by_index_only(config.objective.optimism == deep::Optimism::kOccupancy, "optimism", "occupancy");
  return config;
}

RandomStream agent_stream(const RunSettings& settings) {
  return RandomStream(settings.seed).split("agent");
}

std::unique_ptr<deep::Agent> trained_agent(const RunSettings& settings, const TrainingParts& parts,
                                           const nn::ObservationStore& store, Index actions,
                                           const std::string& folder) {
  std::unique_ptr<deep::Agent> agent = parts.make_agent(
      Spec(setting("agent"), settings.agent).name(), check_frame_training(settings, parts), store,
      actions, agent_stream(settings));
  deep::read_policy(folder, *agent);
  return agent;
}

FrameTraining::FrameTraining(const RunSettings& settings, const deep::Config& config,
                             const TrainingParts& parts, const ObservationShape& shape,
                             Index actions)
    : settings_(*settings.by_frames),
      random_(settings.seed),
      store_(shape, observations_of(settings_, config)),
      agent_(parts.make_agent(Spec(setting("agent"), settings.agent).name(), config, store_,
                              actions, agent_stream(settings))),
      learner_(std::make_unique<deep::Learner>(config, *agent_, store_.capacity(),
                                               random_.split("learner"))),
      last_(static_cast<std::size_t>(std::max(1, settings_.actors)) * settings_.places, -1),
      checkpoint_period_(whole_rounds(settings_.checkpoint_frames, settings_.places)),
      next_checkpoint_(checkpoint_period_) {}

std::uint64_t FrameTraining::seed_of_play() const {
  return random_.split("play").split(static_cast<std::uint64_t>(checkpoints_)).bits();
}

void FrameTraining::add_episode(const deep::PlayedEpisode& episode) {
  ++episodes_;
  EpisodeRow& row = rows_.emplace_back();
  row.episode_return = episode.episode_return;
  row.length = episode.length;
  row.sigma = episode.sigma;
  row.entropy = episode.entropy;
  row.frames = frames_;
}

void FrameTraining::take(const deep::Played& played) {
  frames_ += played.frames;
  for (const deep::PlayedSequence& sequence : played.sequences) learner_->add(sequence.frames);
  for (const deep::PlayedEpisode& episode : played.episodes) add_episode(episode);
}

// The first observation of a sequence that goes on with an episode is the last of the one before
// it: the store then keeps it once.
void FrameTraining::take(const deep::HandedOver& handed) {
  const std::size_t bytes = store_.shape().bytes();
  Index& last = last_[static_cast<std::size_t>(handed.actor) * settings_.places + handed.place];
  if (handed.begins_episode || !store_.holds(last)) last = -1;
  std::vector<Index> numbers;
  for (std::size_t at = 0; at < handed.observations.size(); at += bytes) {
    last = store_.add(std::span(handed.observations).subspan(at, bytes), last);
    numbers.push_back(last);
  }
  std::vector<deep::Frame> frames = handed.frames;
  for (deep::Frame& frame : frames) {
    frame.observation = numbers[frame.observation];
    frame.next_observation = numbers[frame.next_observation];
  }
  frames_ += std::ssize(frames);
  learner_->add(frames);
  if (handed.episode) add_episode(*handed.episode);
}

void FrameTraining::learn(std::vector<EpisodeRow>& rows) {
  learner_->learn();
  for (EpisodeRow& row : rows_) {
    row.learner_frames = learner_->frames();
    row.losses = learner_->losses();
    rows.push_back(row);
  }
  rows_.clear();
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

}  // namespace vapor
