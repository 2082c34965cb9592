#include "vapor/run/solver_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "vapor/core/clock.h"
#include "vapor/core/text.h"
#include "vapor/record/run_folder.h"
#include "vapor/record/trace_record.h"
#include "vapor/solver/solve.h"

namespace vapor {
namespace {

std::string folder_of(const std::string& folder, Method method) {
  return fmt::format("{}/{}", folder, name_of(method));
}

TraceHeader header_of(const std::string& name, const Settings& settings,
                      const std::string& folder) {
  TraceHeader header;
  header.definition = {{"problem", name},
                       {"method", name_of(settings.method)},
                       {"regulariser", name_of(settings.regulariser)},
                       {"tolerance", settings.tolerance}};
  header.command =
      fmt::format("vapor solve {} --method {} --regulariser {} --tol {} --trace {}",
                  shell_word(name), name_of(settings.method), name_of(settings.regulariser),
                  settings.tolerance, shell_word(folder));
  return header;
}

// The rows of a solve while it runs. A method that starts again from another point counts its
// iterations anew; the trace counts on, and keeps the best bounds so far.
class Recorder {
 public:
  void add(const Progress& progress) {
    const double passed = seconds_since(begin_);
    if (progress.iteration < last_iteration_) earlier_ += last_iteration_;
    last_iteration_ = progress.iteration;
    if (!std::isfinite(progress.lower_bound) || !std::isfinite(progress.upper_bound)) return;
    TraceRow row = {earlier_ + progress.iteration, passed, progress.lower_bound,
                    progress.upper_bound};
    if (!rows_.empty()) {
      row.lower_bound = std::max(row.lower_bound, rows_.back().lower_bound);
      row.upper_bound = std::min(row.upper_bound, rows_.back().upper_bound);
    }
    rows_.push_back(row);
  }

  // Of a solve that is over: a problem without anything to iterate on has its answer as only row.
  std::vector<TraceRow> rows(const Solution& solution) const {
    if (!rows_.empty()) return rows_;
    return {{solution.iterations, solution.seconds, solution.value, solution.upper_bound()}};
  }

 private:
  Clock::time_point begin_ = Clock::now();
  std::int64_t earlier_ = 0;
  int last_iteration_ = 0;
  std::vector<TraceRow> rows_;
};

}  // namespace

std::vector<Method> methods_for(const Problem& problem, RegulariserKind regulariser) {
  std::vector<Method> methods;
  for (const Method method : all_methods())
    if ((method != Method::kSaddlePoint || regulariser == RegulariserKind::kVapor) &&
        (problem.constraints.empty() || takes_constraints(method)) &&
        (!problem.stationary() || takes_discount(method)))
      methods.push_back(method);
  return methods;
}

std::vector<MethodSolution> trace_methods(const Problem& problem, const std::string& name,
                                          std::span<const Method> methods, const Settings& settings,
                                          const std::string& folder) {
  std::vector<MethodSolution> solutions;
  Settings each = settings;
  for (const Method method : methods) {
    each.method = method;
    if (!folder.empty())
      expect_room_for(folder_of(folder, method), header_of(name, each, folder).definition);
  }
  for (const Method method : methods) {
    Recorder recorder;
    each.method = method;
    each.progress = [&](const Progress& progress) {
      recorder.add(progress);
      return !settings.progress || settings.progress(progress);
    };
    MethodSolution& made = solutions.emplace_back();
    made.method = method;
    made.solution = solve(problem, each);
    if (folder.empty()) continue;
    made.trace = folder_of(folder, method);
    write_trace(made.trace, header_of(name, each, folder), recorder.rows(made.solution));
  }
  return solutions;
}

}  // namespace vapor
