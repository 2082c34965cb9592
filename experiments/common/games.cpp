#include "experiments/common/games.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "experiments/common/printing.h"
#include "vapor/atari/human_scores.h"
#include "vapor/core/error.h"
#include "vapor/record/run_summary.h"
#include "vapor/report/statistics.h"

namespace vapor::experiments {
namespace {

using Curve = std::vector<double>;

constexpr int kWindows = 10;

Curve mean_of(const std::vector<Curve>& curves) {
  Curve mean(kWindows, 0.0);
  for (const Curve& curve : curves)
    for (int w = 0; w < kWindows; ++w) mean[w] += curve[w] / static_cast<double>(curves.size());
  return mean;
}

// An agent in all games, by game and seed.
struct AgentCurves {
  std::string name;
  std::vector<std::vector<Curve>> scores;      // as they are
  std::vector<std::vector<Curve>> normalised;  // on the common scale

  // The median over the games of the mean over the seeds, by window.
  Curve median_curve() const {
    Curve curve;
    for (int w = 0; w < kWindows; ++w) {
      std::vector<double> games;
      for (const std::vector<Curve>& seeds : normalised) games.push_back(mean_of(seeds)[w]);
      curve.push_back(median(games));
    }
    return curve;
  }

  // At the end, by game and seed.
  std::vector<std::vector<double>> last() const {
    std::vector<std::vector<double>> all;
    for (const std::vector<Curve>& seeds : normalised) {
      all.emplace_back();
      for (const Curve& curve : seeds) all.back().push_back(curve.back());
    }
    return all;
  }
};

// By agent, and in each by game, in the order of the cells.
std::vector<AgentCurves> curves_of(const std::vector<Cell>& cells, const CellKey& name_of,
                                   const Normalise& normalise) {
  std::vector<AgentCurves> agents;
  for (const Cell& cell : sorted_by(cells, {name_of})) {
    if (agents.empty() || agents.back().name != name_of(cell))
      agents.push_back({name_of(cell), {}, {}});
    AgentCurves& agent = agents.back();
    agent.scores.emplace_back();
    agent.normalised.emplace_back();
    for (const RunRecord& record : cell.records()) {
      Curve curve = score_curve(record, cell.cap, kWindows);
      agent.scores.back().push_back(curve);
      if (normalise)
        for (double& score : curve) score = normalise(cell.env(), score);
      agent.normalised.back().push_back(curve);
    }
  }
  return agents;
}

ordered_json row_of(const AgentCurves& agent, const std::string& game, std::size_t index) {
  std::vector<double> by_seed;
  std::vector<double> normalised;
  for (const Curve& curve : agent.scores[index]) by_seed.push_back(curve.back());
  for (const Curve& curve : agent.normalised[index]) normalised.push_back(curve.back());
  const MeanAndError score = mean_and_error(by_seed);
  return {{"game", game},
          {"agent", agent.name},
          {"score", score.mean},
          {"score_se", score.standard_error},
          {"normalised", mean_and_error(normalised).mean},
          {"score_by_seed", by_seed},
          {"curve", mean_of(agent.scores[index])}};
}

ordered_json over_games(const AgentCurves& agent, const std::vector<std::string>& games) {
  const Scores scores(agent.name, games, agent.last());
  const auto statistic = [](const Scores& s) { return interquartile_mean(s); };
  const Interval interval = bootstrap(scores, statistic);
  const Curve curve = agent.median_curve();
  return {{"agent", agent.name},
          {"median", curve.back()},
          {"interquartile_mean", interquartile_mean(scores)},
          {"low", interval.low},
          {"high", interval.high},
          {"peak_of_median", *std::ranges::max_element(curve)},
          {"curve", curve}};
}

ordered_json race(const AgentCurves& agent, const AgentCurves& rival, std::int64_t frames) {
  const Curve mine = agent.median_curve();
  const Curve theirs = rival.median_curve();
  const double peak = *std::ranges::max_element(theirs);
  const auto reached = std::ranges::find_if(mine, [&](double score) { return score >= peak; });
  const auto end_of = [&](std::ptrdiff_t window) { return frames * (window + 1) / kWindows; };
  const auto of_rival = std::ranges::max_element(theirs) - theirs.begin();
  ordered_json row = {{"agent", agent.name},
                      {"rival", rival.name},
                      {"frames_of_rival", end_of(of_rival)},
                      {"frames", nullptr}};
  if (reached != mine.end()) row["frames"] = end_of(reached - mine.begin());
  return row;
}

// A line a game and agent, its bar from the least to the most of all normalised scores.
void print_bars(const ordered_json& rows) {
  constexpr double kWidth = 40.0;
  double low = 0.0;
  double high = 0.0;
  for (const ordered_json& row : rows) {
    low = std::min(low, row["normalised"].get<double>());
    high = std::max(high, row["normalised"].get<double>());
  }
  std::string game;
  for (const ordered_json& row : rows) {
    if (row["game"] != game) fmt::print("  {}\n", bold(game = row["game"].get<std::string>()));
    const double value = row["normalised"].get<double>();
    const double part = high > low ? (value - low) / (high - low) : 0.0;
    fmt::print("    {:<24} {:<40} {}\n", row["agent"].get<std::string>(),
               std::string(static_cast<std::size_t>(std::lround(kWidth * part)), '#'),
               command::number(value));
  }
}

// "pong, breakout"
std::vector<std::string> split_words(const std::string& text) {
  std::vector<std::string> words = {""};
  for (const char c : text)
    if (c == ',')
      words.emplace_back();
    else if (c != ' ')
      words.back() += c;
  return words;
}

}  // namespace

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

double human_normalised(const std::string& game, double score) {
  return vapor::atari::human_normalised_score("--games", game.substr(game.find('=') + 1), score);
}

Findings game_findings(const Study& study, const std::vector<Cell>& cells, const CellKey& name_of,
                       const Normalise& normalise) {
  const std::vector<AgentCurves> agents = curves_of(cells, name_of, normalise);
  std::vector<std::string> games;
  for (const Cell& cell : sorted_by(cells, {&Cell::env}))
    if (games.empty() || games.back() != cell.env()) games.push_back(cell.env());
  const std::int64_t frames = cells.front().cap;
  Findings findings = {{"frames", frames}, {"seeds", cells.front().seeds()}};
  findings["first_seed"] = first_seed(study);
  findings["rows"] = ordered_json::array();
  for (std::size_t i = 0; i < games.size(); ++i)
    for (const AgentCurves& agent : agents) findings["rows"].push_back(row_of(agent, games[i], i));
  if (!normalise) {
    for (ordered_json& row : findings["rows"]) row.erase("normalised");
    return findings;
  }
  findings["agents"] = ordered_json::array();
  findings["races"] = ordered_json::array();
  for (const AgentCurves& agent : agents) {
    findings["agents"].push_back(over_games(agent, games));
    for (const AgentCurves& rival : agents)
      if (rival.name != agent.name) findings["races"].push_back(race(agent, rival, frames));
  }
  return findings;
}

Option games_option(const std::string& help) {
  const auto apply = [](Study& study, const std::string& text) {
    std::vector<std::string> games;
    if (text == "all") {
      for (const vapor::atari::GameScores& game : vapor::atari::game_scores())
        games.push_back(game.game);
    } else {
      for (const std::string& word : split_words(text))
        games.push_back(vapor::atari::scores_of("--games", word).game);
    }
    for (SweepTable& table : study.tables) {
      if (!table.request.frames) continue;
      table.envs = {{"atari:game={game}", "--games"}};
      table.vary["game"] = games;
    }
  };
  const auto otherwise = [](const Tables& tables) {
    return fmt::format("{}", fmt::join(tables.front().vary.at("game"), ", "));
  };
  return {"--games", "LIST", help, apply, otherwise};
}

void print_games(const Findings& findings) {
  print_findings(findings, "rows",
                 fmt::format("return over the last tenth of {} frames, {} seeds",
                             command::whole(findings["frames"].get<std::int64_t>()),
                             findings["seeds"].get<int>()),
                 {"score_by_seed", "curve"});
  if (!findings.contains("agents")) return;
  print_bars(findings["rows"]);
  print_findings(findings, "agents", "normalised: 0 random play, 1 a person; 95% interval",
                 {"curve"});
  print_findings(findings, "races", "frames after which the agent reached the rival's peak");
}

}  // namespace vapor::experiments
