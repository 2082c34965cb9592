// The loops of a training on vector environments, and its record.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <deque>
#include <utility>

#include "vapor/core/check.h"
#include "vapor/core/clock.h"
#include "vapor/core/error.h"
#include "vapor/deep/frame_training.h"
#include "vapor/deep/memory.h"
#include "vapor/deep/policy_file.h"
#include "vapor/deep/training_log.h"

namespace vapor::deep {
namespace {

using Environments = std::vector<std::unique_ptr<VectorEnvironment>>;

constexpr std::chrono::milliseconds kPatience{100};  // until keep_going is asked again
constexpr std::int64_t kPublishEvery = 10;           // learner steps
constexpr Index kRoomOfAnActor = 2;  // sequences a place that may wait for the learner

// Rows go to the record, to the log and into what is shown.
class Report {
 public:
  Report(const FrameTrainingSettings& settings, const FrameTrainingOptions& options,
         const FrameTraining& training, RunFolder& record)
      : options_(options),
        training_(training),
        record_(record),
        log_(record.path(), training.frames(), training.learner().frames()),
        frames_before_(training.frames()) {
    progress_.frames_wanted = settings.frames;
  }

  bool keep_going(std::span<const FrameTrainingRow> rows) {
    const double seconds = seconds_since(begin_);
    progress_.frames = training_.frames();
    progress_.episodes = training_.episodes();
    progress_.learner_frames = training_.learner().frames();
    progress_.losses = training_.learner().losses();
    if (seconds > 0.0)
      progress_.frames_per_second =
          static_cast<double>(progress_.frames - frames_before_) / seconds;
    for (const FrameTrainingRow& row : rows) write(row, seconds);
    return options_.keep_going(progress_);
  }

  void count_losses(const ActorThreads& actors) {
    progress_.environments_lost = actors.environments_lost();
    progress_.frames_lost = actors.frames_lost();
  }

 private:
  void write(const FrameTrainingRow& row, double seconds) {
    const PlayedEpisode& e = row.episode;
    remember(e);
    const std::array<double, 9> values = {e.episode_return,
                                          static_cast<double>(e.length),
                                          static_cast<double>(row.frames),
                                          static_cast<double>(row.learner_frames),
                                          e.sigma,
                                          e.entropy,
                                          row.losses.policy,
                                          row.losses.value,
                                          row.losses.reward};
    record_.append(values, seconds - std::exchange(last_row_, seconds));
    log_.add({.frames = row.frames,
              .learner_frames = row.learner_frames,
              .episode_return = e.episode_return,
              .length = e.length,
              .sigma = e.sigma,
              .entropy = e.entropy,
              .losses = row.losses});
  }

  void remember(const PlayedEpisode& episode) {
    constexpr std::size_t kRecent = 100;
    recent_.push_back(episode);
    if (recent_.size() > kRecent) recent_.pop_front();
    const auto mean = [&](auto field) {
      double sum = 0.0;
      for (const PlayedEpisode& e : recent_) sum += static_cast<double>(e.*field);
      return sum / static_cast<double>(recent_.size());
    };
    progress_.mean_return = mean(&PlayedEpisode::episode_return);
    progress_.mean_length = mean(&PlayedEpisode::length);
    progress_.sigma = mean(&PlayedEpisode::sigma);
    progress_.entropy = mean(&PlayedEpisode::entropy);
  }

