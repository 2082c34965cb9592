// Tabular agents by spec.
#include "vapor/agent/agent.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <atomic>
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
#include "vapor/agent/registry.h"
#include "vapor/env/stationary_pair.h"
#include "vapor/solver/solution.h"

namespace vapor::python {
namespace {

// An agent with the flag of its belief: whoever uses the one uses the other.
struct LearningAgent {
  std::unique_ptr<Agent> agent;
  Shape shape;
  std::shared_ptr<std::atomic<bool>> busy;
};

LearningAgent agent_of(const std::string& spec, const SharedBelief& belief,
                       const Environment* environment) {
  const InUse use(*belief.busy);
  std::optional<Places> places;  // the belief's, unless it knows none
  if (environment != nullptr && belief->places().of_state.empty()) places = places_of(*environment);
  return {make_agent(Spec("agent", spec), std::make_unique<BorrowedBelief>(belief.belief),
                     std::move(places), environment == nullptr ? std::nullopt : environment->cost),
          belief->shape(), belief.busy};
}

ArrayOut<double> policy_of(LearningAgent& learner, RandomStream random) {
  const InUse use(*learner.busy);
  std::span<const double> policy;
  {
    const nb::gil_scoped_release released;
    policy = learner.agent->policy(random);
  }
  return copy_of(policy);
}

}  // namespace

void bind_agent(nb::module_& module) {
  using nb::arg;
  nb::class_<LearningAgent>(module, "Agent")
      .def("policy", &policy_of, arg("random"))
      .def(
          "observe",
          [](LearningAgent& learner, const StepTables& steps) {
            const InUse use(*learner.busy);
            const Episode episode = episode_of(steps);
            validate(learner.shape, episode);
            learner.agent->observe(episode);
          },
          arg("steps"))
      .def("solution",
           [](const LearningAgent& learner) -> std::optional<Solution> {
             const InUse use(*learner.busy);
             const Solution* solution = learner.agent->solution();
             return solution == nullptr ? std::nullopt : std::optional(*solution);
           })
      .def("save",
           [](LearningAgent& learner) {
             const InUse use(*learner.busy);
             return saved(*learner.agent);
           })
      .def("restore", [](LearningAgent& learner, const nb::bytes& state) {
        const InUse use(*learner.busy);
        restore(*learner.agent, state);
      });
  module.def("agent", &agent_of, arg("spec"), arg("belief"), arg("environment").none());
  module.def("agent_kinds", [] { return kinds_of(agent_kinds()); });
}

}  // namespace vapor::python
