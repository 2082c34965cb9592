#include "vapor/run/table_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "vapor/agent/registry.h"
#include "vapor/core/archive.h"
#include "vapor/core/error.h"
#include "vapor/env/registry.h"
#include "vapor/env/stationary_pair.h"
#include "vapor/mdp/backward_induction.h"
#include "vapor/mdp/constrained_plan.h"
#include "vapor/mdp/policy.h"
#include "vapor/run/beliefs.h"
#include "vapor/run/snapshot.h"

namespace vapor {
namespace {

// V* of the start, over the policies within the budget if there is one.
double optimal_value(const Environment& environment) {
  const Problem& model = environment.model;
  if (environment.cost)
    return constrained_optimum(model, environment.cost->of_pair, environment.cost->budget).value;
  const OptimalValues optimal = backward_induction(model, model.reward_mean);
  return std::inner_product(model.initial.begin(), model.initial.end(), optimal.V.begin(), 0.0);
}

// By state: whether some policy arrives there.
std::vector<char> reachable_states(const Problem& model) {
  std::vector<char> reachable(model.shape.states(), 0);
  for (Index s : model.shape.states_of(0)) reachable[s] = model.initial[s] > 0.0;
  for (Index layer = 0; layer + 1 < model.shape.layers(); ++layer)
    for (Index s : model.shape.states_of(layer))
      for (Index p : model.shape.pairs_of(s)) {
        if (!reachable[s]) continue;
        const Transitions& t = model.transitions;
        for (Offset k = t.begin[p]; k < t.begin[p + 1]; ++k)
          if (t.probability[k] > 0.0) reachable[t.next_state[k]] = 1;
        if (t.base_weight[p] > 0.0)
          for (Index next : model.shape.states_of(layer + 1))
            if (t.base[next] > 0.0) reachable[next] = 1;
      }
  return reachable;
}

std::vector<char> reachable_stationary_pairs(const Problem& model,
                                             std::span<const Index> stationary_pair) {
  const std::vector<char> states = reachable_states(model);
  const Index count = *std::max_element(stationary_pair.begin(), stationary_pair.end()) + 1;
  std::vector<char> reachable(count, 0);
  for (Index s = 0; s < model.shape.states(); ++s)
    for (Index p : model.shape.pairs_of(s))
      if (states[s]) reachable[stationary_pair[p]] = 1;
  return reachable;
}

}  // namespace

TableRun::TableRun(const RunSettings& settings)
    : settings_(settings),
      environment_(make_environment(Spec(setting("env"), settings.env), settings.seed)),
      play_stream_(RandomStream(settings.seed).split("play")),
      agent_stream_(RandomStream(settings.seed).split("agent")),
      optimal_value_(optimal_value(environment_)),
      stationary_pair_(stationary_pair(environment_)),
      untried_(reachable_stationary_pairs(environment_.model, stationary_pair_)),
      untried_count_(std::count(untried_.begin(), untried_.end(), 1)),
      visits_(environment_.shape().pairs(), 0),
      occupancy_(environment_.shape().pairs()),
      mass_(environment_.shape().states()) {
  const Spec belief(setting("belief"), settings.belief);
  agent_ = make_agent(Spec(setting("agent"), agent_spec(settings)),
                      make_belief(belief, environment_), {}, environment_.cost);
  if (settings.snapshot_every > 0) belief_ = make_belief(belief, environment_);
}

bool TableRun::is_over() const { return episodes() >= settings_.episodes || stop_rule_holds(); }

bool TableRun::stop_rule_holds() const {
  switch (settings_.stop) {
    case StopRule::kNever:
      return false;
    case StopRule::kSolved:
      return rule_.solved().has_value();
    case StopRule::kCovered:
      return untried_count_ == 0;
  }
  return false;
}

void TableRun::choose_policy() { policy_ = agent_->policy(agent_stream_.split(episodes() + 1)); }

EpisodeRow TableRun::play_episode() {
  EpisodeRow row;
  row.value = value_of_policy();
  row.regret = std::max(0.0, optimal_value_ - row.value);  // less is rounding, or a violation
  if (environment_.cost) {
    const std::vector<double>& cost = environment_.cost->of_pair;
    row.expected_cost = std::inner_product(occupancy_.begin(), occupancy_.end(), cost.begin(), 0.0);
    row.violation = std::max(0.0, row.expected_cost - environment_.cost->budget);
  }
  RandomStream random = play_stream_.split(episodes() + 1);
  const Episode episode = vapor::play(environment_, policy_, random);
  for (const Step& step : episode) {
    row.episode_return += step.reward;
    row.cost += step.cost;
  }
  row.length = static_cast<std::int64_t>(episode.size());
  row.success = reached_goal(environment_, episode);

  agent_->observe(episode);
  if (belief_) belief_->update(episode);
  for (const Step& step : episode) {
    ++visits_[step.pair];
    mark_tried(step.pair);
  }
  rule_.add(row.success);
  return row;
}

void TableRun::mark_tried(Index pair) {
  char& untried = untried_[stationary_pair_[pair]];
  untried_count_ -= untried;
  untried = 0;
}

double TableRun::value_of_policy() {
  forward_flow(environment_.model, policy_, occupancy_, mass_);
  const std::vector<double>& reward = environment_.model.reward_mean;
  return std::inner_product(occupancy_.begin(), occupancy_.end(), reward.begin(), 0.0);
}

void TableRun::play(std::vector<EpisodeRow>& rows) {
  choose_policy();
  if (settings_.snapshot_every > 0 && episodes() % settings_.snapshot_every == 0)
    write_snapshot(*record_);
  rows.push_back(play_episode());
}

// One more snapshot, of what all episodes have taught.
void TableRun::end(RunFolder& record) {
  if (settings_.snapshot_every == 0 || !is_over()) return;
  choose_policy();
  write_snapshot(record);
}

void TableRun::write_snapshot(RunFolder& record) {
  if (episodes() == 0) record.write_snapshot("drawing.json", drawing());
  record.write_snapshot(fmt::format("{:09}.json", episodes()), snapshot());
}

std::string TableRun::snapshot() {
  return snapshot_text(
      {episodes(), belief_->problem(), policy_, visits_, agent_->charges(), agent_->solution()});
}

std::string TableRun::drawing() const { return drawing_text(environment_); }

std::string TableRun::save() {
  Archive state;
  archive(state);
  return state.bytes();
}

void TableRun::restore(const std::string& state) {
  Archive from = Archive::restoring(state);
  archive(from);
  from.expect_end();
  if (visits_.size() != static_cast<std::size_t>(environment_.shape().pairs()))
    throw InputError("checkpoint", "is of another shape");
  for (Index p = 0; p < environment_.shape().pairs(); ++p)
    if (visits_[p] > 0) mark_tried(p);
}

void TableRun::archive(Archive& archive) {
  rule_.archive_counts(archive);
  archive(visits_);
  agent_->archive(archive);
  if (belief_) belief_->archive(archive);
}

}  // namespace vapor
