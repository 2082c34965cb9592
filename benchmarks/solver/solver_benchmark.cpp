#include "solver_benchmark.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "action.h"
#include "json_answer.h"
#include "learning_run.h"
#include "peers.h"
#include "series.h"
#include "vapor/agent/registry.h"
#include "vapor/core/output_file.h"
#include "vapor/core/version.h"
#include "vapor/mdp/problem_file.h"
#include "vapor/mdp/random_problem.h"
#include "vapor/report/statistics.h"
#include "vapor/solver/equal_temperature.h"
#include "vapor/solver/k_learning.h"
#include "vapor/solver/solve.h"

namespace vapor::benchmark {
namespace {

namespace fs = std::filesystem;
using command::Rows;
using nlohmann::json;

double quantile(std::vector<double> values, double q) {
  if (values.empty()) return std::nan("");
  std::sort(values.begin(), values.end());
  return values[std::lround(q * static_cast<double>(values.size() - 1))];
}

// The median time of solving one problem again and again, cold.
struct Timing {
  double seconds = 0.0;
  int iterations = 0;
  Solution solution;
};

Timing time_cold(const Problem& problem) {
  Solver solver;
  std::vector<double> seconds;
  Timing timing;
  double total = 0.0;
  while (seconds.size() < 3 || (total < 0.3 && seconds.size() < 200)) {
    timing.solution = solver.solve(problem);
    seconds.push_back(timing.solution.seconds);
    total += timing.solution.seconds;
  }
  timing.seconds = median(seconds);
  timing.iterations = timing.solution.iterations;
  return timing;
}

constexpr int kBatch = 64;

std::string milliseconds(double seconds) {
  return std::isfinite(seconds) ? fmt::format("{:.3g}", 1e3 * seconds) : "-";
}

std::string times(double peer, double ours) {
  return std::isfinite(peer) ? fmt::format("{:.0f}x", peer / ours) : "-";
}

const PeerTime* find(const std::vector<PeerTime>& rows, const std::string& file,
                     const std::string& way, const std::string& solver) {
  for (const PeerTime& row : rows)
    if (row.file == file && row.way == way && row.solver == solver) return &row;
  return nullptr;
}

double seconds_of(const PeerTime* row) {
  return row == nullptr || row->failed ? std::nan("") : row->seconds;
}

double own_seconds_of(const PeerTime* row) {
  return row == nullptr || row->failed ? std::nan("") : row->solver_seconds;
}

class SolverBenchmark {
 public:
  explicit SolverBenchmark(const SolverBenchmarkSettings& options)
      : options_(options), progress_(!options.output.quiet) {
    if (!options.no_peers) peers_.emplace();
    folder_ = (fs::temp_directory_path() / fmt::format("vapor-bench-{}", getpid())).string();
    fs::create_directories(folder_);
    result_["version"] = kVersion;
  }
  ~SolverBenchmark() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  SolverBenchmark(const SolverBenchmark&) = delete;
  SolverBenchmark& operator=(const SolverBenchmark&) = delete;

  int run() {
    learn_all();
    measure_cold();
    measure_runs();
    if (peers_) measure_moreau();
    measure_own();
    measure_growth();
    if (options_.large) measure_large();
    progress_.clear();
    if (options_.output.json) command::print_json(result_, -1);
    if (!options_.out.empty())
      write_file(options_.out, [&](std::ostream& out) { out << result_.dump(1) << "\n"; });
    int failures = 0;
    for (const LearningRun& each : runs_) failures += each.failures;
    return failures == 0 ? command::kGood : command::kGoalNotMet;
  }

 private:
  // An episode costs about the cube of the depth.
  static double work(int depth, int episodes) {
    return std::pow(static_cast<double>(depth), 3) * episodes;
  }

  void learn_all() {
    const std::vector<int> repeats = {100, 10000};
    double total = 0.0;
    for (int repeat : repeats)
      for (int depth : options_.depths) total += work(depth, learning_episodes(depth, repeat));
    double done = 0.0;
    for (int repeat : repeats)
      for (int depth : options_.depths) {
        const int episodes = learning_episodes(depth, repeat);
        const auto progress = [&](int episode) {
          show(done + work(depth, episode), total,
               fmt::format("learning at depth {}, m = {}: {} of {} episodes", depth, repeat,
                           episode, episodes));
        };
        runs_.push_back(learn(depth, repeat, folder_, peers_ ? samples(depth) : 0, progress));
        done += work(depth, episodes);
      }
  }

  void show(double done, double total, const std::string& text) {
    progress_.show({done, total, done}, text);
  }

