// A run of an agent that keeps a belief: one agent in one environment, an episode at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "vapor/agent/agent.h"
#include "vapor/belief/belief.h"
#include "vapor/env/environment.h"
#include "vapor/record/solved_rule.h"
#include "vapor/run/player.h"
#include "vapor/run/run_settings.h"

namespace vapor {

class TableRun final : public Player {
 public:
  // The settings are complete. Episode t draws from streams that depend on the seed and on t alone.
  explicit TableRun(const RunSettings& settings);

  bool is_over() const override;
  std::int64_t episodes() const override { return rule_.episodes(); }
  void play(std::vector<EpisodeRow>& rows) override;
  std::string save() override;
  void restore(const std::string& state) override;
  void begin(RunFolder& record) override { record_ = &record; }
  void end(RunFolder& record) override;

  // The next episode, in two steps: its policy, and what comes of it.
  void choose_policy();
  EpisodeRow play_episode();

  std::string snapshot();       // of what the agent thinks, its policy having been chosen
  std::string drawing() const;  // of the environment

 private:
  bool stop_rule_holds() const;
  void mark_tried(Index pair);
  double value_of_policy();
  void archive(Archive& archive);
  void write_snapshot(RunFolder& record);

  RunSettings settings_;
  Environment environment_;
  RandomStream play_stream_;
  RandomStream agent_stream_;
  double optimal_value_ = 0.0;          // V* of the start
  std::vector<Index> stationary_pair_;  // by pair
  std::vector<char> untried_;           // by stationary pair: can be reached, and was not
  std::int64_t untried_count_ = 0;
  std::unique_ptr<Agent> agent_;
  std::unique_ptr<Belief> belief_;  // a copy of the agent's for snapshots; null without them
  std::span<const double> policy_;  // of the next episode

  RunFolder* record_ = nullptr;  // that takes the snapshots

  SolvedRule rule_;
  std::vector<std::int64_t> visits_;  // by pair
  std::vector<double> occupancy_;     // room for value_of_policy()
  std::vector<double> mass_;
};

}  // namespace vapor
