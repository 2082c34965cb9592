// build/release/benchmarks/belief_benchmarks [--benchmark_filter=...]
#include <benchmark/benchmark.h>

#include <vector>

#include "vapor/belief/tabular_belief.h"
#include "vapor/env/deep_sea.h"
#include "vapor/mdp/policy.h"

namespace vapor {
namespace {

// A belief about DeepSea after some episodes of a random policy.
TabularBelief deep_sea_belief(const Environment& sea, int episodes, SigmaTransform transform) {
  TabularBelief belief({.shape = sea.shape(), .initial = {1.0}, .repeat = 100.0},
                       std::move(transform));
  RandomStream random = RandomStream(1).split("play");
  for (int i = 0; i < episodes; ++i) belief.update(play(sea, uniform_policy(sea.shape()), random));
  return belief;
}

// Thompson sampling: arguments are the depth and the episodes seen.
void sample_policy(benchmark::State& state) {
  const Environment sea =
      deep_sea({.depth = static_cast<Index>(state.range(0)), .mapping_seed = 1});
  TabularBelief belief = deep_sea_belief(sea, static_cast<int>(state.range(1)), paper_transform());
  std::vector<double> policy(sea.shape().pairs());
  RandomStream random(3);
  for (auto _ : state) benchmark::DoNotOptimize(belief.sample_optimal_policy(random, policy));
}
BENCHMARK(sample_policy)
    ->Args({20, 0})
    ->Args({50, 0})
    ->Args({50, 500})
    ->Args({100, 0})
    ->Args({100, 1000})
    ->Args({200, 0})
    ->Unit(benchmark::kMicrosecond);

// One episode more: what it changes of the problem.
void update_problem(benchmark::State& state) {
  const Environment sea =
      deep_sea({.depth = static_cast<Index>(state.range(0)), .mapping_seed = 1});
  TabularBelief belief = deep_sea_belief(sea, static_cast<int>(state.range(1)), paper_transform());
  RandomStream random = RandomStream(2).split("play");
  std::vector<Episode> episodes;
  for (int i = 0; i < 1000; ++i) episodes.push_back(play(sea, uniform_policy(sea.shape()), random));
  std::size_t i = 0;
  for (auto _ : state) {
    belief.update(episodes[i++ % episodes.size()]);
    benchmark::DoNotOptimize(belief.problem().sigma.data());
  }
}
BENCHMARK(update_problem)
    ->Args({50, 0})
    ->Args({100, 0})
    ->Args({100, 1000})
    ->Unit(benchmark::kMicrosecond);

// The whole problem from the counts, as after a checkpoint.
void rebuild_problem(benchmark::State& state) {
  const Environment sea =
      deep_sea({.depth = static_cast<Index>(state.range(0)), .mapping_seed = 1});
  TabularBelief belief = deep_sea_belief(sea, static_cast<int>(state.range(1)), paper_transform());
  Archive saved;
  belief.archive(saved);
  for (auto _ : state) {
    Archive archive = Archive::restoring(saved.bytes());
    belief.archive(archive);
    benchmark::DoNotOptimize(belief.problem().sigma.data());
  }
}
BENCHMARK(rebuild_problem)->Args({50, 500})->Args({100, 1000})->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace vapor
