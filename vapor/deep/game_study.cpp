#include "vapor/deep/game_study.h"

#include <fmt/format.h>

#include <algorithm>

#include "vapor/core/error.h"
#include "vapor/core/spec.h"

namespace vapor::deep {

std::int64_t checkpoint_frames(const GameStudy& study) {
  return std::max<std::int64_t>(20'000, study.frames / 20);
}

std::vector<GameRun> runs_of(const GameStudy& study, const GameStudy::Player& player,
                             const std::string& game, const std::string& out) {
  std::vector<GameRun> runs;
  for (int k = 0; k < study.seeds; ++k) {
    const std::uint64_t seed = study.first_seed + static_cast<std::uint64_t>(k);
    GameRun run;
    run.settings.env = game;
    run.settings.agent = player.spec;
    run.settings.frames = study.frames;
    run.settings.seed = seed;
    run.settings.places = study.places;
    run.settings.actors = study.actors;
    run.settings.checkpoint_frames = checkpoint_frames(study);
    run.folder = fmt::format("{}/{}/{}/frames-{}/seed-{}", out, folder_name(game),
                             folder_name(player.spec), study.frames, seed);
    runs.push_back(run);
  }
  return runs;
}

std::vector<GameRun> runs_of(const GameStudy& study, const std::string& out) {
  std::vector<GameRun> runs;
  for (const std::string& game : study.games)
    for (const GameStudy::Player& player : study.players)
      for (GameRun& run : runs_of(study, player, game, out)) runs.push_back(std::move(run));
  return runs;
}

std::vector<double> score_curve(const RunRecord& record, std::int64_t frames, int windows) {
  const std::span<const double> ended = record.episodes.column("frames");
  const std::span<const double> returns = record.episodes.column("return");
  if (ended.empty())
    throw InputError(record.folder,
                     "no episode ended in this training: it needs more frames, and on one thread "
                     "games begin anew at each checkpoint, so long ones need --actors");
  std::vector<double> sum(static_cast<std::size_t>(windows), 0.0);
  std::vector<int> count(static_cast<std::size_t>(windows), 0);
  for (std::size_t i = 0; i < ended.size(); ++i) {
    const double part = ended[i] / static_cast<double>(frames);
    const int window = std::clamp(static_cast<int>(part * windows), 0, windows - 1);
    sum[window] += returns[i];
    ++count[window];
  }
  const auto first = std::ranges::find_if(count, [](int n) { return n > 0; }) - count.begin();
  double score = sum[first] / count[first];
  std::vector<double> curve;
  for (std::size_t w = 0; w < sum.size(); ++w) {
    if (count[w] > 0) score = sum[w] / count[w];
    curve.push_back(score);
  }
  return curve;
}

}  // namespace vapor::deep
