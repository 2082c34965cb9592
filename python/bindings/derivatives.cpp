// Derivatives of the optimum, of one problem or of a batch that differs in its tables.
#include "vapor/solver/derivatives.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <optional>

#include "arrays.h"
#include "core_module.h"
#include "interruption.h"
#include "vapor/core/error.h"
#include "vapor/run/on_threads.h"
#include "vapor/solver/explanation.h"
#include "vapor/solver/solve.h"

namespace vapor::python {
namespace {

using Given = std::optional<ArrayIn<double>>;
using Doubles = ArrayOut<double>;

std::vector<double> table_or_none(const Given& given) {
  return given ? copied(*given) : std::vector<double>{};
}

// By name, in the order of ProblemChange and of SolutionChange.
using ProblemTables = std::tuple<Doubles, Doubles, Doubles, Doubles, Doubles, Doubles, Doubles>;
using SolutionTables = std::tuple<double, Doubles, Doubles, Doubles, Doubles>;

ProblemTables tables_of_gradient(ProblemChange c) {
  return {array_of(std::move(c.reward_mean)), array_of(std::move(c.sigma)),
          array_of(std::move(c.probability)), array_of(std::move(c.base_weight)),
          array_of(std::move(c.base)),        array_of(std::move(c.initial)),
          array_of(std::move(c.bound))};
}

SolutionTables tables_of_change(SolutionChange c) {
  return {c.value, array_of(std::move(c.occupancy)), array_of(std::move(c.policy)),
          array_of(std::move(c.values)), array_of(std::move(c.prices))};
}

// Tasks on all threads, with the interpreter free and Ctrl-C heard.
template <typename Task>
void on_all_threads(std::size_t count, int threads, const Task& task) {
  Interruption interruption;
  std::atomic<bool> stop = false;
  {
    const nb::gil_scoped_release released;
    watched<void>(
        [&] {
          on_threads(
              count, threads, [&] { return !stop.load(); },
              [&](std::size_t i, const GoOn& /*go_on*/) { task(i, stop); });
        },
        stop, [&] { return interruption.go_on(); });
  }
  interruption.raise();
}

// A batch of problems that differ in their tables, solved, with what their derivatives are made of.
class Batch {
 public:
  Batch(const Problem& problem, Settings settings, const Given& reward_mean, const Given& sigma,
        const Given& probability, const Given& initial, std::size_t size, int threads)
      : pairs_(static_cast<std::size_t>(problem.shape.pairs())), threads_(threads) {
    const std::vector<double> tables[] = {table_or_none(reward_mean), table_or_none(sigma),
                                          table_or_none(probability), table_or_none(initial)};
    derivatives_.resize(size);
    value_.resize(size);
    occupancy_.resize(size * pairs_);
    policy_.resize(size * pairs_);
    status_.resize(size);
    scales_.resize(size);
    on_all_threads(size, threads, [&](std::size_t i, const std::atomic<bool>& stop) {
      Settings own = settings;
      own.progress = [&stop](const Progress&) { return !stop; };
      solve_one_of(i, changed(problem, tables, i), own);
    });
  }

  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;

  std::vector<ProblemTables> adjoint(const ArrayIn<double>& value, const ArrayIn<double>& occupancy,
                                     const ArrayIn<double>& policy) const {
    const std::size_t size = derivatives_.size();
    const std::vector<double> of_value = copied("value", value, size);
    const std::vector<double> of_lambda = copied("occupancy", occupancy, size * pairs_);
    const std::vector<double> of_policy = copied("policy", policy, size * pairs_);
    std::vector<ProblemChange> gradients(size);
    on_all_threads(size, threads_, [&](std::size_t i, const std::atomic<bool>& /*stop*/) {
      const auto part = [&](const std::vector<double>& table) {
        const auto first = table.begin() + static_cast<std::ptrdiff_t>(i * pairs_);
        return std::vector<double>(first, first + static_cast<std::ptrdiff_t>(pairs_));
      };
      gradients[i] = derivatives_[i]->adjoint(
          {.value = of_value[i], .occupancy = part(of_lambda), .policy = part(of_policy)});
      unscale(*derivatives_[i], scales_[i], gradients[i]);
    });
    std::vector<ProblemTables> tables;
    for (ProblemChange& gradient : gradients)
      tables.push_back(tables_of_gradient(std::move(gradient)));
    return tables;
  }

