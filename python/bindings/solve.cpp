// The solver, one problem or many.
#include "vapor/solver/solve.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <memory>
#include <optional>

#include "archived.h"
#include "arrays.h"
#include "core_module.h"
#include "interruption.h"
#include "vapor/run/on_threads.h"
#include "vapor/solver/equal_temperature.h"
#include "vapor/solver/k_learning.h"
#include "vapor/solver/vapor_lite.h"

namespace vapor::python {
namespace {

// A policy, and a policy on the way to it if there is one (Solution::start).
using WarmStart = std::optional<std::tuple<ArrayIn<double>, std::optional<ArrayIn<double>>>>;

Settings solver_settings_of(const std::string& method, const std::string& regulariser,
                            double tolerance, int max_iterations, double max_seconds,
                            double max_bytes, double max_memory) {
  Settings settings;
  settings.method = method_of(method);
  settings.regulariser = regulariser_of(regulariser);
  settings.tolerance = tolerance;
  settings.max_iterations = max_iterations;
  settings.max_seconds = max_seconds;
  settings.max_bytes = max_bytes;
  settings.max_memory = max_memory;
  validate(settings);
  return settings;
}

// As much of a solution as a solve is warm from.
Solution last_solution(const Problem& problem, const WarmStart& warm_start) {
  Solution last;
  if (!warm_start) return last;
  const auto& [policy, start] = *warm_start;
  const auto pairs = static_cast<std::size_t>(problem.shape.pairs());
  last.policy = copied("warm_start", policy, pairs);
  if (start) last.start = copied("warm_start", *start, pairs);
  return last;
}

template <typename Work>
auto without_interpreter(const Work& work) {
  const nb::gil_scoped_release released;
  return work();
}

Solution solve_one(const Problem& problem, Settings settings, const WarmStart& warm_start,
                   const nb::object& progress) {
  const Solution last = last_solution(problem, warm_start);
  Interruption interruption;
  settings.progress = [&](const Progress& p) {
    return interruption.go_on() &&
           interruption.ask(progress, p.iteration, p.lower_bound, p.upper_bound, p.seconds);
  };
  std::optional<Solution> solution;
  {
    const nb::gil_scoped_release released;
    solution = solve(problem, settings, last);
  }
  interruption.raise();
  return std::move(*solution);
}

std::vector<Solution> solve_many(const std::vector<const Problem*>& problems, Settings settings,
                                 const std::vector<WarmStart>& warm_starts, int threads) {
  std::vector<Solution> last(problems.size());
  for (std::size_t i = 0; i < warm_starts.size(); ++i)
    last[i] = last_solution(*problems[i], warm_starts[i]);
  std::vector<Solution> solutions(problems.size());
  Interruption interruption;
  std::atomic<bool> stop = false;
  settings.progress = [&](const Progress& /*progress*/) { return !stop; };
  {
    const nb::gil_scoped_release released;
    watched<void>(
        [&] {
          on_threads(
              problems.size(), threads, [&] { return !stop.load(); },
              [&](std::size_t i, const GoOn& /*go_on*/) {
                solutions[i] = solve(*problems[i], settings, last[i]);
              });
        },
        stop, [&] { return interruption.go_on(); });
  }
  interruption.raise();
  return solutions;
}

using Arrays = std::tuple<double, double, ArrayOut<double>, ArrayOut<double>>;

// A solution as bytes, for pickling.
struct Fields {
  Solution& solution;

  void archive(Archive& archive) {
    Solution& s = solution;
    archive(s.status), archive(s.regulariser), archive(s.value), archive(s.gap);
    archive(s.flow_residual), archive(s.dual_residual), archive(s.iterations);
    archive(s.linear_iterations), archive(s.seconds), archive(s.occupancy), archive(s.policy);
    archive(s.temperature), archive(s.values);
    archive(s.constraint_residual), archive(s.infeasibility);
    double discount = s.discount.value_or(0.0);
    archive(discount);
    s.discount = discount > 0.0 ? std::optional(discount) : std::nullopt;
    archive_constraints(archive);
    archive(s.start);
  }