  int samples(int depth) const { return options_.few_samples ? 2 : depth >= 100 ? 4 : 10; }

  // What a stage measured; the next one begins.
  void print(const std::string& title, const Rows& rows) {
    progress_.clear();
    progress_.begin_stage();
    if (!options_.output.for_people()) return;
    fmt::print("\n{}\n", command::bold(title));
    command::print_table(rows, 3);
    std::fflush(stdout);
  }

  // Three posteriors of each run, ours to 1e-9 cold, the peers at their tolerances.
  void measure_cold() {
    Rows table = {{"depth", "m", "stage", "ours ms", "iterations", "best ECOS ms", "Clarabel ms",
                   "SCS ms", "Moreau ms", "fastest peer / ours", "its own clock", "paper's way ms",
                   "paper / ours"}};
    progress_.begin_stage();
    for (std::size_t r = 0; r < runs_.size(); ++r) {
      const LearningRun& run = runs_[r];
      show(static_cast<double>(r), static_cast<double>(runs_.size()),
           fmt::format("cold solves of depth {}, m = {}", run.depth, run.repeat));
      std::vector<PeerTime> peers;
      if (peers_) {
        // The peers of a large instance take minutes: once is enough there.
        const int repeat = run.depth >= 100 ? 1 : options_.peer_repeat;
        peers = peers_->time(
            {run.stage_files, "best", "ecos,clarabel,scs,moreau", repeat, options_.scs_cap});
        const auto paper =
            peers_->time({run.stage_files, "paper", "ecos", repeat, options_.scs_cap});
        peers.insert(peers.end(), paper.begin(), paper.end());
      }
      for (std::size_t i = 0; i < run.stage_files.size(); ++i) {
        const std::string& file = run.stage_files[i];
        const Timing ours = time_cold(read_problem_file(file));
        const double ecos = seconds_of(find(peers, file, "best", "ecos"));
        const double clarabel = seconds_of(find(peers, file, "best", "clarabel"));
        const double scs = seconds_of(find(peers, file, "best", "scs"));
        const double paper = seconds_of(find(peers, file, "paper", "ecos"));
        const double moreau = seconds_of(find(peers, file, "best", "moreau"));
        const double fastest = std::fmin(std::fmin(ecos, moreau), std::fmin(clarabel, scs));
        double fastest_own = std::nan("");  // by the clocks of the solvers, without CVXPY's part
        for (const char* solver : {"ecos", "clarabel", "scs", "moreau"})
          fastest_own = std::fmin(fastest_own, own_seconds_of(find(peers, file, "best", solver)));
        const char* stage = i == 0 ? "early" : i == 1 ? "middle" : "late";
        table.push_back({std::to_string(run.depth), std::to_string(run.repeat), stage,
                         milliseconds(ours.seconds), std::to_string(ours.iterations),
                         milliseconds(ecos), milliseconds(clarabel), milliseconds(scs),
                         milliseconds(moreau), times(fastest, ours.seconds),
                         times(fastest_own, ours.seconds), milliseconds(paper),
                         times(paper, ours.seconds)});
        result_["cold"].push_back({{"depth", run.depth},
                                   {"m", run.repeat},
                                   {"stage", stage},
                                   {"seconds", ours.seconds},
                                   {"iterations", ours.iterations},
                                   {"relative_gap", ours.solution.relative_gap()},
                                   {"value", ours.solution.value},
                                   {"best_ecos_seconds", ecos},
                                   {"best_clarabel_seconds", clarabel},
                                   {"best_scs_seconds", scs},
                                   {"best_moreau_seconds", moreau},
                                   {"ratio_fastest_own_clock", fastest_own / ours.seconds},
                                   {"paper_ecos_seconds", paper},
                                   {"ratio_fastest_peer", fastest / ours.seconds},
                                   {"ratio_paper", paper / ours.seconds}});
      }
    }
    print("Cold solves (ours to relative gap 1e-9; ECOS, Clarabel at 1e-8; SCS at 1e-6, capped)",
          table);
  }

