#include "vapor/deep/training.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "vapor/core/check.h"
#include "vapor/core/clock.h"
#include "vapor/core/error.h"
#include "vapor/deep/agents.h"
#include "vapor/deep/memory.h"
#include "vapor/deep/policy_file.h"
#include "vapor/deep/training_log.h"
#include "vapor/env/registry.h"

namespace vapor::deep {
namespace {

Config config_of(const TrainingSettings& settings, Index horizon) {
  Spec agent("--agent", settings.agent);
  const Config config = read_config(agent, deep_sea_config("--agent", agent.name(), horizon));
  if (config.network.lstm > 0)
    throw InputError(fmt::format("--agent {}:lstm", agent.name()),
                     "must be 0: only networks on images have one");
  return config;
}

double sum_of(std::span<const double> values) {
  double sum = 0.0;
  for (const double value : values) sum += value;
  return sum;
}

}  // namespace

void validate(const TrainingSettings& settings) {
  constexpr std::int64_t most = 1'000'000'000;
  if (settings.episodes < 1 || settings.episodes > most)
    throw InputError("--episodes", fmt::format("must be 1..{}, got {}", most, settings.episodes));
  const Environment environment = make_environment(Spec("--env", settings.env), settings.seed);
  const Actor actor(environment, "--env");
  if (settings.stop_when_solved && environment.goals.empty())
    throw InputError("--stop-when-solved",
                     fmt::format("asks for a goal, and {} has none", settings.env));
  const Config config = config_of(settings, actor.horizon());
  // Each of three networks has a row for every observation, with Adam's two moments.
  const double row = 3.0 * sizeof(float) * std::max(config.network.hidden, actor.actions());
  expect_memory("--env", "networks with a row for every state", 3.0 * actor.observations() * row,
                "choose a smaller one, or fewer hidden units");
}

RunHeader header_of(const TrainingSettings& settings) {
  RunHeader header;
  header.definition = {{"env", settings.env},
                       {"agent", settings.agent},
                       {"episodes", settings.episodes},
                       {"seed", settings.seed},
                       {"stop", settings.stop_when_solved ? "solved" : "never"}};
  header.command = fmt::format("vapor train --env {} --agent {} --episodes {} --seed {}{}",
                               settings.env, settings.agent, settings.episodes, settings.seed,
                               settings.stop_when_solved ? " --stop-when-solved" : "");
  header.columns = {"episode", "return",  "success",     "frames",     "learner_frames",
                    "sigma",   "entropy", "policy_loss", "value_loss", "reward_loss"};
  return header;
}

TrainingSettings training_settings_of(const std::string& folder, const Definition& definition) {
  try {
    return {.env = definition.at("env"),
            .agent = definition.at("agent"),
            .episodes = definition.at("episodes"),
            .seed = definition.at("seed"),
            .stop_when_solved = definition.at("stop") == "solved"};
  } catch (const nlohmann::json::exception& error) {
    throw InputError(folder + "/run.json",
                     fmt::format("is no run of vapor train: {}", error.what()));
  }
}

void SolvedRule::add(bool success) {
  constexpr std::int64_t kEarliest = 100;
  ++episodes_;
  if (success) ++successes_;
  if (success && first_success_ == 0) first_success_ = episodes_;
  if (solved_ == 0 && episodes_ >= kEarliest && 10 * successes_ >= episodes_) solved_ = episodes_;
}

void SolvedRule::archive(Archive& archive) {
  archive(episodes_), archive(successes_), archive(first_success_), archive(solved_);
}

Training::Training(const TrainingSettings& settings)
    : settings_(settings),
      random_(settings.seed),
      environment_(make_environment(Spec("--env", settings.env), settings.seed)),
      actor_(environment_, "--env"),
      config_(config_of(settings, actor_.horizon())),
      agent_(make_table_agent(Spec("--agent", settings.agent).name(), config_,
                              actor_.observations(), actor_.actions(), random_.split("agent"))),
      learner_(std::make_unique<Learner>(config_, *agent_, actor_.observations(),
                                         random_.split("learner"))) {}

bool Training::is_over() const {
  return rule_.episodes() >= settings_.episodes ||
         (settings_.stop_when_solved && rule_.solved().has_value());
}

TrainingRow Training::play_and_learn() {
  RandomStream play = random_.split("play").split(static_cast<std::uint64_t>(rule_.episodes() + 1));
  TrainingRow row;
  row.episode = actor_.play(*agent_, play);
  row.frames = static_cast<std::int64_t>(actor_.frames().size());
  rule_.add(row.episode.success);
  learner_->add(actor_.frames());
  const std::int64_t before = learner_->frames();
  learner_->learn();
  row.learner_frames = learner_->frames() - before;
  row.losses = learner_->losses();
  frames_ += row.frames;
  return row;
}

void Training::archive(Archive& archive) {
  rule_.archive(archive);
  archive(frames_);
  agent_->archive(archive);
  learner_->archive(archive);
}

std::string Training::save() {
  Archive state;
  archive(state);
  return state.bytes();
}

void Training::restore(const std::string& state) {
  Archive saved = Archive::restoring(state);
  archive(saved);
  saved.expect_end();
}

TrainingEnd train(const TrainingSettings& settings, const std::string& folder,
                  const TrainingOptions& options) {
  RunFolder record(folder, header_of(settings), options.checkpoint);
  if (record.finished()) return TrainingEnd::kWasFinished;
  Training training(settings);
  restore_from(record, training);
  VAPOR_CHECK_EQ(training.rule().episodes(), record.episodes());
  TrainingLog log(folder, training.frames(), training.learner().frames());
  bool going = options.keep_going(training.rule().episodes(), nullptr);
  while (going && !training.is_over()) {
    const auto begin = Clock::now();
    const TrainingRow row = training.play_and_learn();
    const std::array<double, 9> values = {row.episode.episode_return,
                                          row.episode.success ? 1.0 : 0.0,
                                          static_cast<double>(row.frames),
                                          static_cast<double>(row.learner_frames),
                                          row.episode.sigma,
                                          row.episode.entropy,
                                          row.losses.policy,
                                          row.losses.value,
                                          row.losses.reward};
    record.append(values, seconds_since(begin));
    log.add({.frames = training.frames(),
             .learner_frames = training.learner().frames(),
             .episode_return = row.episode.episode_return,
             .length = row.frames,
             .sigma = row.episode.sigma,
             .entropy = row.episode.entropy,
             .losses = row.losses});
    going = options.keep_going(training.rule().episodes(), &row);
    if (!going || record.checkpoint_due()) record.save(training.save());
  }
  write_policy(folder, training.agent());
  if (!training.is_over()) return TrainingEnd::kInterrupted;
  record.finish();
  return TrainingEnd::kFinished;
}

TrainingSummary summarise_training(const RunRecord& record) {
  TrainingSummary summary;
  SolvedRule rule;
  for (const double success : record.episodes.column("success")) rule.add(success != 0.0);
  summary.episodes = rule.episodes();
  summary.first_success = rule.first_success();
  summary.solved = rule.solved();
  if (summary.episodes == 0) return summary;
  summary.mean_return =
      sum_of(record.episodes.column("return")) / static_cast<double>(summary.episodes);
  summary.frames = static_cast<std::int64_t>(sum_of(record.episodes.column("frames")));
  summary.learner_frames =
      static_cast<std::int64_t>(sum_of(record.episodes.column("learner_frames")));
  if (record.timing.rows() > 0) summary.seconds = sum_of(record.timing.column("seconds"));
  if (summary.seconds > 0.0)
    summary.frames_per_second = static_cast<double>(summary.learner_frames) / summary.seconds;
  return summary;
}

}  // namespace vapor::deep
