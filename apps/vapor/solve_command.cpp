#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "commands.h"
#include "options.h"
#include "vapor/core/error.h"
#include "vapor/core/output_file.h"
#include "vapor/mdp/problem_file.h"
#include "vapor/run/on_threads.h"
#include "vapor/run/solver_trace.h"
#include "vapor/solver/solution_file.h"
#include "vapor/solver/solve.h"

namespace vapor::command {
namespace {

struct SolveOptions {
  std::vector<std::string> files;
  std::string method = "newton";
  std::string regulariser = "vapor";
  Settings settings;
  std::string warm_start;
  std::string out;
  std::string trace;
  double certify = 0.0;
  CLI::Option* certify_option = nullptr;
  bool certifies() const { return certify_option->count() > 0; }
  int threads = 1;
  Output output;
};

struct Answer {
  std::string file;
  Method method = Method::kNewton;
  Shape shape;
  Solution solution;
  std::string trace;  // the folder of its record
};

std::string json_string(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

Problem read(const std::string& file, const Settings& settings) {
  return file == "-" ? read_problem(std::cin, settings.max_memory)
                     : read_problem_file(file, settings.max_memory);
}

Answer solve_file(const SolveOptions& options, const Settings& settings, const std::string& file) {
  const Problem problem = read(file, settings);
  std::vector<double> warm_start;
  if (!options.warm_start.empty()) warm_start = read_policy(options.warm_start, problem.shape);
  Answer answer = {file, settings.method, problem.shape, {}, ""};
  answer.solution = solve(problem, settings, warm_start);
  if (!options.out.empty())
    write_solution_file(options.out, problem.shape, answer.solution, settings.method);
  return answer;
}

// The error with the file it is in, unless it says so already.
InputError named(const std::string& file, const InputError& error) {
  if (error.where().setting() == "max_memory")
    return {"--memory", fmt::format("{}: {}", file, error.problem())};
  const std::string text = error.what();
  return text.rfind(file, 0) == 0 ? error : InputError(file, text);
}

// One problem with one method or all of them, recorded if a folder is given.
std::vector<Answer> solve_with_methods(const SolveOptions& options, const Settings& settings) {
  const std::string& file = options.files.front();
  const Problem problem = read(file, settings);
  const std::vector<Method> methods = options.method == "all"
                                          ? methods_for(problem, settings.regulariser)
                                          : std::vector<Method>{settings.method};
  std::vector<Answer> answers;
  try {
    for (MethodSolution& made : trace_methods(problem, file, methods, settings, options.trace))
      answers.push_back(
          {file, made.method, problem.shape, std::move(made.solution), std::move(made.trace)});
  } catch (const InputError& error) {
    if (error.where().setting().empty()) throw;
    throw named(file, error);
  }
  if (!options.out.empty())
    write_solution_file(options.out, problem.shape, answers[0].solution, settings.method);
  return answers;
}

std::string json_of(const Answer& answer) {
  const std::string trace =
      answer.trace.empty() ? "" : fmt::format("\"trace\": {}, ", json_string(answer.trace));
  return fmt::format("{{\"file\": {}, {}{}}}", json_string(answer.file), trace,
                     certificate_json(answer.solution, answer.method));
}

void print_solutions(const SolveOptions& options, const std::vector<Answer>& answers) {
  if (options.files.size() == 1 && options.method != "all") {
    fmt::print("{}\n", json_of(answers[0]));
    return;
  }
  fmt::print("{{\"solutions\": [");
  for (std::size_t i = 0; i < answers.size(); ++i)
    fmt::print("{}\n  {}", i == 0 ? "" : ",", json_of(answers[i]));
  fmt::print("]}}\n");
}

// A line a constraint: its bound, what the occupancy uses of it, and its price.
void print_constraints(const Solution& solution) {
  Rows rows = {{"constraint", "", "bound", "used", "price"}};
  for (const ConstraintUse& c : solution.constraints)
    rows.push_back({c.name, std::string(symbol_of(c.sense)), fmt::format("{:.10g}", c.bound),
                    fmt::format("{:.10g}", c.used), fmt::format("{:.6g}", c.price)});
  print_table(rows, 2);
  if (solution.status == Status::kInfeasible)
    fmt::print("  {}\n", dim("no occupancy measure meets them: the prices are those of the proof"));
}

void print_one(const SolveOptions& options, const Answer& answer) {
  const Solution& s = answer.solution;
  const Shape& shape = answer.shape;
  const auto line = [](const char* key, const std::string& value, const std::string& remark) {
    fmt::print("  {:<14}{:<22}{}\n", key, value, dim(remark));
  };
  fmt::print("{}\n", bold(answer.file));
  line("problem", fmt::format("{} pairs", whole(shape.pairs())),
       s.discount ? fmt::format("of state and action; {} states, discount {:g}",
                                whole(shape.states()), *s.discount)
                  : fmt::format("of state and action; {} layers, {} states", whole(shape.layers()),
                                whole(shape.states())));
  line("status", std::string(name_of(s.status)),
       fmt::format("{}, {} iterations, {}", options.method, s.iterations, duration(s.seconds)));
  if (s.status == Status::kInfeasible) {
    line("proof", fmt::format("{:.2g}", s.infeasibility),
         "would be at least 0 if a measure met the constraints");
    print_constraints(s);
    return;
  }
  line("value", fmt::format("{:.12g}", s.value), "attained by the reported occupancy");
  if (s.discount)
    line("return", fmt::format("{:.12g}", s.discounted_return()),
         "discounted: the value is that of the measure of sum 1");
  line("bound", fmt::format("{:.12g}", s.upper_bound()), "no occupancy measure is better");
  line("gap", fmt::format("{:.2g}", s.gap), fmt::format("relative {:.2g}", s.relative_gap()));
  line("flow", fmt::format("{:.2g}", s.flow_residual), "largest imbalance of the occupancy");
  line("stationarity", fmt::format("{:.2g}", s.dual_residual), "largest lambda |delta + f'|");
  if (!s.constraints.empty()) print_constraints(s);
  if (!options.out.empty()) line("written", options.out, "occupancy, policy, temperature, values");
  if (!answer.trace.empty()) line("trace", answer.trace, "accuracy over time");
}

// A line an answer, told apart by its file or, if there is one problem, by its method.
void print_many(const SolveOptions& options, const std::vector<Answer>& answers) {
  const bool by_method = options.method == "all";
  if (by_method) fmt::print("{}\n", bold(answers[0].file));
  Rows rows = {
      {by_method ? "method" : "file", "status", "value", "relative gap", "iterations", "time"}};
  for (const Answer& a : answers)
    rows.push_back({by_method ? std::string(name_of(a.method)) : a.file,
                    std::string(name_of(a.solution.status)),
                    fmt::format("{:.10g}", a.solution.value),
                    fmt::format("{:.1e}", a.solution.relative_gap()), whole(a.solution.iterations),
                    duration(a.solution.seconds)});
  print_table(rows, 2);
  if (!options.trace.empty())
    fmt::print("{}\n", dim(fmt::format("accuracy over time in {}/METHOD", options.trace)));
}

// Solves the files on a pool of threads; the answers keep the order of the files.
std::vector<Answer> solve_all(const SolveOptions& options, const Settings& settings) {
  std::vector<Answer> answers(options.files.size());
  std::vector<std::exception_ptr> errors(options.files.size());
  on_threads(
      options.files.size(), options.threads, [] { return true; },
      [&](std::size_t i, const GoOn&) {
        try {
          answers[i] = solve_file(options, settings, options.files[i]);
        } catch (const InputError& e) {
          errors[i] = std::make_exception_ptr(named(options.files[i], e));
        } catch (...) {
          errors[i] = std::current_exception();
        }
      });
  for (const std::exception_ptr& error : errors)
    if (error) std::rethrow_exception(error);
  return answers;
}

void check(const SolveOptions& options) {
  for (const std::string& file : options.files)
    if (file.empty()) throw InputError("FILE", "a file name is empty");
  const bool all = options.method == "all";
  const auto takes_one_file = [&](const char* option, bool given) {
    if (given && options.files.size() > 1) throw InputError(option, "takes one problem file");
  };
  takes_one_file("--out", !options.out.empty());
  takes_one_file("--warm-start", !options.warm_start.empty());
  takes_one_file("--trace", !options.trace.empty());
  takes_one_file("--method all", all);
  if (all && !options.out.empty()) throw InputError("--out", "takes one method, not all");
  if (!options.warm_start.empty() && (all || !options.trace.empty()))
    throw InputError("--warm-start", "does not go with --method all or --trace, which start cold");
  if (options.out == "-") throw InputError("--out", "must name a file");
  if (!options.out.empty()) expect_room_for_file(options.out);
  if (!options.trace.empty()) expect_room_for_folder(options.trace);
  std::error_code ignored;
  for (const std::string& file : options.files)
    if (!options.out.empty() && std::filesystem::equivalent(file, options.out, ignored))
      throw InputError("--out", "is the problem file itself");
}

// With --certify the gap is the goal, else the tolerance is; of every file, or of one method.
bool goal_met(const SolveOptions& options, const std::vector<Answer>& answers) {
  const auto met = [&](const Answer& answer) {
    if (answer.solution.status == Status::kInfeasible) return false;
    return options.certifies() ? answer.solution.relative_gap() <= options.certify
                               : answer.solution.status == Status::kSolved;
  };
  return options.method == "all" ? std::ranges::any_of(answers, met)
                                 : std::ranges::all_of(answers, met);
}

int run(const SolveOptions& options) {
  check(options);
  Settings settings = options.settings;
  if (options.method != "all") settings.method = method_of(options.method);
  settings.regulariser = regulariser_of(options.regulariser);
  validate(settings);
  ProgressLine progress(!options.output.quiet);
  settings.progress = [&](const Progress& p) {
    progress.show(fmt::format("iteration {}  value {:.8g}  gap {:.2e}  {}", p.iteration,
                              p.lower_bound, p.upper_bound - p.lower_bound, duration(p.seconds)));
    return true;
  };
  const std::vector<Answer> answers = options.method == "all" || !options.trace.empty()
                                          ? solve_with_methods(options, settings)
                                          : solve_all(options, settings);
  progress.clear();
  if (options.output.json)
    print_solutions(options, answers);
  else if (!options.output.quiet && answers.size() == 1)
    print_one(options, answers[0]);
  else if (!options.output.quiet)
    print_many(options, answers);
  const bool met = goal_met(options, answers);
  if (!met && options.certifies())
    say(fmt::format("the relative gap is above {:g}", options.certify));
  return met ? kGood : kGoalNotMet;
}

}  // namespace

void add_solve(CLI::App& app, Action& action) {
  auto options = std::make_shared<SolveOptions>();
  CLI::App* command = app.add_subcommand("solve", "Solve problem files, with a certificate");
  command
      ->add_option("files", options->files,
                   "Problem files (docs/problem-file.md); - reads one from standard input")
      ->required()
      ->type_name("FILE...");
  add_name(*command, "--method", options->method, "METHOD",
           "newton, newton_cg, frank_wolfe, saddle_point (docs/solver.md), or all to compare them")
      ->capture_default_str();
  add_name(*command, "--regulariser", options->regulariser, "REGULARISER",
           "vapor, weighted_entropy or linear")
      ->capture_default_str();
  const NumberRange positive = {.low = 0.0, .above_low = true};
  add_number(*command, "--tol", options->settings.tolerance, positive, "Relative gap to reach")
      ->default_str("1e-9");
  add_path(*command, "--warm-start", options->warm_start, "FILE",
           "Start from the policy of this solution file");
  add_path(*command, "--out", options->out, "FILE",
           "Write the solution with its tables to this file");
  add_path(*command, "--trace", options->trace, "DIR",
           "Record the accuracy over time in DIR/METHOD (docs/records.md)");
  options->certify_option =
      add_number(*command, "--certify", options->certify, positive,
                 "Exit with 1 if the relative gap is larger than this, whatever the tolerance");
  add_whole(*command, "--max-iterations", options->settings.max_iterations, {},
            "Stop after this many; 0: the method's own limit")
      ->capture_default_str();
  add_number(*command, "--time,--max-seconds", options->settings.max_seconds, positive,
             "Stop after so many seconds, with the bounds there are")
      ->default_str("no limit");
  options->settings.max_memory = machine_memory();
  add_bytes(*command, "--memory", options->settings.max_memory,
            "Refuse a problem whose solve takes more, e.g. 500M or 2GB")
      ->default_str("that of the machine");
  add_whole(*command, "--threads", options->threads, {1, 1024}, "Files solved at the same time")
      ->capture_default_str();
  add_output_flags(*command, options->output);
  command->footer(
      "Constraints in a file get a line each: bound, used, price. With a discount in the file the\n"
      "value is that of the normalised measure, and the return is the value over 1 - discount.\n"
      "Exit code: 0 solved (or certified), 1 not, 2 bad input, 3 internal error; with --method "
      "all\n"
      "0 if one of them solved it.\n"
      "Examples:\n"
      "  vapor solve problem.json\n"
      "  vapor solve problem.json --out solution.json --certify 1e-9\n"
      "  vapor solve changed.json --warm-start solution.json\n"
      "  vapor solve large.json --method newton_cg --time 60 --memory 2GB\n"
      "  vapor solve a.json b.json c.json --threads 2 --json\n"
      "  vapor solve problem.json --method all --tol 1e-6 --trace out/traces");
  command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace vapor::command
