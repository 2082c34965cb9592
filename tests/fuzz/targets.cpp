#include "targets.h"

#include <array>
#include <string>

#include "vapor/core/error.h"

namespace vapor::fuzz {
namespace {

constexpr std::array kTargets = {
    Target{"problem", read_problem_bytes},        // problem files
    Target{"drn", read_drn_bytes},                // models of Storm
    Target{"solution", read_solution_bytes},      // --warm-start
    Target{"run", read_run_bytes},                // run.json, episodes.csv, timing.csv
    Target{"trace", read_trace_bytes},            // run.json, trace.csv
    Target{"manifest", read_manifest_bytes},      // sweep.json
    Target{"snapshot", read_snapshot_bytes},      // drawing.json, a snapshot
    Target{"findings", read_findings_bytes},      // findings.json, into a report
    Target{"checkpoint", read_checkpoint_bytes},  // a run that is resumed
    Target{"state", read_state_bytes},            // what a checkpoint holds of an agent
    Target{"policy", read_policy_bytes},          // of a training
    Target{"sweep", read_sweep_bytes},            // sweep files
    Target{"spec", read_spec_bytes},              // environments, agents, beliefs by name
    Target{"protocol", read_protocol_bytes},      // what the process of a game says
};

}  // namespace

std::span<const Target> targets() { return kTargets; }

const Target& target_of(std::string_view name) {
  for (const Target& target : kTargets)
    if (target.name == name) return target;
  throw InputError("target", "there is none of the name " + std::string(name));
}

}  // namespace vapor::fuzz
