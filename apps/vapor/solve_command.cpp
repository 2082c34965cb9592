#include <fmt/format.h>

#include <atomic>
#include <cmath>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <iostream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "commands.h"
#include "terminal.h"
#include "vapor/core/error.h"
#include "vapor/mdp/problem_file.h"
#include "vapor/solver/solution_file.h"
#include "vapor/solver/solve.h"

namespace vapor::command {
namespace {

struct Options {
  std::vector<std::string> files;
  std::string method = "newton";
  std::string regulariser = "vapor";
  Settings settings;
  std::string warm_start;
  std::string out;
  double certify = 0.0;
  CLI::Option* certify_option = nullptr;
  bool certifies() const { return certify_option->count() > 0; }
  int threads = 1;
  Output output;
};

struct Answer {
  std::string file;
  Shape shape;
  Solution solution;
};

std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

Answer solve_file(const Options& options, const Settings& settings, const std::string& file) {
  Answer answer;
  answer.file = file;
  const Problem problem = file == "-" ? read_problem(std::cin) : read_problem_file(file);
  answer.shape = problem.shape;
  std::vector<double> warm_start;
  if (!options.warm_start.empty()) warm_start = read_policy(options.warm_start, problem.shape);
  answer.solution = solve(problem, settings, warm_start);
  if (!options.out.empty())
    write_solution_file(options.out, problem.shape, answer.solution, settings.method);
  return answer;
}

void print_json(const Options& options, const Settings& settings,
                const std::vector<Answer>& answers) {
  const auto row = [&](const Answer& answer) {
    return fmt::format("{{\"file\": {}, {}}}", quoted(answer.file),
                       certificate_json(answer.solution, settings.method));
  };
  if (options.files.size() == 1) {
    fmt::print("{}\n", row(answers[0]));
    return;
  }
  fmt::print("{{\"solutions\": [");
  for (std::size_t i = 0; i < answers.size(); ++i)
    fmt::print("{}\n  {}", i == 0 ? "" : ",", row(answers[i]));
  fmt::print("]}}\n");
}

void print_one(const Options& options, const Answer& answer) {
  const Solution& s = answer.solution;
  const Shape& shape = answer.shape;
  const auto line = [](const char* key, const std::string& value, const std::string& remark) {
    fmt::print("  {:<14}{:<22}{}\n", key, value, dim(remark));
  };
  fmt::print("{}\n", bold(answer.file));
  line("problem", fmt::format("{} pairs", shape.pairs()),
       fmt::format("{} layers, {} states", shape.layers(), shape.states()));
  line("status", std::string(name_of(s.status)),
       fmt::format("{}, {} iterations, {}", options.method, s.iterations, duration(s.seconds)));
  line("value", fmt::format("{:.12g}", s.value), "attained by the reported occupancy");
  line("bound", fmt::format("{:.12g}", s.upper_bound()), "no occupancy measure is better");
  line("gap", fmt::format("{:.2g}", s.gap), fmt::format("relative {:.2g}", s.relative_gap()));
  line("flow", fmt::format("{:.2g}", s.flow_residual), "largest imbalance of the occupancy");
  line("stationarity", fmt::format("{:.2g}", s.dual_residual), "largest lambda |delta + f'|");
  if (!options.out.empty()) line("written", options.out, "occupancy, policy, temperature, values");
}

void print_many(const std::vector<Answer>& answers) {
  std::vector<std::vector<std::string>> rows = {
      {"file", "status", "value", "relative gap", "iterations", "time"}};
  for (const Answer& a : answers)
    rows.push_back({a.file, std::string(name_of(a.solution.status)),
                    fmt::format("{:.10g}", a.solution.value),
                    fmt::format("{:.1e}", a.solution.relative_gap()),
                    std::to_string(a.solution.iterations), duration(a.solution.seconds)});
  print_table(rows, 2);
}

// The error with the file it is in, unless it says so already.
InputError named(const std::string& file, const InputError& error) {
  const std::string text = error.what();
  return text.rfind(file, 0) == 0 ? error : InputError(file, text);
}

// Solves the files on a pool of threads; the answers keep the order of the files.
std::vector<Answer> solve_all(const Options& options, const Settings& settings) {
  std::vector<Answer> answers(options.files.size());
  std::vector<std::exception_ptr> errors(options.files.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < options.files.size(); i = next++) {
      try {
        answers[i] = solve_file(options, settings, options.files[i]);
      } catch (const InputError& e) {
        errors[i] = std::make_exception_ptr(named(options.files[i], e));
      } catch (...) {
        errors[i] = std::current_exception();
      }
    }
  };
  std::vector<std::jthread> threads;
  for (int t = 1; t < options.threads; ++t) threads.emplace_back(work);
  work();
  threads.clear();
  for (const std::exception_ptr& error : errors)
    if (error) std::rethrow_exception(error);
  return answers;
}

int run(const Options& options) {
  Settings settings = options.settings;
  settings.method = method_of(options.method);
  settings.regulariser = regulariser_of(options.regulariser);
  validate(settings);
  if (options.certifies() && !(options.certify > 0.0))
    throw InputError("--certify", fmt::format("must be > 0, got {}", options.certify));
  for (const std::string& file : options.files)
    if (file.empty()) throw InputError("FILE", "a file name is empty");
  if (options.files.size() > 1 && !(options.out.empty() && options.warm_start.empty()))
    throw InputError(options.out.empty() ? "--warm-start" : "--out", "takes one problem file");
  if (options.out == "-") throw InputError("--out", "must name a file");
  std::error_code ignored;
  for (const std::string& file : options.files)
    if (!options.out.empty() && std::filesystem::equivalent(file, options.out, ignored))
      throw InputError("--out", "is the problem file itself");
  std::mutex mutex;
  ProgressLine progress(!options.output.quiet);
  settings.progress = [&](const Progress& p) {
    const std::lock_guard lock(mutex);
    progress.show(fmt::format("iteration {}  value {:.8g}  gap {:.2e}  {}", p.iteration,
                              p.lower_bound, p.upper_bound - p.lower_bound, duration(p.seconds)));
    return true;
  };
  const std::vector<Answer> answers = solve_all(options, settings);
  progress.clear();
  if (options.output.json)
    print_json(options, settings, answers);
  else if (!options.output.quiet && answers.size() == 1)
    print_one(options, answers[0]);
  else if (!options.output.quiet)
    print_many(answers);
  // With --certify the gap is the goal, else the tolerance is.
  bool met = true;
  for (const Answer& a : answers)
    met = met && (options.certifies() ? a.solution.relative_gap() <= options.certify
                                      : a.solution.status == Status::kSolved);
  if (!met && options.certifies())
    fmt::print(stderr, "vapor: the relative gap is above {:g}\n", options.certify);
  return met ? kGood : kGoalNotMet;
}

}  // namespace

