// Once a solver has solved one problem of a shape, an iteration of the next solve allocates
// nothing. This program counts every call that can allocate, from wherever it comes, by standing in
// front of the C library's; it cannot be built with the address sanitiser, which does the same.
#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <vector>

#include "vapor/belief/tabular_belief.h"
#include "vapor/core/error.h"
#include "vapor/env/deep_sea.h"
#include "vapor/mdp/policy.h"
#include "vapor/mdp/random_problem.h"
#include "vapor/run/episode_training.h"
#include "vapor/solver/memory.h"
#include "vapor/solver/solve.h"

namespace {
std::atomic<long> allocations = 0;
std::atomic<long> bytes = 0;  // that stand
std::atomic<long> most_bytes = 0;

void* counted_block(void* block) {
  ++allocations;
  bytes += static_cast<long>(malloc_usable_size(block));
  if (bytes > most_bytes) most_bytes = bytes.load();
  return block;
}
void uncount(void* block) { bytes -= static_cast<long>(malloc_usable_size(block)); }
}  // namespace

extern "C" {

void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* block, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
void __libc_free(void* block);

void* malloc(std::size_t size) { return counted_block(__libc_malloc(size)); }
void* calloc(std::size_t count, std::size_t size) {
  return counted_block(__libc_calloc(count, size));
}
void* realloc(void* block, std::size_t size) {
  uncount(block);
  return counted_block(__libc_realloc(block, size));
}
void* memalign(std::size_t alignment, std::size_t size) {
  return counted_block(__libc_memalign(alignment, size));
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  return counted_block(__libc_memalign(alignment, size));
}
void free(void* block) {
  uncount(block);
  __libc_free(block);
}
int posix_memalign(void** block, std::size_t alignment, std::size_t size) {
  *block = counted_block(__libc_memalign(alignment, size));
  return *block == nullptr ? ENOMEM : 0;
}

}  // extern "C"

