#include "vapor/deep/actor/actor_threads.h"

#include <fmt/format.h>

#include <utility>

#include "vapor/core/check.h"

namespace vapor::deep {

struct ActorThreads::Actor {
  Actor(Index mine, const ActorThreadsSettings& settings, const MakeAgent& make_agent,
        std::unique_ptr<VectorEnvironment> played, const RandomStream& agent_random,
        const RandomStream& of_play)
      : number(mine),
        environment(std::move(played)),
        store(environment->shape(), observations_to_hold(0, settings.config.learning.replay.unroll,
                                                         environment->places())),
        agent(make_agent(settings.agent, settings.config, store, environment->actions(),
                         agent_random)),
        player({settings.config.learning.replay.unroll, settings.clip_rewards}, *environment,
               store),
        random(of_play) {}

  Index number;
  std::unique_ptr<VectorEnvironment> environment;
  ObservationStore store;
  std::unique_ptr<Agent> agent;
  VectorActor player;
  RandomStream random;
  std::int64_t version = 0;  // of the parameters
  std::uint64_t begun = 0;   // how often its environments were
  std::int64_t rounds = 0;   // since they were lost
  int losses = 0;            // one soon after another
};

ActorThreads::ActorThreads(const ActorThreadsSettings& settings, const MakeAgent& make_agent,
                           std::vector<std::unique_ptr<VectorEnvironment>> environments,
                           const RandomStream& agent_random, const RandomStream& random)
    : queue_(settings.room) {
  for (std::unique_ptr<VectorEnvironment>& environment : environments) {
    const auto number = static_cast<Index>(actors_.size());
    actors_.push_back(std::make_unique<Actor>(number, settings, make_agent, std::move(environment),
                                              agent_random,
                                              random.split(static_cast<std::uint64_t>(number))));
  }
}

ActorThreads::~ActorThreads() {
  queue_.close();
  for (std::thread& thread : threads_) thread.join();
}

void ActorThreads::publish(Agent& agent) {
  Archive archive;
  agent.archive_playing(archive);
  parameters_.publish(archive.bytes());
  if (!threads_.empty()) return;
  for (const std::unique_ptr<Actor>& actor : actors_)
    threads_.emplace_back([this, &actor = *actor] {
      try {
        run(actor);
      } catch (...) {
        queue_.fail(std::current_exception());
      }
    });
}

void ActorThreads::run(Actor& actor) {
  adopt(actor);
  begin(actor);
  while (!queue_.closed()) {
    adopt(actor);
    const Played* played = nullptr;
    try {
      played = &actor.player.play_round(*actor.agent);
      ++actor.rounds;
    } catch (const EnvironmentLost& loss) {
      frames_lost_ += actor.player.frames_in_hand();
      lose(actor, loss);
      begin(actor);
      continue;
    }
    if (!hand_over(actor, *played)) return;
  }
}

void ActorThreads::adopt(Actor& actor) const {
  const PublishedParameters::Version newest = parameters_.newest();
  if (newest.number == actor.version) return;
  Archive archive = Archive::restoring(*newest.bytes);
  actor.agent->archive_playing(archive);
  archive.expect_end();
  actor.version = newest.number;
}

// Until it succeeds, or too often does not.
void ActorThreads::begin(Actor& actor) {
  for (bool begun = false; !begun && !queue_.closed();) {
    try {
      actor.player.begin(*actor.agent, actor.random.split(actor.begun++).bits());
      begun = true;
    } catch (const EnvironmentLost& loss) {
      lose(actor, loss);
    }
  }
}

void ActorThreads::lose(Actor& actor, const EnvironmentLost& loss) {
  ++lost_;
  if (std::exchange(actor.rounds, 0) >= kRoundsBetweenLosses) actor.losses = 0;
  if (++actor.losses > kMostLosses)
    throw EnvironmentLost(
        fmt::format("actor {}: its environments were lost {} times, each time "
                    "within {} rounds; the last time: {}",
                    actor.number, actor.losses, kRoundsBetweenLosses, loss.what()));
}

bool ActorThreads::hand_over(const Actor& actor, const Played& played) {
  auto episode = played.episodes.begin();
  for (const PlayedSequence& sequence : played.sequences) {
    HandedOver handed = pack(sequence, actor.store);
    handed.actor = actor.number;
    // Both are in the order of the places, and an episode that is over hands its frames over.
    if (episode != played.episodes.end() && episode->place == sequence.place)
      handed.episode = *episode++;
    if (!queue_.push(std::move(handed))) return false;
  }
  VAPOR_CHECK_EQ(episode == played.episodes.end(), true);
  return true;
}

}  // namespace vapor::deep