  // Whole learning runs, warm from the episode before, beside the paper's way on some episodes.
  void measure_runs() {
    Rows table = {{"depth", "m", "episodes", "warm ms", "warm iterations", "cold iterations",
                   "most", "failures", "paper's way ms", "paper / ours"}};
    for (std::size_t r = 0; r < runs_.size(); ++r) {
      const LearningRun& run = runs_[r];
      show(static_cast<double>(r), static_cast<double>(runs_.size()),
           fmt::format("the paper's way at depth {}, m = {}", run.depth, run.repeat));
      std::vector<double> paper;
      if (peers_)
        for (const PeerTime& row :
             peers_->time({run.sample_files, "paper", "ecos", 1, options_.scs_cap}))
          if (!row.failed) paper.push_back(row.seconds);
      double total = 0.0;
      for (double s : run.warm_seconds) total += s;
      const double mean = total / static_cast<double>(run.warm_seconds.size());
      double paper_total = 0.0;
      for (double s : paper) paper_total += s;
      const double paper_mean =
          paper.empty() ? std::nan("") : paper_total / static_cast<double>(paper.size());
      const double most =
          std::max(quantile(run.warm_iterations, 1.0), quantile(run.cold_iterations, 1.0));
      table.push_back(
          {std::to_string(run.depth), std::to_string(run.repeat), std::to_string(run.episodes),
           milliseconds(mean), fmt::format("{:.0f}", median(run.warm_iterations)),
           fmt::format("{:.0f}", median(run.cold_iterations)), fmt::format("{:.0f}", most),
           std::to_string(run.failures), milliseconds(paper_mean), times(paper_mean, mean)});
      result_["learning"].push_back({{"depth", run.depth},
                                     {"m", run.repeat},
                                     {"episodes", run.episodes},
                                     {"warm_seconds_mean", mean},
                                     {"warm_iterations_median", median(run.warm_iterations)},
                                     {"cold_iterations_median", median(run.cold_iterations)},
                                     {"iterations_max", most},
                                     {"failures", run.failures},
                                     {"paper_seconds_mean", paper_mean},
                                     {"paper_episodes", paper.size()},
                                     {"ratio_paper", paper_mean / mean}});
    }
    print("Learning runs (mean milliseconds an episode, warm from the last policy)", table);
  }

  // Moreau at what it was made for: one structure, whose data change. Warm from one episode to the
  // next, halfway through a run, and many problems at once.
  void measure_moreau() {
    Rows table = {{"what", "depth", "m", "ours ms", "at 0.01", "Moreau ms", "its own clock ms",
                   "Moreau / ours", "own / ours"}};
    const auto add = [&](const char* what, int depth, int repeat, double ours, double loose,
                         const PeerTime& peer) {
      table.push_back({what, std::to_string(depth), std::to_string(repeat), milliseconds(ours),
                       milliseconds(loose), milliseconds(peer.seconds),
                       milliseconds(peer.solver_seconds), times(peer.seconds, ours),
                       times(peer.solver_seconds, ours)});
      result_["moreau"].push_back({{"what", what},
                                   {"depth", depth},
                                   {"m", repeat},
                                   {"seconds", ours},
                                   {"seconds_at_learning_tolerance", loose},
                                   {"moreau_seconds", peer.seconds},
                                   {"moreau_own_seconds", peer.solver_seconds},
                                   {"moreau_iterations", peer.iterations},
                                   {"moreau_status", peer.status},
                                   {"ratio", peer.seconds / ours},
                                   {"ratio_own_clock", peer.solver_seconds / ours},
                                   {"ratio_at_learning_tolerance", peer.seconds / loose}});
    };
    for (const int depth : options_.depths) {
      if (depth > 50) continue;  // its batches take minutes there
      const Series next = consecutive(depth, 10000, folder_);
      show(0.0, 1.0, fmt::format("Moreau warm at depth {}", depth));
      add("warm, the next episode", depth, 10000, warm_mean(next.problems, 1e-9),
          warm_mean(next.problems, kLearningTolerance), peers_->time_series("next", next.files));
    }
    const Series many = posteriors(20, 10000, kBatch, folder_);
    show(0.5, 1.0, fmt::format("Moreau on a batch of {}", kBatch));
    add("a batch of 64, cold", 20, 10000, batch_seconds(many.problems, 1e-9),
        batch_seconds(many.problems, kLearningTolerance), peers_->time_series("batch", many.files));
    print("Moreau on one structure (ours one core too; a batch is all of its problems)", table);
  }

