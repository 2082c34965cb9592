#include "learning_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "vapor/mdp/problem_file.h"
#include "vapor/solver/solve.h"

namespace vapor::benchmark {

DeepSeaRunSettings contrast(int depth, int repeat) {
  DeepSeaRunSettings settings;
  settings.depth = depth;
  settings.repeat = repeat;
  if (repeat > 100) {
    settings.transform = "reward-only";
    settings.variance_scale = 0.03;
  }
  return settings;
}

int learning_episodes(int depth, int repeat) { return repeat > 100 ? 4 * depth : 3 * depth; }

LearningRun learn(int depth, int repeat, const std::string& folder, int samples,
                  const std::function<void(int)>& progress) {
  LearningRun run;
  run.depth = depth;
  run.repeat = repeat;
  run.episodes = learning_episodes(depth, repeat);
  DeepSeaRun sea(contrast(depth, repeat));
  Solver cold;
  const auto save = [&](const std::string& name) {
    const std::string file = fmt::format("{}/{}-{}-{}.json", folder, depth, repeat, name);
    write_problem_file(file, sea.problem());
    return file;
  };
  const std::vector<std::pair<int, const char*>> stages = {
      {run.episodes / 10, "early"}, {run.episodes / 2, "middle"}, {run.episodes - 1, "late"}};
  for (int t = 0; t < run.episodes; ++t) {
    progress(t);
    for (const auto& [episode, name] : stages)
      if (t == episode) run.stage_files.push_back(save(name));
    if (samples > 0 && t % std::max(1, run.episodes / samples) == run.episodes / samples / 2)
      run.sample_files.push_back(save(fmt::format("episode-{}", t)));
    if (t % 10 == 0) {
      const Solution solution = cold.solve(sea.problem());
      run.cold_iterations.push_back(solution.iterations);
      run.failures += solution.status != Status::kSolved;
    }
    const Solution& solution = sea.step();
    run.failures += solution.status != Status::kSolved;
    if (t == 0) continue;  // nothing to be warm from
    run.warm_seconds.push_back(solution.seconds);
    run.warm_iterations.push_back(solution.iterations);
  }
  return run;
}

}  // namespace vapor::benchmark