void add_solve(CLI::App& app, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("solve", "Solve problem files, with a certificate");
  command
      ->add_option("files", options->files,
                   "Problem files (docs/problem-file.md); - reads one "
                   "from standard input")
      ->required()
      ->type_name("FILE...");
  command->add_option("--method", options->method, "newton, newton_cg, frank_wolfe or saddle_point")
      ->capture_default_str();
  command->add_option("--regulariser", options->regulariser, "vapor, weighted_entropy or linear")
      ->capture_default_str();
  command->add_option("--tol", options->settings.tolerance, "Relative gap to reach")
      ->capture_default_str();
  command->add_option("--warm-start", options->warm_start,
                      "Start from the policy of this solution file");
  command->add_option("--out", options->out, "Write the solution with its tables to this file");
  options->certify_option = command->add_option(
      "--certify", options->certify, "Exit with 1 if the relative gap is larger than this");
  command->add_option("--max-iterations", options->settings.max_iterations,
                      "Stop after this many (0: the method's own limit)");
  command->add_option("--max-seconds", options->settings.max_seconds, "Stop after this long");
  command->add_option("--threads", options->threads, "Files solved at the same time")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  command->add_flag("--json", options->output.json, "Print one JSON object");
  command->add_flag("--quiet", options->output.quiet, "Print nothing but errors (and the JSON)");
  command->footer(
      "Exit code: 0 solved (or certified), 1 not, 2 bad input, 3 internal error.\n"
      "Examples:\n"
      "  vapor solve problem.json\n"
      "  vapor solve problem.json --out solution.json --certify 1e-9\n"
      "  vapor solve changed.json --warm-start solution.json\n"
      "  vapor solve a.json b.json c.json --threads 2 --json");
  command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace vapor::command
