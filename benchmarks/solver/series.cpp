#include "series.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "learning_run.h"
#include "vapor/core/clock.h"
#include "vapor/mdp/problem_file.h"
#include "vapor/solver/solve.h"

namespace vapor::benchmark {
namespace {

void keep(const Problem& problem, const std::string& folder, const std::string& name,
          Series& series) {
  series.problems.push_back(problem);
  if (folder.empty()) return;
  series.files.push_back(folder + "/" + name);
  write_problem_file(series.files.back(), problem);
}

}  // namespace

Series consecutive(int depth, int repeat, const std::string& folder) {
  constexpr int kInARow = 11;
  DeepSeaRun sea(contrast(depth, repeat));
  const int first = learning_episodes(depth, repeat) / 2;
  Series series;
  for (int t = 0; t < first + kInARow; ++t) {
    if (t >= first)
      keep(sea.problem(), folder, fmt::format("row-{}-{}-{}.json", depth, repeat, t), series);
    sea.step();
  }
  return series;
}

Series posteriors(int depth, int repeat, int count, const std::string& folder) {
  constexpr int kOfARun = 8;
  const int episodes = learning_episodes(depth, repeat);
  Series series;
  for (std::uint64_t seed = 1; std::ssize(series.problems) < count; ++seed) {
    DeepSeaRunSettings settings = contrast(depth, repeat);
    settings.seed = seed;
    DeepSeaRun sea(settings);
    for (int t = 1; t <= episodes && std::ssize(series.problems) < count; ++t) {
      sea.step();
      if (t % (episodes / kOfARun) == 0)
        keep(sea.problem(), folder, fmt::format("many-{}.json", series.problems.size()), series);
    }
  }
  return series;
}

double warm_mean(std::span<const Problem> problems, double tolerance) {
  Solver solver({.tolerance = tolerance});
  double best = std::numeric_limits<double>::infinity();
  for (int go = 0; go < 3; ++go) {  // other work on the machine only ever adds
    Solution last = solver.solve(problems.front());
    double total = 0.0;
    for (const Problem& problem : problems.subspan(1)) {
      last = solver.solve(problem, last);
      total += last.seconds;
    }
    best = std::min(best, total / static_cast<double>(problems.size() - 1));
  }
  return best;
}

double batch_seconds(std::span<const Problem> problems, double tolerance) {
  Solver solver({.tolerance = tolerance});
  double best = std::numeric_limits<double>::infinity();
  for (int go = 0; go < 2; ++go) {
    const auto begin = Clock::now();
    for (const Problem& problem : problems) solver.solve(problem);
    best = std::min(best, seconds_since(begin));
  }
  return best;
}

double mean_seconds(std::span<const Problem> problems,
                    const std::function<void(const Problem&)>& act) {
  double best = std::numeric_limits<double>::infinity();
  for (int go = 0; go < 3; ++go) {
    const auto begin = Clock::now();
    for (const Problem& problem : problems) act(problem);
    best = std::min(best, seconds_since(begin) / static_cast<double>(problems.size()));
  }
  return best;
}

}  // namespace vapor::benchmark
