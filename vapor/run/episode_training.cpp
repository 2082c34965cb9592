#include "vapor/run/episode_training.h"

#include <fmt/format.h>

#include <algorithm>

#include "vapor/core/error.h"
#include "vapor/core/spec.h"
#include "vapor/deep/agents.h"
#include "vapor/deep/memory.h"
#include "vapor/deep/policy_file.h"
#include "vapor/env/registry.h"

namespace vapor {
namespace {

deep::Config config_of(const RunSettings& settings, Index horizon) {
  Spec agent(setting("agent"), settings.agent);
  const deep::Config config =
      read_config(agent, deep::deep_sea_config(agent.place(), agent.name(), horizon));
  if (config.network.lstm > 0)
    throw InputError(agent.where("lstm"), "must be 0: only networks on images have one");
  return config;
}

}  // namespace

void check_episode_training(const RunSettings& settings) {
  const Environment environment =
      make_environment(Spec(setting("env"), settings.env), settings.seed);
  const deep::Actor actor(environment, setting("env"));
  if (settings.stop == StopRule::kCovered)
    throw InputError(setting("stop"), "covered is not known of networks");
  if (settings.stop == StopRule::kSolved && environment.goals.empty())
    throw InputError(setting("stop"),
                     fmt::format("solved asks for a goal, and {} has none", settings.env));
  const deep::Config config = config_of(settings, actor.horizon());
  // Each of three networks has a row for every observation, with Adam's two moments.
  const double row = 3.0 * sizeof(float) * std::max(config.network.hidden, actor.actions());
  deep::expect_memory(setting("env"), "networks with a row for every state",
                      3.0 * actor.observations() * row,
                      "choose a smaller one, or fewer hidden units");
}

EpisodeTraining::EpisodeTraining(const RunSettings& settings)
    : settings_(settings),
      random_(settings.seed),
      environment_(make_environment(Spec(setting("env"), settings.env), settings.seed)),
      actor_(environment_, setting("env")),
      config_(config_of(settings, actor_.horizon())),
      agent_(deep::make_table_agent(Spec(setting("agent"), settings.agent).name(), config_,
                                    actor_.observations(), actor_.actions(),
                                    random_.split("agent"))),
      learner_(std::make_unique<deep::Learner>(config_, *agent_, actor_.observations(),
                                               random_.split("learner"))) {}

bool EpisodeTraining::is_over() const {
  return episodes() >= settings_.episodes ||
         (settings_.stop == StopRule::kSolved && rule_.solved().has_value());
}

EpisodeRow EpisodeTraining::play_and_learn() {
  RandomStream stream = random_.split("play").split(static_cast<std::uint64_t>(episodes() + 1));
  const deep::EpisodeReport played = actor_.play(*agent_, stream);
  EpisodeRow row;
  row.episode_return = played.episode_return;
  row.success = played.success;
  row.sigma = played.sigma;
  row.entropy = played.entropy;
  row.length = std::ssize(actor_.frames());
  rule_.add(row.success);
  learner_->add(actor_.frames());
  learner_->learn();
  frames_ += row.length;
  row.frames = frames_;
  row.learner_frames = learner_->frames();
  row.losses = learner_->losses();
  return row;
}

void EpisodeTraining::archive(Archive& archive) {
  rule_.archive(archive);
  archive(frames_);
  agent_->archive(archive);
  learner_->archive(archive);
}

std::string EpisodeTraining::save() {
  Archive state;
  archive(state);
  return state.bytes();
}

void EpisodeTraining::restore(const std::string& state) {
  Archive saved = Archive::restoring(state);
  archive(saved);
  saved.expect_end();
}

void EpisodeTraining::end(RunFolder& record) { deep::write_policy(record.path(), *agent_); }

}  // namespace vapor
