// Beliefs: by spec about an environment, conjugate over a shape, or a list of models.
#include "vapor/belief/belief.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <optional>
#include <string>

#include "archived.h"
#include "arrays.h"
#include "beliefs.h"
#include "core_module.h"
#include "episodes.h"
#include "in_use.h"
#include "kinds.h"
#include "python_belief.h"
#include "vapor/belief/finite_belief.h"
#include "vapor/belief/tabular_belief.h"
#include "vapor/run/beliefs.h"

namespace vapor::python {
namespace {

SigmaTransform transform_of(const std::string& name, double scale) {
  if (!(scale >= 0.0 && scale <= 1e100)) throw InputError("scale", "must be between 0 and 1e100");
  return scaled(named_transform("transform", name), scale);
}

// By state: place numbers, and 1 where the episode is over; either may be empty.
using PlaceTables = std::tuple<ArrayIn<Index>, ArrayIn<Index>, bool>;

Places places_from(const PlaceTables& tables) {
  const auto& [of_state, ends, stationary] = tables;
  Places places;
  places.of_state = copied(of_state);
  for (Index end : copied(ends)) places.is_end.push_back(end != 0 ? 1 : 0);
  places.stationary = stationary;
  return places;
}

// A prior but for its rewards. The transitions of `layout` count if they are known.
TabularPrior prior_about(const Problem& layout, bool dynamics_known, double dirichlet_mass,
                         double repeat, const PlaceTables& places) {
  TabularPrior prior;
  prior.places = places_from(places);
  prior.shape = layout.shape;
  prior.initial = layout.initial;
  if (dynamics_known)
    prior.dynamics = layout.transitions;
  else
    prior.dynamics = DirichletDynamics{dirichlet_mass};
  prior.repeat = repeat;
  return prior;
}

SharedBelief gaussian_belief(const Problem& layout, bool dynamics_known,
                             const ArrayIn<double>& mean, const ArrayIn<double>& variance,
                             double noise_variance, double dirichlet_mass, double repeat,
                             const std::string& transform, double scale,
                             const ArrayIn<Index>& certain_next, const PlaceTables& places) {
  TabularPrior prior = prior_about(layout, dynamics_known, dirichlet_mass, repeat, places);
  prior.certain_next = copied(certain_next);
  prior.reward = GaussianRewards{copied(mean), copied(variance), noise_variance};
  return {std::make_unique<TabularBelief>(std::move(prior), transform_of(transform, scale))};
}

SharedBelief beta_belief(const Problem& layout, bool dynamics_known, const ArrayIn<double>& a,
                         const ArrayIn<double>& b, double dirichlet_mass, double repeat,
                         const std::string& transform, double scale, const PlaceTables& places) {
  TabularPrior prior = prior_about(layout, dynamics_known, dirichlet_mass, repeat, places);
  prior.reward = BetaRewards{copied(a), copied(b)};
  return {std::make_unique<TabularBelief>(std::move(prior), transform_of(transform, scale))};
}

// `range` is empty where it is learned, else low and high.
SharedBelief normal_gamma_belief(const Problem& layout, bool dynamics_known,
                                 const ArrayIn<double>& range, double level, double level_weight,
                                 double least_level, double dirichlet_mass, double repeat,
                                 const std::string& transform, double scale,
                                 const PlaceTables& places) {
  TabularPrior prior = prior_about(layout, dynamics_known, dirichlet_mass, repeat, places);
  NormalGammaRewards rewards{
      .first_level = level, .first_weight = level_weight, .least_level = least_level};
  if (const std::vector<double> ends = copied(range); ends.size() == 2)
    rewards.range = RewardRange{ends[0], ends[1]};
  prior.reward = rewards;
  return {std::make_unique<TabularBelief>(std::move(prior), transform_of(transform, scale))};
}

SharedBelief finite_belief(const std::vector<const Problem*>& models,
                           const ArrayIn<double>& weights, double noise_variance) {
  const std::vector<double> weight = copied("weights", weights, models.size());
  std::vector<FiniteModel> list;
  for (std::size_t i = 0; i < models.size(); ++i) list.push_back({*models[i], weight[i]});
  return {std::make_unique<FiniteBelief>(std::move(list), noise_variance)};
}

SharedBelief belief_of_own(nb::object belief, const PlaceTables& places) {
  return {own_belief(PythonBelief(std::move(belief)), places_from(places))};
}

using OptimalityTables =
    std::tuple<ArrayOut<double>, ArrayOut<double>, ArrayOut<double>, double, double>;

OptimalityTables tables_of(Optimality optimality) {
  return OptimalityTables(array_of(std::move(optimality.marginal)),
                          array_of(std::move(optimality.occupancy)),
                          array_of(std::move(optimality.standard_error)), optimality.value,
                          optimality.value_standard_error);
}

std::tuple<double, ArrayOut<double>> sampled_policy(SharedBelief& belief, RandomStream& random) {
  const InUse use(*belief.busy);
  std::vector<double> policy(static_cast<std::size_t>(belief->shape().pairs()));
  const double value = belief->sample_optimal_policy(random, policy);
  return {value, array_of(std::move(policy))};
}

}  // namespace

void bind_belief(nb::module_& module) {
  using nb::arg;
  nb::class_<SharedBelief>(module, "Belief")
      .def(
          "update",
          [](SharedBelief& belief, const StepTables& steps) {
            const InUse use(*belief.busy);
            const Episode episode = episode_of(steps);
            validate(belief->shape(), episode);
            belief->update(episode);
          },
          arg("steps"))
      .def("problem",
           [](SharedBelief& belief) {
             const InUse use(*belief.busy);
             return belief->problem();
           })
      .def("sample_optimal_policy", &sampled_policy, arg("random"))
      .def(
          "optimality",
          [](SharedBelief& belief, RandomStream& random, int samples) {
            const InUse use(*belief.busy);
            RandomStream own = random;  // nobody else draws from it meanwhile
            std::optional<Optimality> answer;
            {
              const nb::gil_scoped_release released;
              answer = belief->optimality(own, samples);
            }
            random = own;
            return tables_of(std::move(*answer));
          },
          arg("random"), arg("samples"))
      .def("save",
           [](SharedBelief& belief) {
             const InUse use(*belief.busy);
             return saved(*belief.belief);
           })
      .def("restore", [](SharedBelief& belief, const nb::bytes& state) {
        const InUse use(*belief.busy);
        restore(*belief.belief, state);
      });
  module.def(
      "belief",
      [](const std::string& spec, const Environment& environment) {
        return SharedBelief{make_belief(Spec("belief", spec), environment)};
      },
      arg("spec"), arg("environment"));
  module.def("default_belief", &default_belief, arg("name"), arg("environment"));
  module.def("gaussian_belief", &gaussian_belief, arg("layout"), arg("dynamics_known"), arg("mean"),
             arg("variance"), arg("noise_variance"), arg("dirichlet_mass"), arg("repeat"),
             arg("transform"), arg("scale"), arg("certain_next"), arg("places"));
  module.def("beta_belief", &beta_belief, arg("layout"), arg("dynamics_known"), arg("a"), arg("b"),
             arg("dirichlet_mass"), arg("repeat"), arg("transform"), arg("scale"), arg("places"));
  module.def("normal_gamma_belief", &normal_gamma_belief, arg("layout"), arg("dynamics_known"),
             arg("range"), arg("level"), arg("level_weight"), arg("least_level"),
             arg("dirichlet_mass"), arg("repeat"), arg("transform"), arg("scale"), arg("places"));
  module.def("finite_belief", &finite_belief, arg("models"), arg("weights"), arg("noise_variance"));
  module.def("own_belief", &belief_of_own, arg("belief"), arg("places"));
  module.def("belief_kinds", [] { return kinds_of(belief_kinds()); });
  module.def("belief_choices", [] {
    std::vector<Kind> choices;
    for (const BeliefKind& kind : belief_kinds())
      for (const BeliefChoice& choice : kind.choices)
        choices.emplace_back(kind.name, choice.setting + "=" + choice.value, choice.summary);
    return choices;
  });
}

}  // namespace vapor::python
