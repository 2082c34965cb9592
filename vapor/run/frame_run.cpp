// Who plays a training by frames: one thread, or actors beside the learner.
#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "vapor/core/check.h"
#include "vapor/core/error.h"
#include "vapor/core/spec.h"
#include "vapor/deep/actor/actor_threads.h"
#include "vapor/deep/memory.h"
#include "vapor/deep/policy_file.h"
#include "vapor/run/frame_training.h"

namespace vapor {
namespace {

using Environments = std::vector<std::unique_ptr<VectorEnvironment>>;

// All but what is played.
class FramePlayer : public Player {
 public:
  explicit FramePlayer(std::unique_ptr<FrameTraining> training) : training_(std::move(training)) {}

  std::int64_t episodes() const override { return training_->episodes(); }
  bool is_over() const override { return training_->is_over(); }
  std::string save() override { return training_->save(); }
  void restore(const std::string& state) override { training_->restore(state); }
  void end(RunFolder& record) override { deep::write_policy(record.path(), training().agent()); }
  std::int64_t frames() const override { return training_->frames(); }
  std::int64_t learner_frames() const override { return training_->learner().frames(); }
  deep::Losses losses() const override { return training_->learner().losses(); }

 protected:
  FrameTraining& training() { return *training_; }
  const FrameTraining& training() const { return *training_; }

 private:
  std::unique_ptr<FrameTraining> training_;
};

// One thread: a round is played, what is owed is learned. At a checkpoint what is being played is
// broken off and new episodes begin, whether the run goes on or is resumed there.
class OneThread final : public FramePlayer {
 public:
  OneThread(const deep::VectorActorSettings& settings,
            std::unique_ptr<VectorEnvironment> environment, std::unique_ptr<FrameTraining> training)
      : FramePlayer(std::move(training)),
        environment_(std::move(environment)),
        actor_(settings, *environment_, this->training().store()) {}

  void play(std::vector<EpisodeRow>& rows) override {
    if (std::exchange(begins_, false)) actor_.begin(training().agent(), training().seed_of_play());
    training().take(actor_.play_round(training().agent()));
    if (training().checkpoint_due()) {
      training().take(actor_.break_off());
      begins_ = true;
    }
    training().learn(rows);
  }

  bool saves_now(bool /*due*/, bool /*interrupted*/) const override { return begins_; }

 private:
  std::unique_ptr<VectorEnvironment> environment_;
  deep::VectorActor actor_;
  bool begins_ = true;  // new episodes, at all places
};

// With actors: this thread learns what is owed, and takes the next sequence when nothing is. Actors
// wait while the queue is full, so neither gets ahead of the replay fraction.
class WithActors final : public FramePlayer {
 public:
  using MakeActors = std::function<std::unique_ptr<deep::ActorThreads>(std::uint64_t seed)>;

  WithActors(MakeActors make_actors, std::unique_ptr<FrameTraining> training)
      : FramePlayer(std::move(training)), make_actors_(std::move(make_actors)) {}

  void play(std::vector<EpisodeRow>& rows) override {
    if (!actors_) {
      actors_ = make_actors_(training().seed_of_play());
      publish();
    }
    if (const std::optional<deep::HandedOver> handed = actors_->next(kPatience))
      training().take(*handed);
    training().learn(rows);
    if (training().learner().steps() >= published_ + kPublishEvery) publish();
  }

  bool saves_now(bool /*due*/, bool interrupted) const override {
    return training().checkpoint_due() || interrupted;
  }

  std::int64_t environments_lost() const override {
    return actors_ ? actors_->environments_lost() : 0;
  }
  std::int64_t frames_lost() const override { return actors_ ? actors_->frames_lost() : 0; }

 private:
  static constexpr std::chrono::milliseconds kPatience{100};  // until the caller is asked again
  static constexpr std::int64_t kPublishEvery = 10;           // learner steps

  void publish() {
    actors_->publish(training().agent());
    published_ = training().learner().steps();
  }

  MakeActors make_actors_;
  std::unique_ptr<deep::ActorThreads> actors_;
  std::int64_t published_ = 0;
};

Environments make_environments(const FrameSettings& settings, const TrainingParts& parts) {
  Environments environments;
  for (Index i = 0; i < std::max(1, settings.actors); ++i) {
    environments.push_back(parts.make_environment(settings.places));
    VAPOR_CHECK_EQ(environments.back()->places(), settings.places);
    VAPOR_CHECK_EQ(environments.back()->shape() == environments.front()->shape(), true);
  }
  return environments;
}

}  // namespace

std::unique_ptr<Player> make_frame_player(const RunSettings& settings, const deep::Config& config,
                                          const TrainingParts& parts) {
  constexpr Index kRoomOfAnActor = 2;  // sequences a place that may wait for the learner
  const FrameSettings& frames = *settings.by_frames;
  auto environments = std::make_shared<Environments>(make_environments(frames, parts));
  const ObservationShape shape = environments->front()->shape();
  deep::expect_memory(setting("agent"), "the observations of the replay",
                      static_cast<double>(config.learning.replay.frames) *
                          static_cast<double>(shape.bytes()) / shape.channels,
                      "choose a smaller replay");
  auto training = std::make_unique<FrameTraining>(settings, config, parts, shape,
                                                  environments->front()->actions());
  if (frames.actors == 0)
    return std::make_unique<OneThread>(
        deep::VectorActorSettings{config.learning.replay.unroll, frames.clip_rewards},
        std::move(environments->front()), std::move(training));
  const deep::ActorThreadsSettings how = {.agent = Spec(setting("agent"), settings.agent).name(),
                                          .config = config,
                                          .clip_rewards = frames.clip_rewards,
                                          .room = kRoomOfAnActor * frames.places * frames.actors};
  const auto make_actors = [how, environments, make_agent = parts.make_agent,
                            agent = agent_stream(settings)](std::uint64_t seed) {
    return std::make_unique<deep::ActorThreads>(how, make_agent, std::move(*environments), agent,
                                                RandomStream(seed));
  };
  return std::make_unique<WithActors>(make_actors, std::move(training));
}

}  // namespace vapor
