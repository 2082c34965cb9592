// What a training on vector environments is asked for: so many frames of an agent in environments
// that are observed as arrays.
//
// A frame is one action at one place, as everywhere in vapor/deep. An environment that repeats each
// action (Atari: four times) plays that many times as many frames of its own; papers on Atari count
// those.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "vapor/deep/agent.h"
#include "vapor/deep/config.h"
#include "vapor/env/vector_environment.h"
#include "vapor/nn/observation_store.h"
#include "vapor/record/run_folder.h"

namespace vapor::deep {

struct FrameTrainingSettings {
  std::string env = "catch";         // a spec
  std::string agent = "vapor-lite";  // a spec
  std::int64_t frames = 1'000'000;   // at least so many, over all places; >= 1
  std::uint64_t seed = 1;
  Index places = 8;          // environments side by side, of each actor; 1..1024
  Index actors = 0;          // threads that play beside the learner, 0..256; 0: one thread, exact
  bool clip_rewards = true;  // to [-1, 1] in what is learned from
  // Frames between checkpoints, rounded up to whole rounds. On one thread every place begins a new
  // episode there, so that a run can be resumed exactly although a game cannot be saved.
  std::int64_t checkpoint_frames = 1'000'000;
};

// The signature of make_array_agent.
using MakeAgent = std::function<std::unique_ptr<Agent>(const std::string& name, const Config&,
                                                       const ObservationStore&, Index actions,
                                                       const RandomStream&)>;

// What a training is made of, beside its settings.
struct TrainingParts {
  // The environments of one actor. Called before any thread is started.
  std::function<std::unique_ptr<VectorEnvironment>(Index places)> make_environment;

  // Called once for the learner and once for each actor, always with the same stream: what is drawn
  // at random and not learned, such as prior functions, is then the same in all of them.
  MakeAgent make_agent;

  // Throws InputError if what make_agent needs is not here. Called before a record is begun.
  std::function<void()> expect_networks = [] {};

  // The settings of an agent before its spec changes them.
  std::function<Config(const std::string& place, const std::string& agent)> defaults = paper_config;

  // What makes the run again, for its record; empty: vapor train.
  std::string command;
};

// The agent's settings; throws InputError that names the place if they or those of the training are
// bad. Makes nothing.
Config validate(const FrameTrainingSettings& settings, const TrainingParts& parts);

RunHeader header_of(const FrameTrainingSettings& settings);

// The settings of a run that was made before; throws InputError that names its file.
FrameTrainingSettings frame_settings_of(const std::string& folder, const Definition& definition);

// What the agents of a training are made from: its learner's, its actors' and that of a player.
RandomStream agent_stream(const FrameTrainingSettings& settings);

}  // namespace vapor::deep
