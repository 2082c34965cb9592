#include "game_findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reproduction.h"
#include "vapor/atari/human_scores.h"
#include "vapor/record/run_summary.h"
#include "vapor/report/statistics.h"

namespace vapor::command {
namespace {

using nlohmann::ordered_json;
using Curve = std::vector<double>;

constexpr int kWindows = 10;

double median_of_games(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : 0.5 * (values[half - 1] + values[half]);
}

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
      curve.push_back(median_of_games(games));
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

AgentCurves curves_of(const deep::GameStudy& study, const deep::GameStudy::Player& player,
                      const std::string& out, const Normalise& normalise) {
  AgentCurves agent{player.name, {}, {}};
  for (const std::string& game : study.games) {
    agent.scores.emplace_back();
    agent.normalised.emplace_back();
    for (const deep::GameRun& run : runs_of(study, player, game, out)) {
      Curve curve = deep::score_curve(read_run(run.folder), study.frames, kWindows);
      agent.scores.back().push_back(curve);
      if (normalise)
        for (double& score : curve) score = normalise(game, score);
      agent.normalised.back().push_back(curve);
    }
  }
  return agent;
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
               number(value));
  }
}

}  // namespace

std::vector<std::string> atari_games(const std::string& list) {
  std::vector<std::string> games;
  if (list == "all") {
    for (const atari::GameScores& game : atari::game_scores())
      games.push_back("atari:game=" + game.game);
    return games;
  }
  for (std::string word : CLI::detail::split(list, ',')) {
    CLI::detail::trim(word);
    games.push_back("atari:game=" + atari::scores_of("--games", word).game);
  }
  return games;
}

double human_normalised(const std::string& game, double score) {
  return atari::human_normalised_score("--games", game.substr(game.find('=') + 1), score);
}

Findings game_findings(const deep::GameStudy& study, const std::string& out,
                       const Normalise& normalise) {
  std::vector<AgentCurves> agents;
  for (const deep::GameStudy::Player& player : study.players)
    agents.push_back(curves_of(study, player, out, normalise));
  Findings findings = {{"frames", study.frames}, {"seeds", study.seeds}};
  findings["first_seed"] = study.first_seed;
  findings["rows"] = ordered_json::array();
  for (std::size_t g = 0; g < study.games.size(); ++g)
    for (const AgentCurves& agent : agents)
      findings["rows"].push_back(row_of(agent, study.games[g], g));
  if (!normalise) {
    for (ordered_json& row : findings["rows"]) row.erase("normalised");
    return findings;
  }
  findings["agents"] = ordered_json::array();
  findings["races"] = ordered_json::array();
  for (const AgentCurves& agent : agents) {
    findings["agents"].push_back(over_games(agent, study.games));
    for (const AgentCurves& rival : agents)
      if (rival.name != agent.name) findings["races"].push_back(race(agent, rival, study.frames));
  }
  return findings;
}

void print_game_findings(const Findings& findings) {
  print_findings_table(
      without(findings, "rows", {"score_by_seed", "curve"}), "rows",
      fmt::format("return over the last tenth of {} frames, {} seeds",
                  whole(findings["frames"].get<std::int64_t>()), findings["seeds"].get<int>()));
  if (!findings.contains("agents")) return;
  print_bars(findings["rows"]);
  print_findings_table(without(findings, "agents", {"curve"}), "agents",
                       "normalised: 0 random play, 1 a person; 95% interval");
  print_findings_table(findings, "races", "frames after which the agent reached the rival's peak");
}

}  // namespace vapor::command
