// build/release/benchmarks/solver_benchmarks [--benchmark_filter=...]
#include <benchmark/benchmark.h>

#include <vector>

#include "vapor/belief/tabular_belief.h"
#include "vapor/core/elementary.h"
#include "vapor/env/deep_sea.h"
#include "vapor/mdp/random_problem.h"
#include "vapor/solver/dense_kernels.h"
#include "vapor/solver/normal_equations.h"
#include "vapor/solver/presolve.h"
#include "vapor/solver/solve.h"

namespace vapor {
namespace {

// A posterior of DeepSea as VAPOR meets it after as many episodes as the depth.
const Problem& deep_sea_posterior(int depth) {
  static std::vector<Problem> cache(1024);
  Problem& problem = cache[depth];
  if (problem.shape.layers() > 0) return problem;
  const Environment sea = deep_sea({.depth = depth, .mapping_seed = 1});
  RandomStream random = RandomStream(1).split("play");
  TabularBelief belief({.shape = sea.shape(), .initial = {1.0}, .repeat = 100.0},
                       paper_transform());
  Solver solver;
  Solution solution;
  for (int episode = 0; episode < depth; ++episode) {
    solution = solver.solve(belief.problem(), solution.policy);
    belief.update(play(sea, solution.policy, random));
  }
  return problem = belief.problem();
}

void solve_cold(benchmark::State& state) {
  const Problem& problem = deep_sea_posterior(static_cast<int>(state.range(0)));
  Solver solver;
  int iterations = 0;
  for (auto _ : state) iterations = solver.solve(problem).iterations;
  state.counters["iterations"] = iterations;
}
BENCHMARK(solve_cold)->Arg(20)->Arg(50)->Arg(100)->Unit(benchmark::kMicrosecond);

void reduce(benchmark::State& state) {
  const Problem& problem = deep_sea_posterior(static_cast<int>(state.range(0)));
  Reduced reduced;
  for (auto _ : state) presolve(problem, reduced);
}
BENCHMARK(reduce)->Arg(50)->Unit(benchmark::kMicrosecond);

void factor(benchmark::State& state) {
  const Problem& problem = deep_sea_posterior(static_cast<int>(state.range(0)));
  BlockFactor block_factor;
  block_factor.reset(problem);
  const std::vector<double> theta(problem.shape.pairs(), 1.0);
  for (auto _ : state) block_factor.factor(theta);
}
BENCHMARK(factor)->Arg(20)->Arg(50)->Arg(100)->Arg(200)->Unit(benchmark::kMicrosecond);

void factor_dense(benchmark::State& state) {
  const auto states = static_cast<Index>(state.range(0));
  const Problem problem = random_problem(
      {.layers = 10, .states = states, .actions = 3, .successors = states}, RandomStream(1));
  BlockFactor block_factor;
  block_factor.reset(problem);
  const std::vector<double> theta(problem.shape.pairs(), 1.0);
  for (auto _ : state) block_factor.factor(theta);
}
BENCHMARK(factor_dense)->Arg(20)->Arg(100)->Unit(benchmark::kMicrosecond);

void apply_factor(benchmark::State& state) {
  const Problem& problem = deep_sea_posterior(static_cast<int>(state.range(0)));
  BlockFactor block_factor;
  block_factor.reset(problem);
  const std::vector<double> theta(problem.shape.pairs(), 1.0);
  std::vector<double> b(problem.shape.states(), 1.0), x(problem.shape.states());
  block_factor.factor(theta);
  for (auto _ : state) block_factor.apply(b, x);
}
BENCHMARK(apply_factor)->Arg(50)->Unit(benchmark::kMicrosecond);

void invert(benchmark::State& state) {
  const int n = static_cast<int>(state.range(0));
  std::vector<double> A(n * n, 0.1), work(n * n), scale(n, 2.0), copy;
  for (int i = 0; i < n; ++i) A[i + i * n] = 2.0 + i;
  for (auto _ : state) {
    copy = A;
    invert_spd(copy.data(), n, n, scale.data(), work.data());
  }
}
BENCHMARK(invert)->Arg(4)->Arg(24)->Arg(52)->Arg(100)->Arg(200)->Unit(benchmark::kMicrosecond);

void logarithms(benchmark::State& state) {
  std::vector<double> x(4096, 0.3), y(4096);
  for (auto _ : state) log_of(x, y);
}
BENCHMARK(logarithms)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace vapor