  View<double> value() const { return view_of(value_); }
  View<double> occupancy() const { return view_of(occupancy_); }
  View<double> policy() const { return view_of(policy_); }
  std::vector<std::string> status() const { return status_; }

 private:
  // What distributions were scaled by to sum to 1, however far from it they are.
  struct Scales {
    std::vector<double> row;  // by pair
    double initial = 1.0;
  };

  static Scales scale_rows(Problem& problem) {
    const auto scale = [](std::span<double> row, double more) {
      double sum = more;
      for (double x : row) sum += x;
      if (!(sum > 0.0 && std::isfinite(sum))) return 1.0;
      for (double& x : row) x /= sum;
      return sum;
    };
    Scales scales;
    Transitions& P = problem.transitions;
    scales.initial = scale(problem.initial, 0.0);
    for (std::size_t p = 0; p + 1 < P.begin.size(); ++p) {
      scales.row.push_back(
          scale(std::span(P.probability).subspan(P.begin[p], P.begin[p + 1] - P.begin[p]),
                P.base_weight[p]));
      P.base_weight[p] /= scales.row.back();
    }
    return scales;
  }

  // d / d x of x / sum x is that of the scaled ones over the sum.
  static void unscale(const Derivatives& derivatives, const Scales& scales,
                      ProblemChange& gradient) {
    const Transitions& P = derivatives.problem().transitions;
    for (double& x : gradient.initial) x /= scales.initial;
    for (std::size_t p = 0; p < scales.row.size(); ++p)
      for (Offset k = P.begin[p]; k < P.begin[p + 1]; ++k) gradient.probability[k] /= scales.row[p];
  }

  Problem changed(const Problem& problem, const std::vector<double> (&tables)[4], std::size_t i) {
    Problem own = problem;
    std::vector<double>* to[] = {&own.reward_mean, &own.sigma, &own.transitions.probability,
                                 &own.initial};
    for (std::size_t t = 0; t < 4; ++t)
      if (!tables[t].empty())
        std::copy_n(tables[t].begin() + static_cast<std::ptrdiff_t>(i * to[t]->size()),
                    to[t]->size(), to[t]->begin());
    scales_[i] = scale_rows(own);
    validate_and_normalise(own);
    return own;
  }

  void solve_one_of(std::size_t i, Problem problem, const Settings& settings) {
    const Solution solution = solve(problem, settings);
    const Shape shape = problem.shape;
    derivatives_[i] = std::make_unique<Derivatives>(std::move(problem), solution);
    const Derivatives& d = *derivatives_[i];
    status_[i] = name_of(d.status());
    value_[i] = solution.value;
    const std::span<double> lambda = std::span(occupancy_).subspan(i * pairs_, pairs_);
    const std::span<double> policy = std::span(policy_).subspan(i * pairs_, pairs_);
    if (d.status() == Differentiability::kSmooth) {
      value_[i] = d.value();
      std::copy(d.occupancy().begin(), d.occupancy().end(), lambda.begin());
      std::copy(d.policy().begin(), d.policy().end(), policy.begin());
    } else {
      std::copy(solution.occupancy.begin(), solution.occupancy.end(), lambda.begin());
      std::copy(solution.policy.begin(), solution.policy.end(), policy.begin());
    }
  }

