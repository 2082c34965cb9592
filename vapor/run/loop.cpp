#include "vapor/run/loop.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <optional>
#include <utility>

#include "vapor/core/check.h"
#include "vapor/core/clock.h"
#include "vapor/core/error.h"
#include "vapor/deep/actor/actor_threads.h"
#include "vapor/run/episode_training.h"
#include "vapor/run/frame_training.h"
#include "vapor/run/table_run.h"
#include "vapor/run/training_log.h"

namespace vapor {
namespace {

// Where the player and the record stand, for whoever watches.
class Watched {
 public:
  explicit Watched(const Player& player)
      : player_(player),
        frames_before_(player.frames()),
        learner_frames_before_(player.learner_frames()) {
    update(0.0);
  }

  const RunProgress& progress() const { return progress_; }

  void add(const EpisodeRow& row) {
    progress_.last = row;
    if (row.success) ++progress_.successes;
    recent_.push_back(row);
    count(row, 1.0);
    if (recent_.size() > kRecent) {
      count(recent_.front(), -1.0);
      recent_.pop_front();
    }
    const auto n = static_cast<double>(recent_.size());
    progress_.mean_return = sums_[0] / n;
    progress_.mean_length = sums_[1] / n;
    progress_.mean_sigma = sums_[2] / n;
    progress_.mean_entropy = sums_[3] / n;
  }

  void update(double seconds) {
    progress_.seconds += seconds;
    progress_.episodes = player_.episodes();
    progress_.frames = player_.frames();
    progress_.learner_frames = player_.learner_frames();
    progress_.losses = player_.losses();
    progress_.environments_lost = player_.environments_lost();
    progress_.frames_lost = player_.frames_lost();
    const auto rate = [&](std::int64_t frames) {
      return progress_.seconds > 0.0 ? static_cast<double>(frames) / progress_.seconds : 0.0;
    };
    progress_.frames_per_second = rate(progress_.frames - frames_before_);
    progress_.learner_frames_per_second = rate(progress_.learner_frames - learner_frames_before_);
  }

 private:
  static constexpr std::size_t kRecent = 100;

  void count(const EpisodeRow& row, double sign) {
    sums_[0] += sign * row.episode_return;
    sums_[1] += sign * static_cast<double>(row.length);
    sums_[2] += sign * row.sigma;
    sums_[3] += sign * row.entropy;
  }

  const Player& player_;
  std::int64_t frames_before_;
  std::int64_t learner_frames_before_;
  RunProgress progress_;
  std::deque<EpisodeRow> recent_;
  std::array<double, 4> sums_{};  // over the recent ones
};

void restore_from(const RunFolder& record, Player& player) {
  if (!record.state().empty()) {
    try {
      player.restore(record.state());
    } catch (const InputError&) {
      throw InputError(record.path() + "/checkpoint",
                       "is of another build; delete it to run from the start");
    }
  }
  VAPOR_CHECK_EQ(player.episodes(), record.episodes());
}

// Rows go to the record and to the log. A row that ends a round has the time of all of it.
class RowWriter {
 public:
  RowWriter(const RunPlan& plan, RunFolder& record, const Player& player)
      : record_(record),
        columns_(columns_named(std::span(plan.header.columns).subspan(1))),
        values_(columns_.size()) {
    if (plan.logs) log_.emplace(record.path(), player.frames(), player.learner_frames());
  }

  void write(const EpisodeRow& row, double seconds) {
    std::ranges::transform(columns_, values_.begin(),
                           [&](const EpisodeColumn& column) { return column.of(row); });
    record_.append(values_, seconds);
    if (log_) log_->add(row);
  }

 private:
  RunFolder& record_;
  std::vector<EpisodeColumn> columns_;
  std::vector<double> values_;
  std::optional<TrainingLog> log_;
};

RunEnd go_on(const RunPlan& plan, const std::string& folder, const LoopOptions& options) {
  // What is wrong with the settings comes to light before there is a folder that has them.
  std::unique_ptr<Player> player;
  const std::optional<RunFile> there = expect_room_for(folder, plan.header.definition);
  if (!there || !there->finished)
    player = plan.make_player(there ? there->definition : plan.header.definition);
  RunFolder record(folder, plan.header, options.checkpoint);
  if (record.finished()) return RunEnd::kWasFinished;
  for (const std::string& line : record.mended()) options.say(line);
  restore_from(record, *player);
  player->begin(record);
  RowWriter writer(plan, record, *player);
  Watched watched(*player);
  std::vector<EpisodeRow> rows;
  double seconds = 0.0;  // since the last row
  bool going = options.keep_going(watched.progress());
  while (going && !player->is_over()) {
    rows.clear();
    const auto begin = Clock::now();
    player->play(rows);
    const double played = seconds_since(begin);
    seconds += played;
    for (const EpisodeRow& row : rows) {
      watched.add(row);
      writer.write(row, std::exchange(seconds, 0.0));
    }
    watched.update(played);
    going = options.keep_going(watched.progress());
    if (player->saves_now(record.checkpoint_due(), !going)) record.save(player->save());
  }
  player->end(record);
  if (!player->is_over()) return RunEnd::kInterrupted;
  record.finish();
  return RunEnd::kFinished;
}

}  // namespace

const char* name_of(RunEnd end) {
  switch (end) {
    case RunEnd::kFinished:
      return "finished";
    case RunEnd::kWasFinished:
      return "was_finished";
    case RunEnd::kInterrupted:
      return "interrupted";
  }
  return "";
}

RunPlan plan_of(const RunSettings& settings) {
  if (settings.by_frames) return plan_of(settings, parts_of(settings.env));
  RunPlan plan;
  plan.header = header_of(settings);
  plan.logs = settings.kind == RunKind::kNetwork;
  plan.make_player = [settings](const Definition& definition) -> std::unique_ptr<Player> {
    if (settings.kind != RunKind::kTable) return std::make_unique<EpisodeTraining>(settings);
    RunSettings begun = settings;
    if (!definition.contains("tolerance")) begun.tolerance.reset();
    return std::make_unique<TableRun>(begun);
  };
  return plan;
}

RunPlan plan_of(const RunSettings& settings, const TrainingParts& parts) {
  RunPlan plan;
  plan.header = header_of(settings);
  if (!parts.command.empty()) plan.header.command = parts.command;
  plan.logs = true;
  plan.goes_back_for_lost_environments = settings.by_frames->actors == 0;
  const deep::Config config = check_frame_training(settings, parts);
  parts.expect_networks();
  plan.make_player = [settings, config, parts](const Definition&) {
    return make_frame_player(settings, config, parts);
  };
  return plan;
}

RunEnd make_run(const RunPlan& plan, const std::string& folder, const LoopOptions& options) {
  if (!plan.goes_back_for_lost_environments) return go_on(plan, folder, options);
  std::int64_t furthest = -1;
  std::int64_t lost = 0;
  for (int losses = 0;;) {
    LoopOptions watched = options;
    std::int64_t frames = 0;
    watched.keep_going = [&](RunProgress progress) {
      frames = progress.frames;
      progress.environments_lost += lost;
      return options.keep_going(progress);
    };
    try {
      return go_on(plan, folder, watched);
    } catch (const EnvironmentLost& loss) {
      ++lost;
      if (frames > std::exchange(furthest, std::max(furthest, frames))) losses = 0;
      if (++losses > deep::kMostLosses)
        throw EnvironmentLost(
            fmt::format("the environments were lost {} times at one point, frame {}; the last "
                        "time: {}",
                        losses, frames, loss.what()));
    }
  }
}

}  // namespace vapor