namespace vapor {
namespace {

Problem deep_sea_posterior() {
  const Environment sea = deep_sea({.depth = 12, .mapping_seed = 1});
  TabularBelief belief({.shape = sea.shape(), .initial = {1.0}, .repeat = 100.0},
                       paper_transform());
  RandomStream random(2);
  for (int i = 0; i < 20; ++i) belief.update(play(sea, uniform_policy(sea.shape()), random));
  return belief.problem();
}

Problem dense_problem() {
  RandomProblemSettings settings;
  settings.layers = 6;
  settings.states = 30;
  settings.successors = 30;
  settings.sigma_min = 1e-4;
  return random_problem(settings, RandomStream(3));
}

struct Counted {
  long inside_iterations = 0;  // between the first report of progress and the last
  long whole_solve = 0;
  Solution solution;
};

// The second of two solves of one problem by one solver.
Counted second_solve(const Problem& problem, Settings settings) {
  std::array<long, 1000> count{};  // by iteration
  settings.progress = [&count](const Progress& p) {
    count[std::min<std::size_t>(p.iteration, count.size() - 1)] = allocations;
    return true;
  };
  Solver solver(settings);
  solver.solve(problem);
  const long before = allocations;
  Counted counted;
  counted.solution = solver.solve(problem);
  counted.whole_solve = allocations - before;
  counted.inside_iterations = count[counted.solution.iterations] - count[0];
  return counted;
}

void allocates_nothing_inside(const Problem& problem, const Settings& settings) {
  const Counted counted = second_solve(problem, settings);
  EXPECT_EQ(counted.solution.status, Status::kSolved);
  EXPECT_GE(counted.solution.iterations, 3);
  EXPECT_EQ(counted.inside_iterations, 0);
  // The result itself is allocated: the count is not deaf.
  EXPECT_GT(counted.whole_solve, 0);
}

// What a solve takes at its height, the problem included.
double peak_of(const Problem& problem, const Settings& settings) {
  const long before = bytes;
  most_bytes = before;
  const Solution solution = solve(problem, settings);
  return bytes_of(problem) + static_cast<double>(most_bytes - before);
}

// The least memory, to a tenth, that a solve is not refused with.
double least_memory(const Problem& problem, Settings settings) {
  for (settings.max_memory = 1000.0;; settings.max_memory *= 1.1) {
    try {
      solve(problem, settings);
      return settings.max_memory;
    } catch (const InputError& refusal) {
      EXPECT_EQ(refusal.place(), "max_memory");
    }
  }
}

// A solve that is not refused stays below its limit, and the limit asks for no more than 2.5 times
// what a solve takes.
TEST(Memory, OfASolveIsKnownBeforehand) {
  std::vector<Problem> problems = {deep_sea_posterior(), dense_problem()};
  for (const Index states : {3, 40})
    problems.push_back(random_problem(
        {.layers = 20, .states = states, .actions = 4, .successors = 3, .base_weight = 0.2},
        RandomStream(5)));
  for (std::size_t i = 0; i < problems.size(); ++i)
    for (const Method method : all_methods())
      for (const RegulariserKind regulariser : all_regularisers()) {
        if (method == Method::kSaddlePoint && regulariser != RegulariserKind::kVapor) continue;
        SCOPED_TRACE(testing::Message()
                     << i << " " << name_of(method) << " " << name_of(regulariser));
        Settings settings;
        settings.method = method;
        settings.regulariser = regulariser;
        settings.max_iterations = 2;
        settings.max_memory = least_memory(problems[i], settings);
        const double peak = peak_of(problems[i], settings);
        EXPECT_LE(peak, settings.max_memory);
        EXPECT_GE(2.5 * peak, settings.max_memory);
      }
}

TEST(Allocation, EveryWayToAllocateIsCounted) {
  const auto counted = [](auto&& allocate) {
    const long before = allocations;
    void* volatile block = allocate();
    const long after = allocations;
    std::free(block);
    return after - before;
  };
  void* from_posix = nullptr;
  EXPECT_EQ(counted([] { return std::malloc(10); }), 1);
  EXPECT_EQ(counted([] { return std::calloc(2, 10); }), 1);
  EXPECT_EQ(counted([] { return std::realloc(nullptr, 10); }), 1);
  EXPECT_EQ(counted([] { return std::aligned_alloc(64, 128); }), 1);
  EXPECT_EQ(counted([] { return memalign(64, 128); }), 1);
  EXPECT_EQ(
      counted([&] { return posix_memalign(&from_posix, 64, 128) == 0 ? from_posix : nullptr; }), 1);
  const long before = allocations;
  const std::vector<double> table(1000);
  EXPECT_EQ(allocations - before, 1) << table.size();
}

TEST(Allocation, NoneInsideAnIterationOfNewtonOnADeepSeaPosterior) {
  allocates_nothing_inside(deep_sea_posterior(), {});
}

TEST(Allocation, NoneInsideAnIterationOfNewtonOnADenseProblem) {
  allocates_nothing_inside(dense_problem(), {});
}

TEST(Allocation, NoneInsideAnIterationOfNewtonCg) {
  Settings settings;
  settings.method = Method::kNewtonCg;
  settings.tolerance = 1e-6;
  allocates_nothing_inside(deep_sea_posterior(), settings);
  allocates_nothing_inside(dense_problem(), settings);
}

TEST(Allocation, NoneInsideAnIterationOfWeightedEntropy) {
  Settings settings;
  settings.regulariser = RegulariserKind::kWeightedEntropy;
  allocates_nothing_inside(dense_problem(), settings);
}

// A solver that has met the larger shape does not allocate for the smaller one either.
TEST(Allocation, NoneInsideAnIterationOnASmallerProblem) {
  Settings settings;
  std::array<long, 1000> count{};
  settings.progress = [&count](const Progress& p) {
    count[std::min<std::size_t>(p.iteration, count.size() - 1)] = allocations;
    return true;
  };
  Solver solver(settings);
  solver.solve(dense_problem());
  const Solution solution = solver.solve(deep_sea_posterior());
  EXPECT_EQ(count[solution.iterations], count[0]);
}

// Once a deep learner has met batches of some size, a step takes no memory: not for the batch, the
// networks, the losses or the replay.
TEST(Allocation, NoneInsideAStepOfADeepLearner) {
  for (const char* agent : {"vapor-lite", "vapor-lite-closed", "vapor-lite:noise_kind=fresh",
                            "ersac", "dqn:target_period=100000", "boot-dqn:target_period=100000"}) {
    EpisodeTraining training(
        {.env = "deep_sea:depth=8", .agent = agent, .belief = "", .kind = RunKind::kNetwork});
    for (int i = 0; i < 40; ++i) training.play_and_learn();
    const long before = allocations;
    for (int i = 0; i < 20; ++i) training.learner().step();
    EXPECT_EQ(allocations - before, 0) << agent;
  }
}

}  // namespace
}  // namespace vapor