  // By columns: a table's size is checked against the bytes that are there.
  void archive_constraints(Archive& archive) {
    std::vector<ConstraintUse>& uses = solution.constraints;
    std::vector<std::string> name;
    std::vector<Sense> sense;
    std::vector<double> bound, used, price;
    for (const ConstraintUse& c : uses) {
      name.push_back(c.name), sense.push_back(c.sense), bound.push_back(c.bound);
      used.push_back(c.used), price.push_back(c.price);
    }
    archive(name), archive(sense), archive(bound), archive(used), archive(price);
    for (std::size_t size : {sense.size(), bound.size(), used.size(), price.size()})
      if (size != name.size()) throw InputError("state", "is damaged");
    uses.resize(name.size());
    for (std::size_t i = 0; i < uses.size(); ++i)
      uses[i] = {name[i], sense[i], bound[i], used[i], price[i]};
  }
};

void bind_solution(nb::module_& module) {
  nb::class_<Solution>(module, "Solution")
      .def_prop_ro("status", [](const Solution& s) { return std::string(name_of(s.status)); })
      .def_prop_ro("regulariser",
                   [](const Solution& s) { return std::string(name_of(s.regulariser)); })
      .def_ro("value", &Solution::value)
      .def_ro("gap", &Solution::gap)
      .def_prop_ro("discount", [](const Solution& s) { return s.discount; })
      .def_ro("flow_residual", &Solution::flow_residual)
      .def_ro("dual_residual", &Solution::dual_residual)
      .def_ro("constraint_residual", &Solution::constraint_residual)
      .def_ro("infeasibility", &Solution::infeasibility)
      .def_prop_ro("constraints",
                   [](const Solution& s) {
                     std::vector<std::tuple<std::string, std::string, double, double, double>> all;
                     for (const ConstraintUse& c : s.constraints)
                       all.emplace_back(c.name, std::string(symbol_of(c.sense)), c.bound, c.used,
                                        c.price);
                     return all;
                   })
      .def_ro("iterations", &Solution::iterations)
      .def_ro("linear_iterations", &Solution::linear_iterations)
      .def_ro("seconds", &Solution::seconds)
      .def_prop_ro("occupancy", [](const Solution& s) { return view_of(s.occupancy); })
      .def_prop_ro("policy", [](const Solution& s) { return view_of(s.policy); })
      .def_prop_ro("temperature", [](const Solution& s) { return view_of(s.temperature); })
      .def_prop_ro("values", [](const Solution& s) { return view_of(s.values); })
      .def_prop_ro("start", [](const Solution& s) { return view_of(s.start); })
      .def("save", [](Solution& solution) {
        Fields fields{solution};
        return saved(fields);
      });
  module.def(
      "solution_of",
      [](const nb::bytes& state) {
        Solution solution;
        Fields fields{solution};
        restore(fields, state);
        return solution;
      },
      nb::arg("state"));
}

}  // namespace

void bind_solve(nb::module_& module) {
  using nb::arg;
  nb::class_<Settings>(module, "Settings")
      .def(
          "__init__",
          [](Settings* self, const std::string& method, const std::string& regulariser,
             double tolerance, int max_iterations, double max_seconds, double max_bytes,
             double max_memory) {
            new (self) Settings(solver_settings_of(method, regulariser, tolerance, max_iterations,
                                                   max_seconds, max_bytes, max_memory));
          },
          arg("method"), arg("regulariser"), arg("tolerance"), arg("max_iterations"),
          arg("max_seconds"), arg("max_bytes"), arg("max_memory"));
  bind_solution(module);
  module.def("solve", &solve_one, arg("problem"), arg("settings"), arg("warm_start").none(),
             arg("progress").none());
  module.def("solve_many", &solve_many, arg("problems"), arg("settings"), arg("warm_starts"),
             arg("threads"));
  module.def(
      "solve_k_learning",
      [](const Problem& problem) {
        KLearningSolution solution = without_interpreter([&] { return solve_k_learning(problem); });
        return Arrays(solution.value, solution.tau, array_of(std::move(solution.policy)),
                      array_of(std::move(solution.V)));
      },
      arg("problem"));
  module.def(
      "solve_vapor_lite",
      [](const Problem& problem, double c) {
        VaporLiteSolution solution =
            without_interpreter([&] { return solve_vapor_lite(problem, c); });
        return Arrays(solution.value, c, array_of(std::move(solution.policy)),
                      array_of(std::move(solution.V)));
      },
      arg("problem"), arg("c"));
  module.def(
      "solve_equal_temperature",
      [](const Problem& problem, const Settings& settings) {
        Interruption interruption;
        Settings watched_settings = settings;
        watched_settings.progress = [&](const Progress&) { return interruption.go_on(); };
        EqualTemperatureSolution solution =
            without_interpreter([&] { return solve_equal_temperature(problem, watched_settings); });
        interruption.raise();
        return std::tuple(solution.tau, std::move(solution.solution));
      },
      arg("problem"), arg("settings"));
}

}  // namespace vapor::python