  // Our own other programs on the episodes of one run, cold each.
  void measure_own() {
    Rows table = {{"depth", "m", "VAPOR warm ms", "at 0.01", "K-learning ms",
                   "equal temperatures ms", "at 0.01", "K / VAPOR", "equal / VAPOR"}};
    for (const int depth : options_.depths) {
      if (depth > 50) continue;
      const Series next = consecutive(depth, 10000, "");
      const double vapor = warm_mean(next.problems, 1e-9);
      const double loose = warm_mean(next.problems, kLearningTolerance);
      const double k =
          mean_seconds(next.problems, [](const Problem& problem) { solve_k_learning(problem); });
      const auto equal_at = [&](double tolerance) {
        return mean_seconds(next.problems, [&](const Problem& problem) {
          solve_equal_temperature(problem, {.tolerance = tolerance});
        });
      };
      const double equal = equal_at(1e-9);
      const double equal_loose = equal_at(kLearningTolerance);
      table.push_back({std::to_string(depth), "10000", milliseconds(vapor), milliseconds(loose),
                       milliseconds(k), milliseconds(equal), milliseconds(equal_loose),
                       fmt::format("{:.2f}", k / loose), fmt::format("{:.1f}", equal / vapor)});
      result_["own"].push_back({{"depth", depth},
                                {"m", 10000},
                                {"vapor_seconds", vapor},
                                {"vapor_seconds_at_learning_tolerance", loose},
                                {"k_learning_seconds", k},
                                {"equal_temperature_seconds", equal},
                                {"equal_temperature_seconds_at_learning_tolerance", equal_loose}});
    }
    print("K-learning and equal temperatures beside VAPOR, milliseconds an episode", table);
  }

  // How the time of one Newton iteration grows with depth, halfway through a run.
  void measure_growth() {
    Rows table = {{"depth", "states", "pairs", "ms an iteration", "against the first"}};
    double total = 0.0, done = 0.0, first = 0.0;
    for (int depth : options_.growth_depths) total += work(depth, depth);
    for (int depth : options_.growth_depths) {
      DeepSeaRun sea(contrast(depth, 100));
      for (int t = 0; t < depth; ++t) {
        show(done + work(depth, t), total,
             fmt::format("growth: depth {}, {} of {} episodes", depth, t, depth));
        sea.step();
      }
      done += work(depth, depth);
      const Problem problem = sea.problem();
      const Timing ours = time_cold(problem);
      const double iteration = ours.seconds / ours.iterations;
      if (first == 0.0) first = iteration;
      table.push_back({std::to_string(depth), std::to_string(problem.shape.states()),
                       std::to_string(problem.shape.pairs()), milliseconds(iteration),
                       fmt::format("{:.1f}x", iteration / first)});
      result_["growth"].push_back({{"depth", depth},
                                   {"states", problem.shape.states()},
                                   {"iteration_seconds", iteration},
                                   {"ratio", iteration / first}});
    }
    print("Growth (m = 100, after as many episodes as the depth)", table);
  }

  // A million pairs, matrix-free.
  void measure_large() {
    RandomProblemSettings settings;
    settings.layers = 100;
    settings.states = 2500;
    settings.actions = 4;
    settings.successors = 4;
    const Problem problem = random_problem(settings, RandomStream(1));
    Settings solver;
    solver.method = Method::kNewtonCg;
    solver.tolerance = 1e-4;
    command::ProgressLine progress(
        !options_.output.quiet);  // how many iterations it takes is not known
    solver.progress = [&](const Progress& p) {
      progress.show(fmt::format("a million pairs: iteration {}, gap {:.2e}", p.iteration,
                                p.upper_bound - p.lower_bound));
      return true;
    };
    const Solution solution = solve(problem, solver);
    progress.clear();
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const double megabytes = static_cast<double>(usage.ru_maxrss) / 1024.0;
    print("A million pairs (100 layers x 2500 states x 4 actions, 4 successors), newton_cg to 1e-4",
          {{"status", "iterations", "CG steps", "relative gap", "seconds", "most memory MB"},
           {std::string(name_of(solution.status)), std::to_string(solution.iterations),
            std::to_string(solution.linear_iterations),
            fmt::format("{:.1e}", solution.relative_gap()), fmt::format("{:.1f}", solution.seconds),
            fmt::format("{:.0f}", megabytes)}});
    result_["large"] = {{"status", name_of(solution.status)},
                        {"iterations", solution.iterations},
                        {"linear_iterations", solution.linear_iterations},
                        {"relative_gap", solution.relative_gap()},
                        {"seconds", solution.seconds},
                        {"megabytes", megabytes}};
  }

  const SolverBenchmarkSettings& options_;
  command::ProgressBar progress_;
  std::optional<Peers> peers_;
  std::string folder_;
  std::vector<LearningRun> runs_;
  json result_;
};

}  // namespace

int run_solver_benchmark(const SolverBenchmarkSettings& settings) {
  return SolverBenchmark(settings).run();
}

}  // namespace vapor::benchmark
