// All settings of a deep agent, by name: `vapor-lite:sigma_scale=3,hidden=64`.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "vapor/core/spec.h"
#include "vapor/deep/objective/objective.h"
#include "vapor/deep/q_agent.h"
#include "vapor/deep/replay/replay.h"
#include "vapor/deep/uncertainty/reward_ensemble.h"
#include "vapor/nn/adam.h"
#include "vapor/nn/torso.h"

namespace vapor::deep {

// Learning from replay.
struct LearningSettings {
  double discount = 0.995;       // gamma, in [0, 1]
  double lambda = 0.9;           // of V-trace and Retrace, in [0, 1]
  Index batch_frames = 600;      // frames of a learner step, at least
  double replay_fraction = 0.9;  // part of the learner's frames that is replayed, in [0, 1)
  ReplaySettings replay;
};

struct NetworkSettings {
  // On indices: separate ones for actor, critic and ensemble, of one shape.
  Index hidden = 128;    // width of the hidden layers; 0: linear in the one-hot vector
  Index layers = 1;      // hidden layers
  double row_std = 0.1;  // of the rows of the first layer at the start

  // On arrays: heads on one torso, so one learning rate and epsilon for all of them.
  Torso torso = Torso::kSmall;   // the mlp is `layers` of `hidden`
  Index lstm = 0;                // units of an LSTM between torso and heads; 0: none
  double critic_weight = 0.5;    // of the critic's loss, >= 0; the actor's has 1
  double ensemble_weight = 0.1;  // of the reward heads' loss, a sum over the heads; >= 0
  // Longer gradients are cut to this length, > 0. Losses are means over frames and rewards are
  // clipped, so a gradient is shorter; the one that is not would stand in Adam's mean of squares
  // for a thousand steps and stop the learning meanwhile.
  double gradient_norm = 40.0;
  Index torch_threads = 1;  // of one operation of torch

  AdamSettings actor;
  AdamSettings critic;
  AdamSettings reward;  // of the ensemble
};

enum class UncertaintyKind { kNone, kEnsemble, kCounts, kDistillation };

struct UncertaintySettings {
  UncertaintyKind kind = UncertaintyKind::kEnsemble;
  RewardEnsembleSettings ensemble;  // its constants are those of the other kinds too
};

struct Config {
  LearningSettings learning;
  NetworkSettings network;
  UncertaintySettings uncertainty;  // of the actor-critics and the closed form
  ObjectiveSettings objective;      // of the actor-critics; the closed form has its entropy
  QSettings q;                      // of the Q-learners
};

// Throws InputError that names the field.
void validate(const Config& config);

// What one agent asks for and another does not. Throws InputError that names the field.
void check_agent(const std::string& agent, const Config& config);

using AgentKind = SpecKind;

// Without their settings, which take a millisecond to write out and every program lists its agents.
std::span<const AgentKind> agent_kinds();

// Every setting of an agent with its default, where that is one for all environments.
std::string settings_text(const std::string& agent);

// The paper's table of hyperparameters (appendix I), for Atari. Throws InputError that names
// `place` if there is no such agent.
Config paper_config(const Place& place, const std::string& agent);

// What DeepSea of this depth is learned with; docs/deep.md lists each difference with its reason.
Config deep_sea_config(const Place& place, const std::string& agent, Index depth);

// The defaults `c` with what the spec changes, validated. Throws InputError that names the spec's
// place.
Config read_config(Spec& spec, Config c);

}  // namespace vapor::deep
