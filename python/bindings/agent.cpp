// Tabular agents by spec.
#include "vapor/agent/agent.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <optional>
#include <string>

#include "archived.h"
#include "arrays.h"
#include "beliefs.h"
#include "core_module.h"
#include "episodes.h"
#include "vapor/agent/registry.h"
#include "vapor/env/stationary_pair.h"
#include "vapor/solver/solution.h"

namespace vapor::python {
namespace {

using Kind = std::tuple<std::string, std::string, std::string>;

std::unique_ptr<Agent> agent_of(const std::string& spec, const SharedBelief& belief,
                                const Environment* environment) {
  return make_agent(Spec("agent", spec), std::make_unique<BorrowedBelief>(belief.belief),
                    environment == nullptr ? std::vector<Index>{} : stationary_pair(*environment));
}

ArrayOut<double> policy_of(Agent& agent, const RandomStream& random) {
  std::span<const double> policy;
  {
    const nb::gil_scoped_release released;
    policy = agent.policy(random);
  }
  return copy_of(policy);
}

}  // namespace

void bind_agent(nb::module_& module) {
  using nb::arg;
  nb::class_<Agent>(module, "Agent")
      .def("policy", &policy_of, arg("random"))
      .def(
          "observe",
          [](Agent& agent, const StepTables& steps) { agent.observe(episode_of(steps)); },
          arg("steps"))
      .def("solution",
           [](const Agent& agent) -> std::optional<Solution> {
             const Solution* solution = agent.solution();
             return solution == nullptr ? std::nullopt : std::optional(*solution);
           })
      .def("save", [](Agent& agent) { return saved(agent); })
      .def("restore", [](Agent& agent, const nb::bytes& state) { restore(agent, state); });
  module.def("agent", &agent_of, arg("spec"), arg("belief"), arg("environment").none());
  module.def("agent_kinds", [] {
    std::vector<Kind> kinds;
    for (const AgentKind& kind : agent_kinds())
      kinds.emplace_back(kind.name, kind.settings, kind.summary);
    return kinds;
  });
}

}  // namespace vapor::python