  const FrameTrainingOptions& options_;
  const FrameTraining& training_;
  RunFolder& record_;
  TrainingLog log_;
  std::int64_t frames_before_;
  FrameProgress progress_;
  std::deque<PlayedEpisode> recent_;
  Clock::time_point begin_ = Clock::now();
  double last_row_ = 0.0;
};

// One thread: a round is played, what is owed is learned. At a checkpoint what is being played is
// broken off and new episodes begin, whether the run goes on or is resumed there.
bool play_and_learn(const VectorActorSettings& settings, VectorEnvironment& environment,
                    FrameTraining& training, RunFolder& record, Report& report) {
  VectorActor actor(settings, environment, training.store());
  bool going = report.keep_going({});
  for (bool begin = true; going && !training.is_over();) {
    if (std::exchange(begin, false)) actor.begin(training.agent(), training.seed_of_play());
    training.take(actor.play_round(training.agent()));
    if (training.checkpoint_due()) {
      training.take(actor.break_off());
      begin = true;
    }
    going = report.keep_going(training.learn());
    if (begin) record.save(training.save());
  }
  return training.is_over();
}

// With actors: this thread learns what is owed, and takes the next sequence when nothing is. Actors
// wait while the queue is full, so neither gets ahead of the replay fraction.
bool learn_from_actors(ActorThreads& actors, FrameTraining& training, RunFolder& record,
                       Report& report) {
  bool going = report.keep_going({});
  if (going) actors.publish(training.agent());
  for (std::int64_t published = training.learner().steps(); going && !training.is_over();) {
    if (const std::optional<HandedOver> handed = actors.next(kPatience)) training.take(*handed);
    report.count_losses(actors);
    going = report.keep_going(training.learn());
    if (training.learner().steps() >= published + kPublishEvery) {
      actors.publish(training.agent());
      published = training.learner().steps();
    }
    if (training.checkpoint_due() || !going) record.save(training.save());
  }
  return training.is_over();
}

Environments make_environments(const FrameTrainingSettings& settings, const TrainingParts& parts) {
  Environments environments;
  for (Index i = 0; i < std::max(1, settings.actors); ++i) {
    environments.push_back(parts.make_environment(settings.places));
    VAPOR_CHECK_EQ(environments.back()->places(), settings.places);
    VAPOR_CHECK_EQ(environments.back()->shape() == environments.front()->shape(), true);
  }
  return environments;
}

// From the last checkpoint on.
TrainingEnd go_on(const FrameTrainingSettings& settings, const TrainingParts& parts,
                  const Config& config, const std::string& folder,
                  const FrameTrainingOptions& options) {
  RunHeader header = header_of(settings);
  if (!parts.command.empty()) header.command = parts.command;
  RunFolder record(folder, header);
  if (record.finished()) return TrainingEnd::kWasFinished;
  Environments environments = make_environments(settings, parts);
  const ObservationShape shape = environments.front()->shape();
  expect_memory("--agent", "the observations of the replay",
                static_cast<double>(config.learning.replay.frames) *
                    static_cast<double>(shape.bytes()) / shape.channels,
                "choose a smaller replay");
  FrameTraining training(settings, config, parts, shape, environments.front()->actions());
  restore_from(record, training);
  VAPOR_CHECK_EQ(training.episodes(), record.episodes());
  Report report(settings, options, training, record);
  bool over = false;
  if (settings.actors == 0) {
    over = play_and_learn({config.learning.replay.unroll, settings.clip_rewards},
                          *environments.front(), training, record, report);
  } else {
    ActorThreads actors({.agent = Spec("--agent", settings.agent).name(),
                         .config = config,
                         .clip_rewards = settings.clip_rewards,
                         .room = kRoomOfAnActor * settings.places * settings.actors},
                        parts.make_agent, std::move(environments), agent_stream(settings),
                        RandomStream(training.seed_of_play()));
    over = learn_from_actors(actors, training, record, report);
  }
  write_policy(folder, training.agent());
  if (!over) return TrainingEnd::kInterrupted;
  record.finish();
  return TrainingEnd::kFinished;
}

}  // namespace

// On one thread lost environments cost what was played since the last checkpoint, and the bytes
// stay those of a run that lost none.
TrainingEnd train(const FrameTrainingSettings& settings, const TrainingParts& parts,
                  const std::string& folder, const FrameTrainingOptions& options) {
  const Config config = validate(settings, parts);
  parts.expect_networks();
  std::int64_t furthest = -1;
  std::int64_t lost = 0;
  for (int losses = 0;;) {
    FrameTrainingOptions watched = options;
    std::int64_t frames = 0;
    watched.keep_going = [&](FrameProgress progress) {
      frames = progress.frames;
      progress.environments_lost += lost;
      return options.keep_going(progress);
    };
    try {
      return go_on(settings, parts, config, folder, watched);
    } catch (const EnvironmentLost& loss) {
      if (settings.actors > 0) throw;
      ++lost;
      if (frames > std::exchange(furthest, std::max(furthest, frames))) losses = 0;
      if (++losses > kMostLosses)
        throw EnvironmentLost(
            fmt::format("the environments were lost {} times at one point, frame "
                        "{}; the last time: {}",
                        losses, frames, loss.what()));
    }
  }
}

}  // namespace vapor::deep
