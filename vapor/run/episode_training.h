// A training in an environment whose states are known by index: an agent plays an episode and
// learns from what is owed for it. One seed is one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "vapor/deep/actor/actor.h"
#include "vapor/deep/config.h"
#include "vapor/deep/learner.h"
#include "vapor/record/solved_rule.h"
#include "vapor/run/player.h"
#include "vapor/run/run_settings.h"

namespace vapor {

// Throws InputError that names the setting; builds nothing that learns.
void check_episode_training(const RunSettings& settings);

class EpisodeTraining final : public Player {
 public:
  explicit EpisodeTraining(const RunSettings& settings);

  std::int64_t episodes() const override { return rule_.episodes(); }
  bool is_over() const override;
  void play(std::vector<EpisodeRow>& rows) override { rows.push_back(play_and_learn()); }
  std::string save() override;
  void restore(const std::string& state) override;
  void end(RunFolder& record) override;
  std::int64_t frames() const override { return frames_; }
  std::int64_t learner_frames() const override { return learner_->frames(); }
  deep::Losses losses() const override { return learner_->losses(); }

  EpisodeRow play_and_learn();

  const SolvedRule& rule() const { return rule_; }
  deep::Learner& learner() { return *learner_; }
  deep::Agent& agent() { return *agent_; }
  const Environment& environment() const { return environment_; }

 private:
  void archive(Archive& archive);

  RunSettings settings_;
  RandomStream random_;
  Environment environment_;
  deep::Actor actor_;
  deep::Config config_;
  std::unique_ptr<deep::Agent> agent_;
  std::unique_ptr<deep::Learner> learner_;
  SolvedRule rule_{kEarliestSolvedByNetworks};
  std::int64_t frames_ = 0;
};

}  // namespace vapor
