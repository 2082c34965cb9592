#include "vapor/deep/actor/vector_actor.h"

#include <algorithm>
#include <cmath>

#include "vapor/core/check.h"

namespace vapor::deep {
namespace {

std::span<const std::byte> observation_of(std::span<const std::byte> all, Index place,
                                          std::size_t bytes) {
  return all.subspan(static_cast<std::size_t>(place) * bytes, bytes);
}

}  // namespace

Index observations_to_hold(Index slots, Index unroll, Index places) {
  const std::int64_t held =
      (static_cast<std::int64_t>(slots) + 3 * static_cast<std::int64_t>(places)) * (unroll + 1);
  VAPOR_CHECK_LE(held, std::int64_t{1} << 30);
  return static_cast<Index>(held);
}

VectorActor::VectorActor(const VectorActorSettings& settings, VectorEnvironment& environment,
                         ObservationStore& store)
    : settings_(settings),
      environment_(environment),
      store_(store),
      places_(environment.places()),
      observations_(places_.size()),
      actions_(places_.size()),
      pi_(places_.size() * environment.actions()),
      sigma_(places_.size()) {
  VAPOR_CHECK_GE(settings.unroll, 1);
  VAPOR_CHECK_EQ(store.shape() == environment.shape(), true);
  VAPOR_CHECK_GE(store.held(), observations_to_hold(0, settings.unroll, places()));
  for (Place& place : places_) place.frames.reserve(settings.unroll);
}

void VectorActor::begin(Agent& agent, std::uint64_t seed) {
  const RandomStream stream(seed);
  random_ = stream.split("play");
  const std::span<const std::byte> first = environment_.reset(stream.split("environment").bits());
  for (Index p = 0; p < places(); ++p) {
    places_[p].frames.clear();
    places_[p].handed_over = false;
    begin_episode(agent, p, first);
  }
}

// The next episode of a place begins.
void VectorActor::begin_episode(Agent& agent, Index p, std::span<const std::byte> first) {
  Place& place = places_[p];
  place.observation = store_.add(observation_of(first, p, store_.shape().bytes()), -1);
  place.begins_episode = true;
  place.episode = {.place = p};
  agent.begin_episode(p, random_);
}

void VectorActor::clear_played() {
  played_.frames = 0;
  played_.sequences.clear();
  played_.episodes.clear();
  for (Place& place : places_) {
    if (place.handed_over) place.frames.clear();
    place.handed_over = false;
  }
}

void VectorActor::act(Agent& agent) {
  for (Index p = 0; p < places(); ++p) observations_[p] = places_[p].observation;
  agent.play(observations_, pi_, sigma_);
  const Index actions = environment_.actions();
  for (Index p = 0; p < places(); ++p) {
    const auto pi = std::span(pi_).subspan(static_cast<std::size_t>(p) * actions, actions);
    actions_[p] = random_.categorical(pi);
    PlayedEpisode& episode = places_[p].episode;
    episode.sigma += sigma_[p];
    for (const double probability : pi)
      if (probability > 0.0) episode.entropy -= probability * std::log(probability);
  }
}

void VectorActor::hand_over(Index p) {
  Place& place = places_[p];
  played_.sequences.push_back({p, place.begins_episode, place.frames});
  place.handed_over = true;
  place.begins_episode = false;
}

void VectorActor::take(Agent& agent, const VectorStep& step, Index p) {
  Place& place = places_[p];
  const std::size_t bytes = store_.shape().bytes();
  const bool ended = step.ended[p] != 0;
  const bool over = ended || step.cut[p] != 0;
  const float reward = step.rewards[p];
  ++played_.frames;
  place.episode.episode_return += reward;
  ++place.episode.length;
  const std::size_t action = static_cast<std::size_t>(p) * environment_.actions() + actions_[p];
  Frame frame{.observation = place.observation,
              .action = actions_[p],
              .next_observation = place.observation,
              .reward = settings_.clip_rewards ? std::clamp(reward, -1.0F, 1.0F) : reward,
              .behaviour = static_cast<float>(pi_[action]),
              .last = ended};
  if (!ended)
    frame.next_observation =
        store_.add(observation_of(over ? step.last_observations : step.observations, p, bytes),
                   place.observation);
  place.frames.push_back(frame);
  place.observation = frame.next_observation;
  if (over || std::ssize(place.frames) == settings_.unroll) hand_over(p);
  if (!over) return;
  const auto length = static_cast<double>(place.episode.length);
  place.episode.sigma /= length;
  place.episode.entropy /= length;
  played_.episodes.push_back(place.episode);
  begin_episode(agent, p, step.observations);
}

const Played& VectorActor::play_round(Agent& agent) {
  clear_played();
  act(agent);
  const VectorStep step = environment_.step(actions_);
  for (Index p = 0; p < places(); ++p) {
    if (!step.idle.empty() && step.idle[p] != 0)
      begin_episode(agent, p, step.observations);
    else
      take(agent, step, p);
  }
  return played_;
}

const Played& VectorActor::break_off() {
  clear_played();
  for (Index p = 0; p < places(); ++p)
    if (!places_[p].frames.empty()) hand_over(p);
  return played_;
}

std::int64_t VectorActor::frames_in_hand() const {
  std::int64_t frames = 0;
  for (const Place& place : places_)
    if (!place.handed_over) frames += std::ssize(place.frames);
  return frames;
}

}  // namespace vapor::deep
