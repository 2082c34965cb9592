// Environments by spec or by model, and the random streams that play them.
#include "vapor/env/environment.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <string>
#include <tuple>

#include "arrays.h"
#include "core_module.h"
#include "episodes.h"
#include "kinds.h"
#include "vapor/core/archive.h"
#include "vapor/core/random.h"
#include "vapor/env/registry.h"
#include "vapor/env/stationary_pair.h"

namespace vapor::python {
namespace {

Environment environment_of_model(const Problem& model, const ArrayIn<double>& noise, bool bernoulli,
                                 const std::vector<Index>& goals) {
  Environment environment;
  environment.model = model;
  std::ranges::fill(environment.model.sigma, 0.0);
  environment.reward_noise = bernoulli ? RewardNoise::kBernoulli : RewardNoise::kGaussian;
  environment.noise = copied("noise", noise, static_cast<std::size_t>(model.shape.pairs()));
  environment.goals = goals;
  const Shape& shape = model.shape;
  for (Index l = 0; l < shape.layers(); ++l)
    for (Index s = 0; s < shape.states_of(l).size(); ++s) environment.cells.push_back({l, s});
  environment.rows = shape.layers();
  environment.columns = shape.largest_layer();
  return environment;
}

std::vector<Index> rows_of(const Environment& environment) {
  std::vector<Index> rows;
  for (const Cell& cell : environment.cells) rows.push_back(cell.row);
  return rows;
}

std::vector<Index> columns_of(const Environment& environment) {
  std::vector<Index> columns;
  for (const Cell& cell : environment.cells) columns.push_back(cell.column);
  return columns;
}

std::string noise_name(const Environment& environment) {
  return environment.reward_noise == RewardNoise::kGaussian ? "gaussian" : "bernoulli";
}

void bind_stream(nb::module_& module) {
  nb::class_<RandomStream>(module, "RandomStream",
                           "Random numbers from a seed, the same on every machine. A stream can be "
                           "pickled, and goes on where it was.")
      .def(nb::init<std::uint64_t>(), nb::arg("seed"))
      .def("split", nb::overload_cast<std::uint64_t>(&RandomStream::split, nb::const_),
           nb::arg("label"),
           "Another stream, which follows from this one's seed and the label alone: numbers that "
           "were drawn from either change nothing in the other.")
      .def("split", nb::overload_cast<std::string_view>(&RandomStream::split, nb::const_),
           nb::arg("label"))
      .def("uniform", nb::overload_cast<>(&RandomStream::uniform), "A number in [0, 1).")
      .def("normal", &RandomStream::normal, "A standard normal number.")
      .def("__getstate__",
           [](RandomStream& stream) {
             Archive archive;
             archive(stream);
             return nb::bytes(archive.bytes().data(), archive.bytes().size());
           })
      .def("__setstate__", [](RandomStream& stream, const nb::bytes& state) {
        Archive archive = Archive::restoring(std::string(state.c_str(), state.size()));
        new (&stream) RandomStream(0);
        archive(stream);
        archive.expect_end();
      });
}

}  // namespace

void bind_environment(nb::module_& module) {
  using nb::arg;
  bind_stream(module);
  nb::class_<Environment>(module, "Environment")
      .def_ro("model", &Environment::model)
      .def_prop_ro("reward_noise", &noise_name)
      .def_prop_ro("noise", [](const Environment& e) { return view_of(e.noise); })
      .def_prop_ro("goals", [](const Environment& e) { return view_of(e.goals); })
      .def("cell_rows", [](const Environment& e) { return array_of(rows_of(e)); })
      .def("cell_columns", [](const Environment& e) { return array_of(columns_of(e)); })
      .def_ro("rows", &Environment::rows)
      .def_ro("columns", &Environment::columns)
      .def("first_state", &first_state, arg("random"))
      .def(
          "take",
          [](const Environment& e, Index pair, RandomStream& random) {
            if (pair < 0 || pair >= e.shape().pairs())
              throw InputError("pair", "there is no pair " + std::to_string(pair));
            const Step step = take(e, pair, random);
            return std::tuple(step.reward, step.next_state);
          },
          arg("pair"), arg("random"))
      .def(
          "play",
          [](const Environment& e, const ArrayIn<double>& policy, RandomStream& random) {
            return tables_of(play(
                e, copied("policy", policy, static_cast<std::size_t>(e.shape().pairs())), random));
          },
          arg("policy"), arg("random"))
      .def(
          "reached_goal",
          [](const Environment& e, const StepTables& steps) {
            const Episode episode = episode_of(steps);
            validate(e.shape(), episode);
            return reached_goal(e, episode);
          },
          arg("steps"));
  module.def(
      "environment",
      [](const std::string& spec, std::uint64_t seed) {
        return make_environment(Spec("env", spec), seed);
      },
      arg("spec"), arg("seed"));
  module.def("environment_of_model", &environment_of_model, arg("model"), arg("noise"),
             arg("bernoulli"), arg("goals"));
  module.def("environment_kinds", [] { return kinds_of(environment_kinds()); });
}

}  // namespace vapor::python