  std::size_t pairs_;
  int threads_;
  std::vector<std::unique_ptr<Derivatives>> derivatives_;
  std::vector<double> value_, occupancy_, policy_;
  std::vector<std::string> status_;
  std::vector<Scales> scales_;
};

nb::typed<nb::dict, nb::str, nb::object> explanation_of(const Problem& problem,
                                                        const Solution& solution, Index layer,
                                                        Index state, double count) {
  const Explanation e = [&] {
    const nb::gil_scoped_release released;
    return explain(problem, solution, layer, state, count);
  }();
  nb::list actions;
  for (const ActionReason& a : e.actions) {
    nb::dict action;
    action["policy"] = a.policy;
    action["occupancy"] = a.occupancy;
    action["reward"] = a.reward;
    action["optimism"] = a.optimism;
    action["entropy"] = a.entropy;
    action["next"] = a.next;
    action["constraints"] = a.constraints;
    action["sum"] = a.sum;
    action["value_after_one_more"] = a.value_after_one_more;
    action["policy_after_one_more"] = a.policy_after_one_more;
    actions.append(action);
  }
  nb::list pairs;
  for (const PairWeight& p : e.value_hangs_on)
    pairs.append(nb::make_tuple(p.layer, p.state, p.action, p.weight));
  nb::typed<nb::dict, nb::str, nb::object> all;
  all["layer"] = e.layer;
  all["state"] = e.state;
  all["status"] = std::string(name_of(e.status));
  all["mass"] = e.mass;
  all["value_of_state"] = e.V;
  all["sentence"] = e.sentence;
  all["actions"] = actions;
  all["value_hangs_on"] = pairs;
  return all;
}

}  // namespace

void bind_derivatives(nb::module_& module) {
  using nb::arg;
  nb::class_<Derivatives>(module, "Derivatives")
      .def_prop_ro("status", [](const Derivatives& d) { return std::string(name_of(d.status())); })
      .def_prop_ro("value", &Derivatives::value)
      .def_prop_ro("occupancy", [](const Derivatives& d) { return view_of(d.occupancy()); })
      .def_prop_ro("policy", [](const Derivatives& d) { return view_of(d.policy()); })
      .def_prop_ro("values", [](const Derivatives& d) { return view_of(d.values()); })
      .def(
          "forward",
          [](const Derivatives& d, const Given& reward_mean, const Given& sigma,
             const Given& probability, const Given& base_weight, const Given& base,
             const Given& initial, const Given& bound) {
            return tables_of_change(
                d.forward({table_or_none(reward_mean), table_or_none(sigma),
                           table_or_none(probability), table_or_none(base_weight),
                           table_or_none(base), table_or_none(initial), table_or_none(bound)}));
          },
          arg("reward_mean").none(), arg("sigma").none(), arg("probability").none(),
          arg("base_weight").none(), arg("base").none(), arg("initial").none(), arg("bound").none())
      .def(
          "adjoint",
          [](const Derivatives& d, double value, const Given& occupancy, const Given& policy,
             const Given& values, const Given& prices) {
            return tables_of_gradient(
                d.adjoint({value, table_or_none(occupancy), table_or_none(policy),
                           table_or_none(values), table_or_none(prices)}));
          },
          arg("value"), arg("occupancy").none(), arg("policy").none(), arg("values").none(),
          arg("prices").none());
  module.def(
      "differentiate_many",
      [](const std::vector<const Problem*>& problems, const std::vector<const Solution*>& solutions,
         int threads) {
        std::vector<std::unique_ptr<Derivatives>> all(problems.size());
        on_all_threads(problems.size(), threads, [&](std::size_t i, const std::atomic<bool>&) {
          all[i] = std::make_unique<Derivatives>(*problems[i], *solutions[i]);
        });
        nb::typed<nb::list, Derivatives> answer;
        for (auto& one : all) answer.append(nb::cast(std::move(*one)));
        return answer;
      },
      arg("problems"), arg("solutions"), arg("threads"));
  module.def("explain", &explanation_of, arg("problem"), arg("solution"), arg("layer"),
             arg("state"), arg("count"));
  nb::class_<Batch>(module, "DifferentiableBatch")
      .def(nb::init<const Problem&, Settings, const Given&, const Given&, const Given&,
                    const Given&, std::size_t, int>(),
           arg("problem"), arg("settings"), arg("reward_mean").none(), arg("sigma").none(),
           arg("probability").none(), arg("initial").none(), arg("size"), arg("threads"))
      .def_prop_ro("value", &Batch::value)
      .def_prop_ro("occupancy", &Batch::occupancy)
      .def_prop_ro("policy", &Batch::policy)
      .def_prop_ro("status", &Batch::status)
      .def("adjoint", &Batch::adjoint, arg("value"), arg("occupancy"), arg("policy"));
}

}  // namespace vapor::python
